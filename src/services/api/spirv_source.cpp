#include "api/spirv_source.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "api/convert.h"
#include "api/sized_struct.h"

namespace varylink::api {

Result<frontend::SourceText> new_source(varylink_stage stage, const char* name, const char* entry_point,
                                        const std::string& unknown) {
  const Result<std::optional<Stage>> known = stage_from_c(stage);
  if (!known) return known.error();
  frontend::SourceText source;
  source.file.stage = *known;
  source.file.entry_point = text_of(entry_point);
  source.file.path = text_of(name);
  if (source.file.path.empty()) source.file.path = *known ? std::string(short_name(**known)) : unknown;
  return source;
}

Result<frontend::SourceText> spirv_source(const varylink_spirv_stage& given, const std::string& unknown) {
  varylink_spirv_stage stage = {};
  if (!read_sized(given, stage)) return misuse("varylink_spirv_stage: bad struct_size");
  if (stage.words == nullptr || stage.word_count == 0) return misuse("varylink_spirv_stage: there are no words");
  if (stage.word_count > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(std::uint32_t))
    return misuse("varylink_spirv_stage: no memory holds that many words");
  Result<frontend::SourceText> source = new_source(stage.stage, stage.name, stage.entry_point, unknown);
  if (!source) return source.error();
  source->kind = frontend::SourceKind::spirv_binary;
  source->bytes.assign(reinterpret_cast<const char*>(stage.words), stage.word_count * sizeof(std::uint32_t));
  return source;
}

}  // namespace varylink::api
