/* The C interface of Varylink, a cross-stage linker for SPIR-V. docs/library.md is the introduction.
 *
 *   context    receives messages; one per thread
 *   module     SPIR-V that is kept, for one pipeline after the other
 *   pipeline   the stages of one graphics pipeline, as SPIR-V words or GLSL text
 *   result     of linking: modules, diagnostics, interfaces, a JSON report
 *   group      pipelines that share modules, or whose positions have to stay the same
 *
 * Rules that hold for every function:
 *
 * - Memory. The caller destroys objects of functions named *_create, of varylink_link and of varylink_check with the
 *   matching *_destroy, which accepts NULL. Input is copied before the function returns. Pointers inside a result live
 *   as long as the result.
 * - Sized structs. The caller sets struct_size to sizeof the struct and the rest to zero: zero is the default of every
 *   field. A library that is newer than the program takes fields that the program does not know as zero; one that is
 *   older refuses fields it does not know unless they are zero, and leaves them zero in structs that it fills.
 * - Errors. A status below zero. No exception leaves a function. VARYLINK_ERROR_INVALID_ARGUMENT is a mistake of the
 *   program; varylink_context_error has the reason.
 * - Threads. A context and the pipelines made from it belong to one thread at a time; different contexts do not know
 *   each other. A result is not changed after it was made, so that any thread may read it.
 * - Files. The library opens none and prints nothing.
 * - Same input, same options, same bytes out.
 */
#ifndef VARYLINK_VARYLINK_H
#define VARYLINK_VARYLINK_H

#include <stddef.h>
#include <stdint.h>

/* Version of this header; varylink_version tells that of the library. */
#define VARYLINK_MAKE_VERSION(major, minor, patch) \
  (((uint32_t)(major) << 22) | ((uint32_t)(minor) << 12) | (uint32_t)(patch))
#define VARYLINK_VERSION_MAJOR 0
#define VARYLINK_VERSION_MINOR 1
#define VARYLINK_VERSION_PATCH 0
#define VARYLINK_VERSION VARYLINK_MAKE_VERSION(VARYLINK_VERSION_MAJOR, VARYLINK_VERSION_MINOR, VARYLINK_VERSION_PATCH)

/* On Windows a program that uses the shared library defines VARYLINK_SHARED; the CMake target does it. */
#if defined(_WIN32) && defined(VARYLINK_BUILDING_SHARED)
#define VARYLINK_API __declspec(dllexport)
#elif defined(_WIN32) && defined(VARYLINK_SHARED)
#define VARYLINK_API __declspec(dllimport)
#elif defined(__GNUC__)
#define VARYLINK_API __attribute__((visibility("default")))
#else
#define VARYLINK_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct varylink_context varylink_context;
typedef struct varylink_module varylink_module;
typedef struct varylink_pipeline varylink_pipeline;
typedef struct varylink_result varylink_result;
typedef struct varylink_group varylink_group;
typedef struct varylink_group_result varylink_group_result;

typedef enum varylink_status {
  VARYLINK_SUCCESS = 0,
  VARYLINK_ERROR_INVALID_ARGUMENT = -1,    /* NULL, a value out of range, a struct_size that is too small */
  VARYLINK_ERROR_OUT_OF_MEMORY = -2,       /* nothing was kept of the call */
  VARYLINK_ERROR_INTERNAL = -3,            /* a defect of the library */
  VARYLINK_ERROR_NOT_SUPPORTED = -4,       /* GLSL, and the library was built without a GLSL compiler */
  VARYLINK_ERROR_INVALID_PIPELINE = -5,    /* no stage, two modules for one stage, no such entry point */
  VARYLINK_ERROR_GLSL = -6,                /* GLSL that does not compile */
  VARYLINK_ERROR_INVALID_SPIRV = -7,       /* not SPIR-V, or refused by the SPIR-V validator */
  VARYLINK_ERROR_INTERFACE_MISMATCH = -8,  /* stages that do not fit together */
  VARYLINK_ERROR_VERIFICATION_FAILED = -9, /* the library's own result failed its checks and was thrown away */
  VARYLINK_ERROR_INTERRUPTED = -10,        /* varylink_link_options::interrupted asked for an end */
  VARYLINK_STATUS_MAX_ENUM = 0x7fffffff
} varylink_status;

/* In pipeline order. */
typedef enum varylink_stage {
  VARYLINK_STAGE_UNKNOWN = 0, /* as input: as the module's entry points or the name (x.vert) say */
  VARYLINK_STAGE_VERTEX = 1,
  VARYLINK_STAGE_TESS_CONTROL = 2,
  VARYLINK_STAGE_TESS_EVAL = 3,
  VARYLINK_STAGE_GEOMETRY = 4,
  VARYLINK_STAGE_TASK = 5,
  VARYLINK_STAGE_MESH = 6,
  VARYLINK_STAGE_FRAGMENT = 7,
  VARYLINK_STAGE_MAX_ENUM = 0x7fffffff
} varylink_stage;

/* Levels of optimization: -O0 to -O3 of the command. */
typedef enum varylink_level {
  VARYLINK_LEVEL_DEFAULT = 0, /* VARYLINK_LEVEL_FULL */
  VARYLINK_LEVEL_CHECK = 1,   /* nothing: modules are checked and passed through as they came */
  VARYLINK_LEVEL_EXACT = 2,   /* changes that keep every value as exact arithmetic has it */
  VARYLINK_LEVEL_FULL = 3,    /* also changes of rounding where the modules permit it */
  /* Also where rounding decides a comparison, floor or a texel address, as drivers do. */
  VARYLINK_LEVEL_DISCONTINUOUS = 4,
  VARYLINK_LEVEL_MAX_ENUM = 0x7fffffff
} varylink_level;

/* The Vulkan version whose rules modules have to follow, and for which GLSL is compiled. */
typedef enum varylink_target_env {
  VARYLINK_TARGET_ENV_DEFAULT = 0, /* VARYLINK_TARGET_ENV_VULKAN_1_3 */
  VARYLINK_TARGET_ENV_VULKAN_1_0 = 1,
  VARYLINK_TARGET_ENV_VULKAN_1_1 = 2,
  VARYLINK_TARGET_ENV_VULKAN_1_2 = 3,
  VARYLINK_TARGET_ENV_VULKAN_1_3 = 4,
  VARYLINK_TARGET_ENV_VULKAN_1_4 = 5, /* VARYLINK_ERROR_INVALID_ARGUMENT if the library's SPIRV-Tools do not know it */
  VARYLINK_TARGET_ENV_VULKAN_1_1_SPIRV_1_4 = 6, /* Vulkan 1.1 with VK_KHR_spirv_1_4 */
  VARYLINK_TARGET_ENV_MAX_ENUM = 0x7fffffff
} varylink_target_env;

typedef enum varylink_severity {
  VARYLINK_SEVERITY_ERROR = 0,
  VARYLINK_SEVERITY_WARNING = 1,
  VARYLINK_SEVERITY_NOTE = 2,
  VARYLINK_SEVERITY_MAX_ENUM = 0x7fffffff
} varylink_severity;

/* Outcome of a component that the producer declared. */
typedef enum varylink_fate {
  VARYLINK_FATE_KEPT = 0,      /* still crosses the interface */
  VARYLINK_FATE_DEAD = 1,      /* the next stage does not read it */
  VARYLINK_FATE_CONSTANT = 2,  /* the consumer has the constant itself */
  VARYLINK_FATE_UNIFORM = 3,   /* the consumer evaluates the uniform expression itself */
  VARYLINK_FATE_DUPLICATE = 4, /* another component carries the same value */
  VARYLINK_FATE_MOVED = 5,     /* replaced by other values through code motion */
  VARYLINK_FATE_MAX_ENUM = 0x7fffffff
} varylink_fate;

/* Whether varylink_link proves that its result does what the stages did, for all inputs (docs/proof.md). */
typedef enum varylink_prove {
  VARYLINK_PROVE_NOTHING = 0,
  VARYLINK_PROVE_REPORT = 1,   /* the verdict is in the result and in the report */
  VARYLINK_PROVE_REQUIRE = 2,  /* an unproved result fails with VARYLINK_ERROR_VERIFICATION_FAILED */
  VARYLINK_PROVE_FALLBACK = 3, /* an unproved one is linked at the next lower level, and passed through at last */
  VARYLINK_PROVE_MAX_ENUM = 0x7fffffff
} varylink_prove;

typedef enum varylink_verdict {
  VARYLINK_VERDICT_PROVED = 0,     /* equal for all inputs */
  VARYLINK_VERDICT_NOT_PROVED = 1, /* nothing is said about whether it is wrong */
  VARYLINK_VERDICT_REFUTED = 2,    /* differs for inputs that are known */
  VARYLINK_VERDICT_MAX_ENUM = 0x7fffffff
} varylink_verdict;

/* Policies for modules that several pipelines of a group use (docs/batch.md). */
typedef enum varylink_sharing {
  VARYLINK_SHARING_NOTHING = 0,    /* every pipeline is linked for itself */
  VARYLINK_SHARING_SPECIALIZE = 1, /* likewise, and equal pipelines once */
  VARYLINK_SHARING_UNION = 2,      /* one module that suits all */
  VARYLINK_SHARING_CLUSTER = 3,    /* at most varylink_group_info::max_variants modules */
  VARYLINK_SHARING_MAX_ENUM = 0x7fffffff
} varylink_sharing;

/* Kinds of declarations towards the application that a linked pipeline does not use. */
typedef enum varylink_unused_kind {
  VARYLINK_UNUSED_ATTRIBUTE = 0,     /* `number` is the location */
  VARYLINK_UNUSED_BINDING = 1,       /* `set` and `number` */
  VARYLINK_UNUSED_SPEC_CONSTANT = 2, /* `number` is the SpecId */
  VARYLINK_UNUSED_KIND_MAX_ENUM = 0x7fffffff
} varylink_unused_kind;

/* Bits of varylink_pipeline_info::flags. */
#define VARYLINK_PIPELINE_NO_FRAGMENT 0x1u /* there really is no fragment stage: nothing reads the last outputs */
#define VARYLINK_PIPELINE_DEBUG_INFO 0x2u  /* compile GLSL with debug information */
/* Every stage gets the same specialization data: constants with one SpecId, type and default are one. */
#define VARYLINK_PIPELINE_SHARED_SPEC_CONSTANTS 0x4u

/* Bits of varylink_link_options::flags. */
#define VARYLINK_LINK_STRIP_UNUSED_RESOURCES 0x1u  /* also remove declarations of unused resources */
#define VARYLINK_LINK_STRIP_UNUSED_ATTRIBUTES 0x2u /* also remove unread vertex inputs */
#define VARYLINK_LINK_VALIDATE_EACH_PASS 0x4u      /* run the SPIR-V validator after every pass */
#define VARYLINK_LINK_LIMIT_FUEL 0x8u              /* stop after varylink_link_options::fuel rewrites */
#define VARYLINK_LINK_PACK_BESIDE_ARRAYS 0x10u     /* use components that array elements leave free */
#define VARYLINK_LINK_PORTABLE 0x20u               /* one variable in a location, for GLSL, HLSL and Metal */
/* Also move interpolated arithmetic that ends where rounding may decide: a comparison, floor, a texel address. */
#define VARYLINK_LINK_ALLOW_DISCONTINUOUS 0x40u
#define VARYLINK_LINK_STRICT 0x80u           /* refuse stages that break the letter of the matching rules */
#define VARYLINK_LINK_KEEP_SPEC_IDS 0x100u   /* frozen specialization constants stay declared, without a use */
#define VARYLINK_LINK_NO_DEARER_STAGE 0x200u /* no stage costs more by the profile, not only all together */
/* What only a report needs is not computed: the result has no report, no unused declarations and no costs. */
#define VARYLINK_LINK_NO_REPORT 0x400u

/* Bits of varylink_check_options::flags. */
#define VARYLINK_CHECK_MAINTENANCE4 0x1u     /* the application enables maintenance4 */
#define VARYLINK_CHECK_PIPELINE_LIBRARY 0x2u /* the stages are linked from graphics pipeline libraries */

/* Bits of layout_flags: relaxations of the block layout rules that the application enables. */
#define VARYLINK_LAYOUT_SCALAR_BLOCK 0x1u
#define VARYLINK_LAYOUT_UNIFORM_BUFFER_STANDARD 0x2u
#define VARYLINK_LAYOUT_RELAX_BLOCK 0x4u
#define VARYLINK_LAYOUT_ALLOW_LOCALSIZEID 0x8u

/* One thing to say about a pipeline. Strings are never NULL, but empty where there is nothing to say. */
typedef struct varylink_diagnostic {
  size_t struct_size;
  varylink_severity severity;
  varylink_stage stage; /* unknown if it concerns no stage, or if stages share their name */
  const char* file;     /* the name of the stage, or of an included file or the debug information's source file */
  uint32_t line;        /* of the source, counted from 1; 0 if not known */
  const char* location; /* varying location and component such as "3.w" */
  const char* vuid;     /* valid-usage id of the Vulkan specification, such as "VUID-RuntimeSpirv-OpEntryPoint-08743" */
  const char* rule;     /* of varylink_check: name of the rule (docs/check.md) */
  const char* message;  /* one sentence, lower case, no full stop */
} varylink_diagnostic;

/* Receives each diagnostic of varylink_link and varylink_check while the function runs, in the order in which the
 * result has them. `diagnostic` and its strings live until the callback returns. It must not call functions on this
 * context and must not throw. */
typedef void (*varylink_message_callback)(void* user, const varylink_diagnostic* diagnostic);

typedef struct varylink_context_info {
  size_t struct_size;
  varylink_message_callback message; /* may be NULL */
  void* message_user;                /* handed to `message` */
} varylink_context_info;

/* Content of a file that GLSL includes. `path` is the name in the #include, joined with the folder of the including
 * source's name where that is the first place to look. Returns the text and its length in bytes, or NULL if there is no
 * such file; the text must live until the callback is called again or the function that called it returns. It must not
 * call functions on this context and must not throw. */
typedef const char* (*varylink_include_callback)(void* user, const char* path, size_t* length);

typedef struct varylink_define {
  const char* name;
  const char* value; /* NULL is the same as "" */
} varylink_define;

typedef struct varylink_pipeline_info {
  size_t struct_size;
  const char* name; /* for the report; may be NULL */
  uint32_t flags;   /* VARYLINK_PIPELINE_* */
  /* For GLSL stages. */
  uint32_t define_count;
  const varylink_define* defines;
  varylink_include_callback include; /* NULL: nothing can be included */
  void* include_user;
  /* Facts about the pipeline besides its shaders, as JSON (docs/pipeline-state.md): specialization constants, macros
   * and entry points of the stages, the layout, and state such as {"rasterizationSamples": 1}. Members that name files
   * are refused. NULL: none. */
  const char* state;
} varylink_pipeline_info;

typedef struct varylink_spirv_stage {
  size_t struct_size;
  varylink_stage stage;  /* unknown: each stage that the module has an entry point for */
  const uint32_t* words; /* either byte order */
  size_t word_count;
  const char* entry_point; /* NULL: the only one of that stage */
  const char* name;        /* in messages and in the report; NULL: a name made from its position */
} varylink_spirv_stage;

typedef struct varylink_glsl_stage {
  size_t struct_size;
  varylink_stage stage; /* unknown: as the name says (x.vert, x.frag.glsl) */
  const char* source;
  size_t source_length;    /* bytes; 0: up to the terminating zero */
  const char* entry_point; /* NULL: main */
  const char* name;        /* as above; includes are looked for relative to it */
} varylink_glsl_stage;

/* Receives the words of a stage after a pass that changed it. `words` live until the callback returns. It must not call
 * functions on this context and must not throw. */
typedef void (*varylink_dump_callback)(void* user, const char* pass, varylink_stage stage, const uint32_t* words,
                                       size_t word_count);

/* Asked again and again while varylink_link works, on its thread: a value other than 0 ends it with
 * VARYLINK_ERROR_INTERRUPTED. It must not call functions on this context and must not throw. */
typedef int (*varylink_interrupt_callback)(void* user);

typedef struct varylink_link_options {
  size_t struct_size;
  varylink_level level;
  varylink_target_env target_env;
  uint32_t layout_flags;     /* VARYLINK_LAYOUT_* */
  uint32_t flags;            /* VARYLINK_LINK_* */
  uint64_t fuel;             /* see VARYLINK_LINK_LIMIT_FUEL */
  const char* const* passes; /* names of `varylink link --help-passes` in the order to run; NULL: those of the level */
  size_t pass_count;
  varylink_dump_callback dump; /* may be NULL */
  void* dump_user;
  const char* cost_profile; /* GPU for which code is weighed against varyings, and for which the report measures the
                               stages: the name of a built-in profile, or a profile as JSON (docs/cost-profiles.md);
                               NULL: generic, and no costs in the report */
  varylink_prove prove;
  varylink_interrupt_callback interrupted; /* may be NULL */
  void* interrupt_user;                    /* handed to `interrupted` */
} varylink_link_options;

typedef struct varylink_check_options {
  size_t struct_size;
  varylink_target_env target_env;
  uint32_t layout_flags;   /* VARYLINK_LAYOUT_* */
  uint32_t flags;          /* VARYLINK_CHECK_* */
  const char* limits_json; /* device limits as docs/check.md describes; NULL: the minimums that Vulkan requires */
} varylink_check_options;

/* A module of the linked pipeline. */
typedef struct varylink_stage_output {
  size_t struct_size;
  varylink_stage stage;
  const uint32_t* words; /* host byte order */
  size_t word_count;
  const char* entry_point;
  const char* name; /* of the stage it was made from */
} varylink_stage_output;

/* Size of an interface: 32-bit components that the producer declares, built-ins not counted; locations that have at
 * least one of them; and the highest such location + 1, which device limits count. */
typedef struct varylink_interface_size {
  uint32_t components;
  uint32_t locations;
  uint32_t highest_location;
} varylink_interface_size;

typedef struct varylink_interface {
  size_t struct_size;
  varylink_stage producer;
  varylink_stage consumer;
  varylink_interface_size before;
  varylink_interface_size after;
  size_t component_count; /* for varylink_result_get_component */
  /* Variables that are not in the sizes: arrays sized by a specialization constant that has no value. */
  uint32_t not_counted_before;
  uint32_t not_counted_after;
} varylink_interface;

/* A component that the producer declared. Strings are never NULL. */
typedef struct varylink_component {
  size_t struct_size;
  uint32_t old_location;
  uint32_t old_component; /* 0 to 3 */
  varylink_fate fate;
  uint32_t has_new; /* 1: new_location and new_component say where the value is now, for a duplicate where the equal one
                       is */
  uint32_t new_location;
  uint32_t new_component;
  const char* reason;        /* one clause: why it went, or why it had to stay */
  const char* producer_name; /* such as "v.color.x", as far as the module has names */
  const char* consumer_name;
  const char* type;          /* "float", "uint", ... */
  const char* interpolation; /* "smooth", "flat", ...; empty in front of stages that do not interpolate */
  uint32_t patch;            /* 1: per patch */
} varylink_component;

/* Proof of the result of varylink_link with a varylink_link_options::prove. */
typedef struct varylink_proof {
  size_t struct_size;
  varylink_verdict verdict;
  varylink_level level; /* that the result was linked at, and whose semantics the proof has */
  const char* reason;   /* one clause; empty if proved */
  size_t output_count;  /* outputs, stores and other things that the outside sees; 0 if all modules are as they came */
  size_t finding_count; /* for varylink_result_get_finding */
} varylink_proof;

/* Something that the outside sees and that is not proved. Strings are never NULL. */
typedef struct varylink_finding {
  size_t struct_size;
  varylink_stage stage;
  varylink_verdict verdict;
  const char* what;     /* such as "output 0.x", "built-in 0[3]", "memory", "discard" */
  const char* original; /* the smallest parts of both values that could not be shown equal */
  const char* linked;
  const char* witness; /* if refuted: both values, and inputs for which they differ */
} varylink_finding;

typedef struct varylink_unused {
  size_t struct_size;
  varylink_unused_kind kind;
  uint32_t set;
  uint32_t number;
  uint32_t location_count; /* of an attribute, such as 4 for a mat4; 1 for others */
  const char* name;        /* as far as the module has names; never NULL */
  uint32_t stages;         /* bit (1 << varylink_stage): declares it and does not use it */
  uint32_t unused_by_all;  /* 1: no stage of the pipeline uses it: it can be dropped */
  uint32_t was_used;       /* 1: one of `stages` used it before linking */
} varylink_unused;

typedef struct varylink_group_info {
  size_t struct_size;
  varylink_sharing sharing;
  uint32_t max_variants; /* of a module, with VARYLINK_SHARING_CLUSTER; 0: 2 */
} varylink_group_info;

/* Version of the library, to be compared with VARYLINK_VERSION. Any thread. */
VARYLINK_API uint32_t varylink_version(void);

/* The same as text with the commit, such as "0.1.0 (0123456789ab)". Static memory. Any thread. */
VARYLINK_API const char* varylink_version_string(void);

/* 1 if GLSL stages can be compiled, 0 if the library was built without a GLSL compiler. Any thread. */
VARYLINK_API int varylink_has_glsl(void);

/* "success", "invalid_argument", ...; "unknown" for other values. Static memory. Any thread. */
VARYLINK_API const char* varylink_status_name(varylink_status status);

/* Short name of a stage: vert tesc tese geom task mesh frag; "unknown" for other values. Static memory. Any thread. */
VARYLINK_API const char* varylink_stage_name(varylink_stage stage);

/* Makes a context. `info` may be NULL.
 * Errors: invalid argument, out of memory; *context is then NULL. */
VARYLINK_API varylink_status varylink_context_create(const varylink_context_info* info, varylink_context** context);

/* Pipelines made from the context must be destroyed first; results may live on. */
VARYLINK_API void varylink_context_destroy(varylink_context* context);

/* Why the last function on this context or on one of its pipelines failed with invalid argument, out of memory or
 * internal error; empty if it did not. The text lives until the next such function is called. */
VARYLINK_API const char* varylink_context_error(const varylink_context* context);

/* Makes a pipeline without stages. `info` may be NULL.
 * Errors: invalid argument, out of memory; *pipeline is then NULL. */
VARYLINK_API varylink_status varylink_pipeline_create(varylink_context* context, const varylink_pipeline_info* info,
                                                      varylink_pipeline** pipeline);

/* Results of the pipeline live on. */
VARYLINK_API void varylink_pipeline_destroy(varylink_pipeline* pipeline);

/* Adds a stage; the order of calls does not matter. The words are copied and looked at by varylink_link and
 * varylink_check.
 * Errors: invalid argument, out of memory; the pipeline is then as it was. */
VARYLINK_API varylink_status varylink_pipeline_add_spirv(varylink_pipeline* pipeline,
                                                         const varylink_spirv_stage* stage);

/* Adds a stage in GLSL. The text is copied; varylink_link and varylink_check compile the GLSL stages of a pipeline
 * together, so that varyings without a location get the same one in every stage, by name.
 * Errors: invalid argument, out of memory, not supported (see varylink_has_glsl); the pipeline is then as it was. */
VARYLINK_API varylink_status varylink_pipeline_add_glsl(varylink_pipeline* pipeline, const varylink_glsl_stage* stage);

/* Keeps a module with the work that linking does on it alone: with a second partner, or with other specialization
 * values of the partner, it is neither validated nor prepared again. Results have the same bytes as without. The words
 * are copied. If `stage` does not say which stage it is for, it has entry points of one stage only.
 * Errors: those of varylink_pipeline_add_spirv, and of varylink_link for words that cannot be read, with the reason as
 * varylink_context_error; *module is then NULL. */
VARYLINK_API varylink_status varylink_module_create(varylink_context* context, const varylink_spirv_stage* stage,
                                                    varylink_module** module);

/* Pipelines that it was added to, and contexts, live on. Any thread. */
VARYLINK_API void varylink_module_destroy(varylink_module* module);

/* Adds it as varylink_pipeline_add_spirv adds its words; any thread may do that with one module at the same time.
 * varylink_link and varylink_analyze use the kept work; a group keeps its own.
 * Errors: invalid argument, out of memory; the pipeline is then as it was. */
VARYLINK_API varylink_status varylink_pipeline_add_module(varylink_pipeline* pipeline, const varylink_module* module);

/* Links the stages. The pipeline stays as it is and can be linked again, with other options too. `options` may be NULL.
 *
 * On success every module of *result has passed the SPIR-V validator and every pair of stages the library's own check.
 * Errors: invalid argument, out of memory and internal error leave *result NULL. With any other error there is a result
 * without modules, whose diagnostics have the reason. */
VARYLINK_API varylink_status varylink_link(varylink_pipeline* pipeline, const varylink_link_options* options,
                                           varylink_result** result);

/* Checks the stages and how they fit together, without changing anything: docs/check.md has the rules. The diagnostics
 * of *result are the findings; there are no modules and no interfaces. `options` may be NULL.
 * Success means that there is no error among the diagnostics; there may be warnings. Errors: as varylink_link. */
VARYLINK_API varylink_status varylink_check(varylink_pipeline* pipeline, const varylink_check_options* options,
                                            varylink_result** result);

/* Bounds the gain of linking for stages whose partners are not known, as `varylink analyze` does: each is linked on
 * each side with a stage made for it. Interfaces of *result are those of the stages, in pipeline order; a control,
 * evaluation or geometry stage has two, of its inputs and of its outputs. Components that are not kept go with every
 * partner. varylink_result_get_bound has the size with the best partner. There are no modules. `options` may be NULL;
 * VARYLINK_LINK_LIMIT_FUEL and `prove` are ignored. Errors: as varylink_link; a task stage, and an interface that
 * cannot be split into scalars and vectors, is an invalid pipeline. */
VARYLINK_API varylink_status varylink_analyze(varylink_pipeline* pipeline, const varylink_link_options* options,
                                              varylink_result** result);

/* Makes a group without pipelines. `info` may be NULL.
 * Errors: invalid argument, out of memory; *group is then NULL. */
VARYLINK_API varylink_status varylink_group_create(varylink_context* context, const varylink_group_info* info,
                                                   varylink_group** group);

/* Results of the group live on. */
VARYLINK_API void varylink_group_destroy(varylink_group* group);

/* Adds a copy of the pipeline, which was made from the same context; both then live for themselves. Modules are shared
 * by pipelines if their words, stage and entry point are equal.
 * Errors: invalid argument, out of memory; the group is then as it was. */
VARYLINK_API varylink_status varylink_group_add_pipeline(varylink_group* group, const varylink_pipeline* pipeline);

/* The vertices of the pipelines with these names, two or more, have to land on the same places, as those of a depth
 * pre-pass and the pass behind it: their position code is kept the same, or a diagnostic says why not.
 * Errors: invalid argument, out of memory; the group is then as it was. */
VARYLINK_API varylink_status varylink_group_add_invariance(varylink_group* group, const char* const* names,
                                                           size_t name_count);

/* Links the pipelines of the group, as `varylink link --share` does those of a manifest. With VARYLINK_PROVE_FALLBACK
 * pipelines that share modules go to a lower level together. `options` may be NULL.
 *
 * Invalid argument (also a name of varylink_group_add_invariance that no pipeline has), out of memory and internal
 * error leave *result NULL. Otherwise there is a result; the status is success if every pipeline linked, and else that
 * of the first one that did not. */
VARYLINK_API varylink_status varylink_group_link(varylink_group* group, const varylink_link_options* options,
                                                 varylink_group_result** result);

/* Ends the life of everything that was got from the result. Any thread. */
VARYLINK_API void varylink_group_result_destroy(varylink_group_result* result);

/* The status that varylink_group_link returned. Invalid argument for NULL. */
VARYLINK_API varylink_status varylink_group_result_status(const varylink_group_result* result);

/* Number of pipelines, in the order in which they were added; 0 for NULL. */
VARYLINK_API size_t varylink_group_result_count(const varylink_group_result* result);

/* The result of one of them, as varylink_link makes it: not to be destroyed. NULL for an index out of range. */
VARYLINK_API const varylink_result* varylink_group_result_get(const varylink_group_result* result, size_t index);

/* The report of `varylink link --share --report` (docs/report.md). NULL for NULL. Lives as long as the result. */
VARYLINK_API const char* varylink_group_result_report(const varylink_group_result* result);

/* Ends the life of everything that was got from the result. Any thread. */
VARYLINK_API void varylink_result_destroy(varylink_result* result);

/* The status that the function that made the result returned. Invalid argument for NULL. */
VARYLINK_API varylink_status varylink_result_status(const varylink_result* result);

/* Number of modules, diagnostics, interfaces, unused declarations; 0 for NULL. */
VARYLINK_API size_t varylink_result_stage_count(const varylink_result* result);
VARYLINK_API size_t varylink_result_diagnostic_count(const varylink_result* result);
VARYLINK_API size_t varylink_result_interface_count(const varylink_result* result);
VARYLINK_API size_t varylink_result_unused_count(const varylink_result* result);

/* 1 if the result has a proof: one was asked for and the pipeline linked. 0 for NULL. */
VARYLINK_API int varylink_result_has_proof(const varylink_result* result);

/* Fill a struct whose struct_size the caller has set. Modules and interfaces are in pipeline order, components in the
 * order of their old places. Pointers in the struct live as long as the result.
 * Errors: invalid argument (NULL, an index out of range, a struct_size that is too small); nothing is written then. */
VARYLINK_API varylink_status varylink_result_get_stage(const varylink_result* result, size_t index,
                                                       varylink_stage_output* stage);
VARYLINK_API varylink_status varylink_result_get_diagnostic(const varylink_result* result, size_t index,
                                                            varylink_diagnostic* diagnostic);
VARYLINK_API varylink_status varylink_result_get_interface(const varylink_result* result, size_t index,
                                                           varylink_interface* interface_out);
VARYLINK_API varylink_status varylink_result_get_component(const varylink_result* result, size_t interface_index,
                                                           size_t index, varylink_component* component);
/* After varylink_analyze: the size of interface `index` with the partner that is best for it, one that reads nothing or
 * writes constants only. Errors: invalid argument (NULL, another result, an index out of range). */
VARYLINK_API varylink_status varylink_result_get_bound(const varylink_result* result, size_t index,
                                                       varylink_interface_size* bound);
/* In the order of kind, set and number. */
VARYLINK_API varylink_status varylink_result_get_unused(const varylink_result* result, size_t index,
                                                        varylink_unused* unused);
/* Also invalid argument: a result without a proof. */
VARYLINK_API varylink_status varylink_result_get_proof(const varylink_result* result, varylink_proof* proof);
VARYLINK_API varylink_status varylink_result_get_finding(const varylink_result* result, size_t index,
                                                         varylink_finding* finding);

/* JSON, UTF-8, with a terminating zero: after varylink_link the report of `varylink link --report`
 * (docs/report.md; empty with VARYLINK_LINK_NO_REPORT), after varylink_check that of `varylink check
 * --diagnostics=json` (docs/check.md). NULL for NULL. Lives as long as the result. */
VARYLINK_API const char* varylink_result_report(const varylink_result* result);

#ifdef __cplusplus
}
#endif

#endif
