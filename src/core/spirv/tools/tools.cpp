#include "spirv/tools/tools.h"

#include <array>
#include <spirv-tools/libspirv.hpp>

#include "base/sha256.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/call_work.h"
#include "spirv/tools/interface_extent.h"
#include "spirv/tools/known_issues.h"
#include "spirv/tools/tool_words.h"

namespace varylink::spirv {
namespace {

struct EnvRow {
  TargetEnv env;
  const char* name;  // SPIRV-Tools knows it by the same
};

// In the order of TargetEnv.
constexpr std::array<EnvRow, 6> kEnvs = {{
    {TargetEnv::vulkan1_0, "vulkan1.0"},
    {TargetEnv::vulkan1_1, "vulkan1.1"},
    {TargetEnv::vulkan1_1_spirv1_4, "vulkan1.1spv1.4"},
    {TargetEnv::vulkan1_2, "vulkan1.2"},
    {TargetEnv::vulkan1_3, "vulkan1.3"},
    {TargetEnv::vulkan1_4, "vulkan1.4"},
}};

const std::string kOldValidator = "the installed SPIRV-Tools refuse ";

// The validator makes a list of every location that an interface takes, and is out of memory before it is at the end of
// some. Devices have 32 or a few more.
constexpr std::uint64_t kLargestInterface = 1u << 16;

// A chain of some 5,800 functions, for which the validator takes a second; it takes half a minute for 16,000.
constexpr std::uint64_t kMostCallWork = std::uint64_t{1} << 25;

// None if the SPIRV-Tools that are linked in are older than it.
std::optional<spv_target_env> spv_env_of(TargetEnv env) {
  spv_target_env result{};
  if (!spvParseTargetEnv(std::string(name_of(env)).c_str(), &result)) return std::nullopt;
  return result;
}

std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the first "[VUID-...]" out of the text and returns what stood between the brackets.
std::string take_vuid(std::string& text) {
  const std::size_t begin = text.find("[VUID-");
  if (begin == std::string::npos) return {};
  const std::size_t end = text.find(']', begin);
  if (end == std::string::npos) return {};
  std::string vuid = text.substr(begin + 1, end - begin - 1);
  text.erase(begin, end + 1 - begin);
  return vuid;
}

// The tools write a sentence with a full stop and put the instruction concerned on the next line. A diagnostic is one
// line: "sentence: instruction".
std::string one_line(std::string_view text) {
  std::string out;
  text = trim(text);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = trim(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty()) continue;
    if (!out.empty()) {
      if (out.back() == '.') out.pop_back();
      out += ": ";
    }
    out += line;
  }
  if (!out.empty() && out.back() == '.') out.pop_back();
  return out;
}

// The first error that SPIRV-Tools reports.
struct FirstError {
  std::string message;
  std::size_t line = 0;  // 0-based, only set by the assembler

  spvtools::MessageConsumer consumer() {
    return [this](spv_message_level_t level, const char*, const spv_position_t& position, const char* text) {
      if (level > SPV_MSG_ERROR || !message.empty()) return;
      message = text ? text : "";
      line = position.line;
    };
  }
};

std::string validation_key(std::span<const std::uint32_t> words, const ValidatorOptions& options) {
  Sha256 hash;
  hash.add(std::string_view("valid"));
  hash.add(tools_version());
  hash.add(name_of(options.env));
  for (const bool relaxed : {options.scalar_block_layout, options.uniform_buffer_standard_layout,
                             options.relax_block_layout, options.allow_localsizeid})
    hash.add(std::uint64_t{relaxed});
  hash.add(words);
  return hash.hex();
}

// `first` may be null.
bool passes_validator(const std::vector<std::uint32_t>& words, const ValidatorOptions& options, bool friendly_names,
                      FirstError* first) {
  spvtools::ValidatorOptions validator;
  validator.SetScalarBlockLayout(options.scalar_block_layout);
  validator.SetUniformBufferStandardLayout(options.uniform_buffer_standard_layout);
  validator.SetRelaxBlockLayout(options.relax_block_layout);
  validator.SetAllowLocalSizeId(options.allow_localsizeid);
  validator.SetFriendlyNames(friendly_names);
  spvtools::SpirvTools tools(spv_env_of(options.env).value());
  if (first)
    tools.SetMessageConsumer(first->consumer());
  else
    tools.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  return tools.Validate(words.data(), words.size(), validator);
}

Diagnostic first_error(const std::vector<std::uint32_t>& words, const ValidatorOptions& options, const FileRef& file) {
  FirstError first;
  passes_validator(words, options, true, &first);
  std::string vuid = take_vuid(first.message);
  std::string message = one_line(first.message);
  if (message.empty()) message = "the module is not valid";
  return make_error(ErrorKind::invalid_spirv, file, std::move(message), std::move(vuid));
}

struct LayoutRelaxation {
  bool ValidatorOptions::*is_on;
  const char* advice;
};

// From what takes the fewest layouts to what takes the most.
constexpr LayoutRelaxation kRelaxations[] = {
    {&ValidatorOptions::relax_block_layout, "--relax-block-layout, if the device has VK_KHR_relaxed_block_layout"},
    {&ValidatorOptions::uniform_buffer_standard_layout,
     "--uniform-buffer-standard-layout, if the device has uniformBufferStandardLayout"},
    {&ValidatorOptions::scalar_block_layout, "--scalar-block-layout, if the device has scalarBlockLayout"},
};

// With the option that takes the layout, if that is what the error is about.
Diagnostic with_advice_on_layout(Diagnostic error, const std::vector<std::uint32_t>& words,
                                 const ValidatorOptions& options) {
  if (error.message.find("layout rules") == std::string::npos) return error;
  for (const LayoutRelaxation& relaxation : kRelaxations) {
    ValidatorOptions relaxed = options;
    relaxed.*relaxation.is_on = true;
    if (relaxed == options || !passes_validator(words, relaxed, false, nullptr)) continue;
    error.message += " (taken with " + std::string(relaxation.advice) + ")";
    break;
  }
  return error;
}

// Whether the issue of the SPIRV-Tools that are linked in may be behind the error.
bool may_be_behind(const KnownIssue& issue, const Diagnostic& error) {
  return (issue.vuid.empty() || issue.vuid == error.vuid) && error.message.find(issue.message) != std::string::npos &&
         has_issue(tools_release(), issue);
}

// The known issue that is behind the error, nullptr if there is none. What it is about is gone from the words then.
const KnownIssue* take_out_issue(const Diagnostic& error, std::vector<std::uint32_t>& words, const FileRef& file) {
  for (const KnownIssue& issue : known_issues()) {
    if (!may_be_behind(issue, error)) continue;
    Result<Module> module = read_module(words, file);
    if (!module || !issue.take_out(*module)) continue;
    words = write_module(*module);
    return &issue;
  }
  return nullptr;
}

// The version in the comments that disassemblers put at the head of a listing: "; Version: 1.3".
std::optional<spv_target_env> stated_version(std::string_view text) {
  constexpr std::array kVersions = {SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2,
                                    SPV_ENV_UNIVERSAL_1_3, SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5,
                                    SPV_ENV_UNIVERSAL_1_6};
  constexpr std::string_view kName = "Version:";
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = trim(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty()) continue;
    if (line.front() != ';') return std::nullopt;
    line = trim(line.substr(1));
    if (!line.starts_with(kName)) continue;
    line = trim(line.substr(kName.size()));
    const bool known = line.size() == 3 && line.starts_with("1.") && line[2] >= '0' &&
                       static_cast<std::size_t>(line[2] - '0') < kVersions.size();
    if (known) return kVersions[static_cast<std::size_t>(line[2] - '0')];
  }
  return std::nullopt;
}

}  // namespace

std::optional<TargetEnv> target_env_from_name(std::string_view name) {
  for (const EnvRow& row : kEnvs)
    if (row.name == name) return row.env;
  return std::nullopt;
}

std::vector<std::string> target_env_names() {
  std::vector<std::string> names;
  for (const EnvRow& row : kEnvs) names.emplace_back(row.name);
  return names;
}

std::string_view name_of(TargetEnv env) { return kEnvs[static_cast<std::size_t>(env)].name; }

Result<void> require_known(TargetEnv env) {
  if (spv_env_of(env)) return {};
  return make_error(
      ErrorKind::usage, "",
      validator_name() + ", which this varylink was built with, does not know " + std::string(name_of(env)));
}

Result<Diagnostics> validate(std::span<const std::uint32_t> words, const ValidatorOptions& options, const FileRef& file,
                             const WordsOfStage& own) {
  const std::string key = own.known ? validation_key(words, options) : std::string();
  if (own.known && own.known->knows(own.stage, key)) return Diagnostics();
  if (const std::uint64_t size = largest_interface_variable(words); size > kLargestInterface)
    return make_error(ErrorKind::invalid_spirv, file,
                      "an input or output has more than " + std::to_string(kLargestInterface) + " elements");
  if (call_work(words) > kMostCallWork)
    return make_error(ErrorKind::invalid_spirv, file,
                      "functions call each other more deeply than the validator can take in reasonable time");
  std::vector<std::uint32_t> readable = with_known_languages(words);
  // Making up names takes as long as a third of the validation, and nobody reads those of a valid module.
  if (passes_validator(readable, options, false, nullptr)) {
    if (own.known) own.known->add(own.stage, key);
    return Diagnostics();
  }
  Diagnostics warnings;
  Diagnostic before;  // the last message that a known issue was behind, and the issue
  const KnownIssue* behind = nullptr;
  while (true) {
    Diagnostic error = first_error(readable, options, file);
    const KnownIssue* issue = options.known_issues_are_errors ? nullptr : take_out_issue(error, readable, file);
    // Where it stays although it is not about that, its places are those of the module as it came.
    if (!issue)
      return behind && may_be_behind(*behind, error) ? before : with_advice_on_layout(error, readable, options);
    before = error;
    behind = issue;
    const std::string what = std::string(issue->refused) + ", which " + std::string(issue->fixed_in) + " takes: ";
    warnings.push_back(make_warning(file, kOldValidator + what + error.message, error.vuid));
    if (passes_validator(readable, options, false, nullptr)) return warnings;
  }
}

std::string tools_version() { return spvSoftwareVersionDetailsString(); }

std::string tools_release() { return spvSoftwareVersionString(); }

bool is_of_validator(const Diagnostic& diagnostic) {
  return diagnostic.kind == ErrorKind::invalid_spirv || diagnostic.message.starts_with(kOldValidator);
}

std::string validator_name() { return "SPIRV-Tools " + tools_release(); }

Result<std::vector<std::uint32_t>> assemble(std::string_view text, TargetEnv env, const FileRef& file) {
  FirstError first;
  spvtools::SpirvTools tools(stated_version(text).value_or(spv_env_of(env).value()));
  tools.SetMessageConsumer(first.consumer());
  std::vector<std::uint32_t> words;
  if (tools.Assemble(text.data(), text.size(), &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS)) return words;
  std::string message = one_line(first.message);
  if (message.empty()) message = "the assembly cannot be read";
  Diagnostic error = make_error(ErrorKind::invalid_spirv, file, std::move(message));
  error.line = static_cast<int>(first.line) + 1;
  return error;
}

std::string disassemble(std::span<const std::uint32_t> words) {
  std::string text;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  const std::uint32_t options =
      SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES | SPV_BINARY_TO_TEXT_OPTION_INDENT;
  const std::vector<std::uint32_t> known = with_known_languages(words);
  if (!tools.Disassemble(known.data(), known.size(), &text, options)) return {};
  return text;
}

}  // namespace varylink::spirv
