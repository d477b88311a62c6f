#include "link/model/linked_stage.h"

#include <algorithm>
#include <atomic>

namespace varylink::link {

void LinkedStage::note_change() {
  static std::atomic<std::uint64_t> last = 0;
  revision = ++last;
}

bool LinkedStage::is_one_function() const {
  return std::all_of(module.functions.begin(), module.functions.end(), [&](const spirv::Function& function) {
    return function.result == entry.function ||
           std::find(kept_functions.begin(), kept_functions.end(), function.result) != kept_functions.end();
  });
}

void LinkedStage::clean_up(std::span<const spirv::CleanUp> steps) {
  std::optional<spirv::Module> cleaned = spirv::run_clean_up(module, steps, kept_globals, {tool_cache, stage});
  if (!cleaned) return;
  const auto found = varyings::find_entry(*cleaned, stage, entry.name, file);
  if (!found) return;
  module = std::move(*cleaned);
  entry = *found;
  note_change();
}

}  // namespace varylink::link
