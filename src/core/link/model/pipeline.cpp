#include "link/model/pipeline.h"

#include "spirv/tools/foreign_reader.h"

namespace varylink::link {

Result<spirv::Module> module_of(const StageInput& input, const FileRef& file) {
  if (input.read) return *input.read;
  return spirv::read_with_foreign(input.words, file);
}

}  // namespace varylink::link
