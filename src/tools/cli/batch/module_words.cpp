#include "cli/batch/module_words.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "cli/files/output_files.h"

namespace varylink::cli {

void ModuleWords::keep(std::size_t module, std::vector<std::uint32_t> words) {
  Kept kept{file_.append(bytes_of(words)), {}};
  if (!kept.place) kept.words = std::move(words);
  kept_.insert_or_assign(module, std::move(kept));
}

std::vector<std::uint32_t> ModuleWords::words(std::size_t module) const {
  const Kept& kept = kept_.at(module);
  if (!kept.place) return kept.words;
  const std::optional<std::string> bytes = file_.read(*kept.place);
  if (!bytes) throw std::runtime_error("a temporary file cannot be read back");
  std::vector<std::uint32_t> words(bytes->size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes->data(), bytes->size());
  return words;
}

}  // namespace varylink::cli
