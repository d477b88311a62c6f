#include "fuzz/case_text.h"

namespace varylink::fuzz {

std::string case_text(const Candidate& candidate, const CheckResult& result) {
  std::string text =
      ";; Found by the generator (" + candidate.name + "): " + std::string(name_of(result.failure)) + ". ";
  text += result.detail + "\n;; link: " + (result.level.empty() ? std::string("-O2") : result.level);
  text += candidate.state.shared_spec_constants ? " --shared-spec-constants\n" : "\n";
  for (const SourceText& source : candidate.sources) {
    text += "== " + std::string(short_name(source.stage)) + (source.is_assembly ? " spvasm" : "") + "\n" + source.text;
    if (text.back() != '\n') text += '\n';
  }
  return text + "== expect status\nok\n";
}

}  // namespace varylink::fuzz
