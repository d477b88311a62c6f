// The C++20 interface of Varylink: varylink.h with objects that clean up after themselves. Only the C functions are
// used, so that it works with any build of the library.
//
//   varylink::Context context([](const varylink::Diagnostic& d) { std::cerr << d.file << ": " << d.message << '\n'; });
//   varylink::Pipeline pipeline(context, {.name = "lit"});
//   pipeline.add_spirv({.words = vertex_words});
//   pipeline.add_spirv({.words = fragment_words});
//   const varylink::Outcome linked = pipeline.link({.level = VARYLINK_LEVEL_EXACT});
//   if (linked) for (const varylink::Module& module : linked.modules()) use(module.stage, module.words);
//
// Mistakes of the program and lack of memory are exceptions (varylink::Error); faulty shaders are a status and the
// diagnostics of the outcome. In a program that is compiled without exceptions, status() and the functions return all
// of them instead; lack of memory inside of the standard library ends it. Views (std::span,
// std::string_view) that an Outcome hands out live as long as it. Threads: as in varylink.h.
#ifndef VARYLINK_VARYLINK_HPP
#define VARYLINK_VARYLINK_HPP

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error \
    "varylink.hpp needs C++20: -std=c++20, /std:c++20, or target_compile_features(... cxx_std_20). varylink.h does not."
#else

#include <varylink/varylink.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace varylink {
// Inline, so that these names are not those of the library's own classes where it is linked statically.
inline namespace cpp {

// A mistake of the program (VARYLINK_ERROR_INVALID_ARGUMENT), lack of memory, GLSL without its compiler, or a defect.
class Error : public std::runtime_error {
 public:
  Error(varylink_status status, const std::string& reason)
      : std::runtime_error(std::string("varylink: ") + varylink_status_name(status) +
                           (reason.empty() ? "" : ": " + reason)),
        status_(status) {}
  varylink_status status() const { return status_; }

 private:
  varylink_status status_;
};

// See varylink_diagnostic.
struct Diagnostic {
  varylink_severity severity = VARYLINK_SEVERITY_ERROR;
  varylink_stage stage = VARYLINK_STAGE_UNKNOWN;
  std::string_view file;
  std::uint32_t line = 0;
  std::string_view location, vuid, rule, message;
};

// See varylink_stage_output.
struct Module {
  varylink_stage stage = VARYLINK_STAGE_UNKNOWN;
  std::span<const std::uint32_t> words;
  std::string_view entry_point, name;
};

// See varylink_component.
struct Component {
  std::uint32_t old_location = 0, old_component = 0;
  std::optional<std::pair<std::uint32_t, std::uint32_t> > now;  // location and component
  varylink_fate fate = VARYLINK_FATE_KEPT;
  std::string_view reason, producer_name, consumer_name, type, interpolation;
  bool patch = false;
};

// See varylink_interface.
struct Interface {
  varylink_stage producer = VARYLINK_STAGE_UNKNOWN, consumer = VARYLINK_STAGE_UNKNOWN;
  varylink_interface_size before = {}, after = {};
  std::uint32_t not_counted_before = 0, not_counted_after = 0;
  std::vector<Component> components;
};

// See varylink_pipeline_info. All members have defaults: compilers do not warn where {.name = "x"} leaves some out.
struct PipelineInfo {
  std::string name = {};
  std::uint32_t flags = 0;
  std::vector<std::pair<std::string, std::string> > defines = {};
  // Content of an included file, none if there is none.
  std::function<std::optional<std::string>(const std::string& path)> include = {};
  std::string state = {};  // JSON
};

// See varylink_spirv_stage. Only looked at during the call.
struct SpirvStage {
  std::span<const std::uint32_t> words = {};
  varylink_stage stage = VARYLINK_STAGE_UNKNOWN;
  std::string entry_point = {}, name = {};
};

// See varylink_glsl_stage. Only looked at during the call.
struct GlslStage {
  std::string_view source = {};
  varylink_stage stage = VARYLINK_STAGE_UNKNOWN;
  std::string entry_point = {}, name = {};
};

// See varylink_finding and varylink_proof.
struct Finding {
  varylink_stage stage;
  varylink_verdict verdict;
  std::string what, original, linked, witness;
};
struct Proof {
  varylink_verdict verdict;
  varylink_level level;
  std::string reason;
  std::size_t outputs;
  std::vector<Finding> findings;
};

// See varylink_unused.
struct Unused {
  varylink_unused_kind kind;
  std::uint32_t set, number, locations;
  std::string name;
  std::uint32_t stages;
  bool unused_by_all, was_used;
};

// See varylink_group_info.
struct GroupInfo {
  varylink_sharing sharing = VARYLINK_SHARING_NOTHING;
  std::uint32_t max_variants = 0;
};

// See varylink_link_options.
struct LinkOptions {
  varylink_level level = VARYLINK_LEVEL_DEFAULT;
  varylink_target_env target_env = VARYLINK_TARGET_ENV_DEFAULT;
  std::uint32_t layout_flags = 0;
  std::uint32_t flags = 0;
  std::optional<std::uint64_t> fuel = {};
  std::vector<std::string> passes = {};
  std::function<void(std::string_view pass, varylink_stage stage, std::span<const std::uint32_t> words)> dump = {};
  std::string cost_profile = {};
  varylink_prove prove = VARYLINK_PROVE_NOTHING;
  std::function<bool()> interrupted = {};
};

// See varylink_check_options.
struct CheckOptions {
  varylink_target_env target_env = VARYLINK_TARGET_ENV_DEFAULT;
  std::uint32_t layout_flags = 0;
  std::uint32_t flags = 0;
  std::string limits_json = {};
};

namespace detail {

inline Diagnostic to_cpp(const varylink_diagnostic& from) {
  return {from.severity, from.stage, from.file, from.line, from.location, from.vuid, from.rule, from.message};
}

// NULL for an empty text: "not given".
inline const char* given(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

template <typename T>
T sized() {
  T value = {};
  value.struct_size = sizeof(T);
  return value;
}

// Callbacks of the program, and the exception of one: it must not pass through the library.
struct Callbacks {
  std::function<void(const Diagnostic&)> message;
  std::function<std::optional<std::string>(const std::string&)> include;
  std::function<void(std::string_view, varylink_stage, std::span<const std::uint32_t>)> dump;
  std::function<bool()> interrupted;
  std::string included;  // result of the last call of `include`
  std::exception_ptr thrown;

  template <typename Body>
  void run(Body body) noexcept {
#ifdef __cpp_exceptions
    if (thrown) return;
    try {
      body();
    } catch (...) {
      thrown = std::current_exception();
    }
#else
    body();
#endif
  }
  void rethrow() {
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  }
};

// Throws Error if the status is not success and the program has exceptions.
inline varylink_status required(varylink_status status, [[maybe_unused]] const char* reason) {
#ifdef __cpp_exceptions
  if (status != VARYLINK_SUCCESS) throw Error(status, reason);
#endif
  return status;
}

inline void on_message(void* user, const varylink_diagnostic* diagnostic) {
  auto& callbacks = *static_cast<Callbacks*>(user);
  callbacks.run([&] { callbacks.message(to_cpp(*diagnostic)); });
}

inline const char* on_include(void* user, const char* path, std::size_t* length) {
  auto& callbacks = *static_cast<Callbacks*>(user);
  bool found = false;
  callbacks.run([&] {
    std::optional<std::string> text = callbacks.include(path);
    found = text.has_value();
    callbacks.included = found ? std::move(*text) : std::string();
  });
  *length = callbacks.included.size();
  return found ? callbacks.included.data() : nullptr;
}

inline int on_interrupt(void* user) {
  auto& callbacks = *static_cast<Callbacks*>(user);
  bool ends = true;  // what the callback threw ends the work, too
  callbacks.run([&] { ends = callbacks.interrupted(); });
  return ends ? 1 : 0;
}

inline void on_dump(void* user, const char* pass, varylink_stage stage, const std::uint32_t* words,
                    std::size_t word_count) {
  auto& callbacks = *static_cast<Callbacks*>(user);
  callbacks.run([&] { callbacks.dump(pass, stage, {words, word_count}); });
}

// Points into `stage`.
inline varylink_spirv_stage to_c(const SpirvStage& stage) {
  auto from = sized<varylink_spirv_stage>();
  from.stage = stage.stage;
  from.words = stage.words.data();
  from.word_count = stage.words.size();
  from.entry_point = given(stage.entry_point);
  from.name = given(stage.name);
  return from;
}

// `from` points into `options`, `passes` and `callbacks`.
inline varylink_link_options to_c(const LinkOptions& options, std::vector<const char*>& passes, Callbacks& callbacks) {
  auto from = sized<varylink_link_options>();
  from.level = options.level;
  from.target_env = options.target_env;
  from.layout_flags = options.layout_flags;
  from.flags = options.flags | (options.fuel ? VARYLINK_LINK_LIMIT_FUEL : 0u);
  from.fuel = options.fuel.value_or(0);
  for (const std::string& pass : options.passes) passes.push_back(pass.c_str());
  from.passes = passes.data();
  from.pass_count = passes.size();
  callbacks.dump = options.dump;
  if (callbacks.dump) from.dump = on_dump;
  from.dump_user = &callbacks;
  from.cost_profile = given(options.cost_profile);
  from.prove = options.prove;
  callbacks.interrupted = options.interrupted;
  if (callbacks.interrupted) from.interrupted = on_interrupt;
  from.interrupt_user = &callbacks;
  return from;
}

}  // namespace detail

// The result of a pipeline. Empty if moved from or, in a program without exceptions, where others throw Error.
class Outcome {
 public:
  // One of a group, which lives as long as this. See varylink_group_result_get.
  Outcome(std::shared_ptr<varylink_group_result> group, const varylink_result* result)
      : result_(std::move(group), result), status_(VARYLINK_ERROR_INVALID_ARGUMENT) {}
  // `status` is only looked at where there is no result.
  explicit Outcome(varylink_result* result, varylink_status status = VARYLINK_ERROR_INVALID_ARGUMENT)
      : result_(result, Destroy()), status_(status) {}

  varylink_status status() const { return result_ ? varylink_result_status(result_.get()) : status_; }
  explicit operator bool() const { return status() == VARYLINK_SUCCESS; }

  // Empty unless the pipeline linked; in pipeline order.
  std::vector<Module> modules() const {
    std::vector<Module> list;
    for (std::size_t i = 0; i < varylink_result_stage_count(result_.get()); ++i) {
      auto stage = detail::sized<varylink_stage_output>();
      varylink_result_get_stage(result_.get(), i, &stage);
      list.push_back({stage.stage, {stage.words, stage.word_count}, stage.entry_point, stage.name});
    }
    return list;
  }

  std::vector<Diagnostic> diagnostics() const {
    std::vector<Diagnostic> list;
    for (std::size_t i = 0; i < varylink_result_diagnostic_count(result_.get()); ++i) {
      auto diagnostic = detail::sized<varylink_diagnostic>();
      varylink_result_get_diagnostic(result_.get(), i, &diagnostic);
      list.push_back(detail::to_cpp(diagnostic));
    }
    return list;
  }

  std::vector<Interface> interfaces() const {
    std::vector<Interface> list;
    for (std::size_t i = 0; i < varylink_result_interface_count(result_.get()); ++i) {
      auto from = detail::sized<varylink_interface>();
      varylink_result_get_interface(result_.get(), i, &from);
      list.push_back({from.producer, from.consumer, from.before, from.after, from.not_counted_before,
                      from.not_counted_after, components(i, from.component_count)});
    }
    return list;
  }

  // None unless LinkOptions::prove asked for one and the pipeline linked.
  std::optional<Proof> proof() const {
    if (varylink_result_has_proof(result_.get()) == 0) return std::nullopt;
    auto from = detail::sized<varylink_proof>();
    varylink_result_get_proof(result_.get(), &from);
    Proof to{from.verdict, from.level, from.reason, from.output_count, {}};
    for (std::size_t i = 0; i < from.finding_count; ++i) {
      auto finding = detail::sized<varylink_finding>();
      varylink_result_get_finding(result_.get(), i, &finding);
      to.findings.push_back(
          {finding.stage, finding.verdict, finding.what, finding.original, finding.linked, finding.witness});
    }
    return to;
  }

  // Of Pipeline::analyze: by interface, what is left with the best partner.
  std::vector<varylink_interface_size> bounds() const {
    std::vector<varylink_interface_size> list;
    varylink_interface_size bound = {};
    for (std::size_t i = 0; varylink_result_get_bound(result_.get(), i, &bound) == VARYLINK_SUCCESS; ++i)
      list.push_back(bound);
    return list;
  }

  std::vector<Unused> unused() const {
    std::vector<Unused> list;
    for (std::size_t i = 0; i < varylink_result_unused_count(result_.get()); ++i) {
      auto from = detail::sized<varylink_unused>();
      varylink_result_get_unused(result_.get(), i, &from);
      list.push_back({from.kind, from.set, from.number, from.location_count, from.name, from.stages,
                      from.unused_by_all != 0, from.was_used != 0});
    }
    return list;
  }

  // JSON; see varylink_result_report.
  std::string_view report() const { return result_ ? varylink_result_report(result_.get()) : ""; }

 private:
  struct Destroy {
    void operator()(const varylink_result* result) const {
      varylink_result_destroy(const_cast<varylink_result*>(result));
    }
  };

  std::vector<Component> components(std::size_t interface_index, std::size_t count) const {
    std::vector<Component> list;
    for (std::size_t i = 0; i < count; ++i) {
      auto from = detail::sized<varylink_component>();
      varylink_result_get_component(result_.get(), interface_index, i, &from);
      Component to{from.old_location,  from.old_component, {},        from.fate,          from.reason,
                   from.producer_name, from.consumer_name, from.type, from.interpolation, from.patch != 0};
      if (from.has_new != 0) to.now.emplace(from.new_location, from.new_component);
      list.push_back(std::move(to));
    }
    return list;
  }

  std::shared_ptr<const varylink_result> result_;
  varylink_status status_;
};

// One per thread. Must outlive the pipelines made from it.
class Context {
 public:
  // `message` gets each diagnostic while a pipeline is linked or checked.
  explicit Context(std::function<void(const Diagnostic&)> message = {})
      : callbacks_(std::make_unique<detail::Callbacks>()) {
    auto info = detail::sized<varylink_context_info>();
    callbacks_->message = std::move(message);
    if (callbacks_->message) info.message = detail::on_message;
    info.message_user = callbacks_.get();
    varylink_context* made = nullptr;
    status_ = detail::required(varylink_context_create(&info, &made), "");
    context_.reset(made);
  }

  // Always success in a program with exceptions.
  varylink_status status() const { return status_; }
  varylink_context* handle() const { return context_.get(); }

 private:
  friend class Pipeline;
  friend class Group;
  struct Destroy {
    void operator()(varylink_context* context) const { varylink_context_destroy(context); }
  };

  std::unique_ptr<detail::Callbacks> callbacks_;
  std::unique_ptr<varylink_context, Destroy> context_;
  varylink_status status_ = VARYLINK_SUCCESS;
};

// SPIR-V for one pipeline after the other, of any context. See varylink_module_create.
class KeptModule {
 public:
  KeptModule(Context& context, const SpirvStage& stage) {
    const varylink_spirv_stage from = detail::to_c(stage);
    varylink_context* const own = context.handle();
    varylink_module* made = nullptr;
    status_ = detail::required(varylink_module_create(own, &from, &made), own ? varylink_context_error(own) : "");
    module_ = {made, varylink_module_destroy};
  }

  // Always success in a program with exceptions.
  varylink_status status() const { return status_; }
  const varylink_module* handle() const { return module_.get(); }

 private:
  std::unique_ptr<varylink_module, void (*)(varylink_module*)> module_{nullptr, varylink_module_destroy};
  varylink_status status_ = VARYLINK_SUCCESS;
};

// The stages of one graphics pipeline.
class Pipeline {
 public:
  explicit Pipeline(Context& context, const PipelineInfo& info = {})
      : context_(context.handle()),
        context_callbacks_(context.callbacks_.get()),
        callbacks_(std::make_unique<detail::Callbacks>()) {
    auto from = detail::sized<varylink_pipeline_info>();
    from.name = detail::given(info.name);
    from.flags = info.flags;
    from.state = detail::given(info.state);
    std::vector<varylink_define> defines;
    for (const auto& [name, value] : info.defines) defines.push_back({name.c_str(), value.c_str()});
    from.defines = defines.data();
    from.define_count = static_cast<std::uint32_t>(defines.size());
    callbacks_->include = info.include;
    if (callbacks_->include) from.include = detail::on_include;
    from.include_user = callbacks_.get();
    varylink_pipeline* made = nullptr;
    status_ = require(varylink_pipeline_create(context_, &from, &made));
    pipeline_.reset(made);
  }

  // Whether the constructor could make it. Always success in a program with exceptions.
  varylink_status status() const { return status_; }

  // All throw Error for a mistake, or return it in a program without exceptions, with the pipeline as it was.
  varylink_status add_spirv(const SpirvStage& stage) {
    const varylink_spirv_stage from = detail::to_c(stage);
    return require(varylink_pipeline_add_spirv(pipeline_.get(), &from));
  }
  varylink_status add(const KeptModule& module) {
    return require(varylink_pipeline_add_module(pipeline_.get(), module.handle()));
  }
  varylink_status add_glsl(const GlslStage& stage) {
    auto from = detail::sized<varylink_glsl_stage>();
    from.stage = stage.stage;
    from.source = stage.source.empty() ? "" : stage.source.data();
    from.source_length = stage.source.size();
    from.entry_point = detail::given(stage.entry_point);
    from.name = detail::given(stage.name);
    return require(varylink_pipeline_add_glsl(pipeline_.get(), &from));
  }

  // Both can be called again. They throw Error for options that make no sense, and exceptions of callbacks. In a
  // program without exceptions the status of the outcome says so, and varylink_context_error why.
  Outcome link(const LinkOptions& options = {}) {
    std::vector<const char*> passes;
    const varylink_link_options from = detail::to_c(options, passes, *callbacks_);
    return run([&](varylink_result** result) { return varylink_link(pipeline_.get(), &from, result); });
  }
  // See varylink_analyze.
  Outcome analyze(const LinkOptions& options = {}) {
    std::vector<const char*> passes;
    const varylink_link_options from = detail::to_c(options, passes, *callbacks_);
    return run([&](varylink_result** result) { return varylink_analyze(pipeline_.get(), &from, result); });
  }
  Outcome check(const CheckOptions& options = {}) {
    auto from = detail::sized<varylink_check_options>();
    from.target_env = options.target_env;
    from.layout_flags = options.layout_flags;
    from.flags = options.flags;
    from.limits_json = detail::given(options.limits_json);
    return run([&](varylink_result** result) { return varylink_check(pipeline_.get(), &from, result); });
  }

  varylink_pipeline* handle() const { return pipeline_.get(); }

 private:
  struct Destroy {
    void operator()(varylink_pipeline* pipeline) const { varylink_pipeline_destroy(pipeline); }
  };

  varylink_status require(varylink_status status) const {
    return detail::required(status, context_ == nullptr ? "" : varylink_context_error(context_));
  }

  template <typename Work>
  Outcome run(Work work) {
    varylink_result* made = nullptr;
    const varylink_status status = work(&made);
    Outcome outcome(made, status);
    callbacks_->rethrow();
    context_callbacks_->rethrow();
    if (made == nullptr) require(status);
    return outcome;
  }

  varylink_context* context_;
  detail::Callbacks* context_callbacks_;
  std::unique_ptr<detail::Callbacks> callbacks_;
  std::unique_ptr<varylink_pipeline, Destroy> pipeline_;
  varylink_status status_ = VARYLINK_SUCCESS;
};

// Pipelines that share modules. See varylink_group.
class Group {
 public:
  explicit Group(Context& context, const GroupInfo& info = {})
      : context_(context.handle()),
        context_callbacks_(context.callbacks_.get()),
        callbacks_(std::make_unique<detail::Callbacks>()) {
    auto from = detail::sized<varylink_group_info>();
    from.sharing = info.sharing;
    from.max_variants = info.max_variants;
    varylink_group* made = nullptr;
    status_ = require(varylink_group_create(context_, &from, &made));
    group_.reset(made);
  }

  // Whether the constructor could make it. Always success in a program with exceptions.
  varylink_status status() const { return status_; }

  // All throw Error for a mistake, or return it in a program without exceptions. A pipeline with an include callback
  // has to live until link() returns.
  varylink_status add(const Pipeline& pipeline) {
    return require(varylink_group_add_pipeline(group_.get(), pipeline.handle()));
  }
  varylink_status add_invariance(const std::vector<std::string>& names) {
    std::vector<const char*> texts;
    for (const std::string& name : names) texts.push_back(name.c_str());
    return require(varylink_group_add_invariance(group_.get(), texts.data(), texts.size()));
  }

  // One outcome for each pipeline, none if the options make no sense; `report`, if it is not null, gets the report
  // about all of them.
  std::vector<Outcome> link(const LinkOptions& options = {}, std::string* report = nullptr) {
    std::vector<const char*> passes;
    const varylink_link_options from = detail::to_c(options, passes, *callbacks_);
    varylink_group_result* made = nullptr;
    const varylink_status status = varylink_group_link(group_.get(), &from, &made);
    const std::shared_ptr<varylink_group_result> result(made, varylink_group_result_destroy);
    callbacks_->rethrow();
    context_callbacks_->rethrow();
    if (made == nullptr) require(status);
    std::vector<Outcome> outcomes;
    for (std::size_t i = 0; i < varylink_group_result_count(made); ++i)
      outcomes.emplace_back(result, varylink_group_result_get(made, i));
    if (report != nullptr && made != nullptr) *report = varylink_group_result_report(made);
    return outcomes;
  }

  varylink_group* handle() const { return group_.get(); }

 private:
  struct Destroy {
    void operator()(varylink_group* group) const { varylink_group_destroy(group); }
  };

  varylink_status require(varylink_status status) const {
    return detail::required(status, context_ == nullptr ? "" : varylink_context_error(context_));
  }

  varylink_context* context_;
  detail::Callbacks* context_callbacks_;
  std::unique_ptr<detail::Callbacks> callbacks_;
  std::unique_ptr<varylink_group, Destroy> group_;
  varylink_status status_ = VARYLINK_SUCCESS;
};

}  // namespace cpp
}  // namespace varylink

#endif  // C++20
#endif
