#include "fuzz/case_text.h"

#include "spirv/tools/tools.h"

namespace varylink::fuzz {
namespace {

// What GLSL cannot say, or not for the version of SPIR-V that cases are compiled for, is printed as assembly.
std::string assembly_of(const SourceText& source) {
  const bool as_it_is = source.is_assembly || (source.edits.empty() && source.env == spirv::TargetEnv::vulkan1_3);
  if (as_it_is) return {};
  const Result<std::vector<std::uint32_t>> words = words_of(source, "case");
  return words ? spirv::disassemble(*words) : std::string();
}

std::string commented(const std::string& source) {
  std::string text = "; before edits:\n; ";
  for (const char c : source) text += c == '\n' ? std::string("\n; ") : std::string(1, c);
  return text + "\n";
}

}  // namespace

std::string case_text(const Candidate& candidate, const CheckResult& result) {
  std::string text =
      ";; Found by the generator (" + candidate.name + "): " + std::string(name_of(result.failure)) + ". ";
  text += result.detail + "\n;; link: " + (result.level.empty() ? std::string("-O2") : result.level);
  for (const auto& [number, value] : candidate.specialization)
    text += " --spec " + std::to_string(number) + "=" + value;
  text += "\n";
  if (!candidate.layout.empty()) text += ";; layout: " + candidate.layout + "\n";
  if (candidate.state != state::PipelineState{}) text += ";; state: " + state::to_json(candidate.state) + "\n";
  for (const SourceText& source : candidate.sources) {
    const std::string assembly = assembly_of(source);
    const bool is_assembly = source.is_assembly || !assembly.empty();
    text += "== " + std::string(short_name(source.stage)) + (is_assembly ? " spvasm" : "") + "\n";
    text += assembly.empty() ? source.text : commented(source.text) + assembly;
    if (text.back() != '\n') text += '\n';
  }
  return text + "== expect status\nok\n";
}

}  // namespace varylink::fuzz
