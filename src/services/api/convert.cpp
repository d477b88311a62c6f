#include "api/convert.h"

#include <string>
#include <string_view>
#include <utility>

#include "api/sized_struct.h"
#include "link/model/link_flags.h"
#include "passes/pass.h"

namespace varylink::api {
namespace {

Result<spirv::ValidatorOptions> validator_from_c(varylink_target_env env, std::uint32_t layout_flags) {
  constexpr std::uint32_t kAll = VARYLINK_LAYOUT_SCALAR_BLOCK | VARYLINK_LAYOUT_UNIFORM_BUFFER_STANDARD |
                                 VARYLINK_LAYOUT_RELAX_BLOCK | VARYLINK_LAYOUT_ALLOW_LOCALSIZEID;
  spirv::ValidatorOptions options;
  switch (env) {
    case VARYLINK_TARGET_ENV_VULKAN_1_0: options.env = spirv::TargetEnv::vulkan1_0; break;
    case VARYLINK_TARGET_ENV_VULKAN_1_1: options.env = spirv::TargetEnv::vulkan1_1; break;
    case VARYLINK_TARGET_ENV_VULKAN_1_1_SPIRV_1_4: options.env = spirv::TargetEnv::vulkan1_1_spirv1_4; break;
    case VARYLINK_TARGET_ENV_VULKAN_1_2: options.env = spirv::TargetEnv::vulkan1_2; break;
    case VARYLINK_TARGET_ENV_DEFAULT:
    case VARYLINK_TARGET_ENV_VULKAN_1_3: options.env = spirv::TargetEnv::vulkan1_3; break;
    case VARYLINK_TARGET_ENV_VULKAN_1_4: options.env = spirv::TargetEnv::vulkan1_4; break;
    default: return misuse("target_env is not one of varylink_target_env");
  }
  if (const Result<void> known = spirv::require_known(options.env); !known) return known.error();
  if ((layout_flags & ~kAll) != 0) return misuse("layout_flags has bits that mean nothing");
  options.scalar_block_layout = (layout_flags & VARYLINK_LAYOUT_SCALAR_BLOCK) != 0;
  options.uniform_buffer_standard_layout = (layout_flags & VARYLINK_LAYOUT_UNIFORM_BUFFER_STANDARD) != 0;
  options.relax_block_layout = (layout_flags & VARYLINK_LAYOUT_RELAX_BLOCK) != 0;
  options.allow_localsizeid = (layout_flags & VARYLINK_LAYOUT_ALLOW_LOCALSIZEID) != 0;
  return options;
}

Result<link::Level> level_from_c(varylink_level level) {
  switch (level) {
    case VARYLINK_LEVEL_CHECK: return link::Level::check;
    case VARYLINK_LEVEL_EXACT: return link::Level::exact;
    case VARYLINK_LEVEL_DEFAULT:
    case VARYLINK_LEVEL_FULL: return link::Level::motion;
    case VARYLINK_LEVEL_DISCONTINUOUS: return link::Level::discontinuous;
    default: return misuse("level is not one of varylink_level");
  }
}

Result<std::vector<std::string>> passes_from_c(const varylink_link_options& options) {
  std::vector<std::string> names;
  if (options.pass_count != 0 && options.passes == nullptr) return misuse("passes is NULL and pass_count is not 0");
  for (std::size_t i = 0; i < options.pass_count; ++i) {
    const std::string name = text_of(options.passes[i]);
    const passes::PassInfo* pass = passes::find_pass(name);
    if (pass == nullptr) return misuse("there is no pass '" + name + "'");
    names.emplace_back(pass->name);
  }
  return names;
}

// The bit of each of link::link_flags().
constexpr std::pair<std::uint32_t, std::string_view> kLinkFlags[] = {
    {VARYLINK_LINK_STRIP_UNUSED_RESOURCES, "--strip-unused-resources"},
    {VARYLINK_LINK_STRIP_UNUSED_ATTRIBUTES, "--strip-unused-attributes"},
    {VARYLINK_LINK_VALIDATE_EACH_PASS, "--validate-each-pass"},
    {VARYLINK_LINK_PACK_BESIDE_ARRAYS, "--pack-beside-arrays"},
    {VARYLINK_LINK_PORTABLE, "--portable"},
    {VARYLINK_LINK_ALLOW_DISCONTINUOUS, "--allow-discontinuous"},
    {VARYLINK_LINK_NO_DEARER_STAGE, "--no-costlier-stage"},
    {VARYLINK_LINK_STRICT, "--strict"},
    {VARYLINK_LINK_KEEP_SPEC_IDS, "--keep-spec-ids"}};

// False for a bit that means nothing.
bool set_flags(std::uint32_t flags, link::LinkOptions& options) {
  std::uint32_t known = VARYLINK_LINK_LIMIT_FUEL | VARYLINK_LINK_NO_REPORT;
  for (const auto& [bit, option] : kLinkFlags) {
    known |= bit;
    options.*link::find_link_flag(option)->member = (flags & bit) != 0;
  }
  return (flags & ~known) == 0;
}

// None for NULL.
Result<std::optional<analysis::CostProfile>> profile_from_c(const char* text) {
  if (text == nullptr) return std::optional<analysis::CostProfile>();
  if (const analysis::CostProfile* built_in = analysis::find_profile(text)) return std::optional(*built_in);
  Result<analysis::CostProfile> profile = analysis::parse_profile(text, "cost_profile");
  if (!profile) return profile.error();
  return std::optional(std::move(*profile));
}

}  // namespace

Diagnostic misuse(std::string message) { return make_error(ErrorKind::usage, "", std::move(message)); }

varylink_status status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::none: return VARYLINK_SUCCESS;
    case ErrorKind::usage: return VARYLINK_ERROR_INVALID_PIPELINE;
    case ErrorKind::io: return VARYLINK_ERROR_INTERNAL;  // nothing here reads or writes files
    case ErrorKind::glsl: return VARYLINK_ERROR_GLSL;
    case ErrorKind::invalid_spirv: return VARYLINK_ERROR_INVALID_SPIRV;
    case ErrorKind::interface_mismatch: return VARYLINK_ERROR_INTERFACE_MISMATCH;
    case ErrorKind::verification_failed: return VARYLINK_ERROR_VERIFICATION_FAILED;
    case ErrorKind::interrupted: return VARYLINK_ERROR_INTERRUPTED;
  }
  return VARYLINK_ERROR_INTERNAL;
}

varylink_stage to_c(std::optional<Stage> stage) {
  return stage ? static_cast<varylink_stage>(static_cast<int>(*stage) + 1) : VARYLINK_STAGE_UNKNOWN;
}

varylink_fate to_c(link::Outcome outcome) {
  switch (outcome) {
    case link::Outcome::kept: return VARYLINK_FATE_KEPT;
    case link::Outcome::dead: return VARYLINK_FATE_DEAD;
    case link::Outcome::constant: return VARYLINK_FATE_CONSTANT;
    case link::Outcome::uniform: return VARYLINK_FATE_UNIFORM;
    case link::Outcome::duplicate: return VARYLINK_FATE_DUPLICATE;
    case link::Outcome::moved: return VARYLINK_FATE_MOVED;
  }
  return VARYLINK_FATE_KEPT;
}

varylink_diagnostic to_c(const varylink_result::Found& found) {
  const Diagnostic& from = found.diagnostic;
  varylink_diagnostic to = {};
  to.struct_size = sizeof(to);
  to.severity = from.severity == Severity::error     ? VARYLINK_SEVERITY_ERROR
                : from.severity == Severity::warning ? VARYLINK_SEVERITY_WARNING
                                                     : VARYLINK_SEVERITY_NOTE;
  to.stage = to_c(found.stage);
  to.file = from.file.c_str();
  to.line = static_cast<std::uint32_t>(from.line);
  to.location = from.location.c_str();
  to.vuid = from.vuid.c_str();
  to.rule = found.rule;
  to.message = from.message.c_str();
  return to;
}

Result<std::optional<Stage>> stage_from_c(varylink_stage stage) {
  if (stage == VARYLINK_STAGE_UNKNOWN) return std::optional<Stage>();
  if (stage < VARYLINK_STAGE_VERTEX || stage > VARYLINK_STAGE_FRAGMENT)
    return misuse("stage is not one of varylink_stage");
  return std::optional(static_cast<Stage>(stage - 1));
}

Result<LinkRequest> options_from_c(const varylink_link_options* given) {
  varylink_link_options options = {};
  if (given != nullptr && !read_sized(*given, options)) return misuse("varylink_link_options: bad struct_size");
  LinkRequest request;
  if (!set_flags(options.flags, request.options))
    return misuse("varylink_link_options: flags has bits that mean nothing");
  Result<std::optional<analysis::CostProfile>> profile = profile_from_c(options.cost_profile);
  if (!profile) return profile.error();
  request.profile = std::move(*profile);
  link::LinkOptions& result = request.options;
  if (request.profile) result.profile = *request.profile;
  const Result<link::Level> level = level_from_c(options.level);
  if (!level) return level.error();
  result.level = *level;
  if (options.prove < VARYLINK_PROVE_NOTHING || options.prove > VARYLINK_PROVE_FALLBACK)
    return misuse("varylink_link_options: prove is no varylink_prove");
  request.prove = options.prove;
  const Result<spirv::ValidatorOptions> validator = validator_from_c(options.target_env, options.layout_flags);
  if (!validator) return validator.error();
  result.validator = *validator;
  Result<std::vector<std::string>> passes = passes_from_c(options);
  if (!passes) return passes.error();
  result.passes = std::move(*passes);
  if ((options.flags & VARYLINK_LINK_LIMIT_FUEL) != 0) result.fuel = options.fuel;
  request.has_report = (options.flags & VARYLINK_LINK_NO_REPORT) == 0;
  if (options.interrupted != nullptr)
    result.interrupted = [asked = options.interrupted, user = options.interrupt_user] { return asked(user) != 0; };
  if (options.dump != nullptr)
    result.dump = [dump = options.dump, user = options.dump_user](const std::string& pass, Stage stage,
                                                                  const std::vector<std::uint32_t>& words) {
      dump(user, pass.c_str(), to_c(stage), words.data(), words.size());
    };
  return request;
}

Result<check::CheckOptions> options_from_c(const varylink_check_options* given) {
  constexpr std::uint32_t kAll = VARYLINK_CHECK_MAINTENANCE4 | VARYLINK_CHECK_PIPELINE_LIBRARY;
  varylink_check_options options = {};
  if (given != nullptr && !read_sized(*given, options)) return misuse("varylink_check_options: bad struct_size");
  if ((options.flags & ~kAll) != 0) return misuse("varylink_check_options: flags has bits that mean nothing");
  check::CheckOptions result;
  const Result<spirv::ValidatorOptions> validator = validator_from_c(options.target_env, options.layout_flags);
  if (!validator) return validator.error();
  result.validator = *validator;
  result.maintenance4 = (options.flags & VARYLINK_CHECK_MAINTENANCE4) != 0;
  result.pipeline_library = (options.flags & VARYLINK_CHECK_PIPELINE_LIBRARY) != 0;
  if (options.limits_json == nullptr) return result;
  const Result<check::Limits> limits = check::parse_limits(options.limits_json, "limits_json");
  if (!limits) return limits.error();
  result.limits = *limits;
  return result;
}

}  // namespace varylink::api
