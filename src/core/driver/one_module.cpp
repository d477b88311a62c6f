#include "driver/one_module.h"

#include <algorithm>

#include "spirv/entry_points/extract_entry.h"
#include "spirv/entry_points/import_entries.h"
#include "spirv/ir/stage.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"

namespace varylink::driver {
namespace {

using link::StageInput;
using link::StageOutput;

const StageInput& input_of(const std::vector<StageInput>& inputs, Stage stage) {
  return *std::find_if(inputs.begin(), inputs.end(), [&](const StageInput& input) { return input.stage == stage; });
}

// An empty name is the only entry point of the stage.
bool is_entry_of(const spirv::EntryPoint& entry, const StageInput& input) {
  return entry.model == static_cast<spv::ExecutionModel>(execution_model(input.stage)) &&
         (input.entry_point.empty() || entry.name == input.entry_point);
}

}  // namespace

bool came_as_one(const std::vector<StageInput>& stages) {
  const auto words_as_they_came = [](const StageInput& stage) -> const std::vector<std::uint32_t>& {
    return stage.unspecialized.empty() ? stage.words : stage.unspecialized;
  };
  return stages.size() > 1 && std::all_of(stages.begin(), stages.end(), [&](const StageInput& stage) {
           return stage.file == stages.front().file && words_as_they_came(stage) == words_as_they_came(stages.front());
         });
}

Result<std::vector<std::uint32_t>> one_module(const std::vector<StageInput>& inputs,
                                              const std::vector<StageOutput>& linked,
                                              const spirv::ValidatorOptions& validator) {
  const StageInput& first = input_of(inputs, linked.front().stage);
  Result<spirv::Module> whole = spirv::read_module(linked.front().words, first.file);
  if (!whole) return whole.error();
  spirv::keep_entries(*whole, [&](const spirv::EntryPoint& entry) {
    return std::none_of(linked.begin() + 1, linked.end(),
                        [&](const StageOutput& other) { return is_entry_of(entry, input_of(inputs, other.stage)); });
  });
  for (auto stage = linked.begin() + 1; stage != linked.end(); ++stage) {
    const StageInput& input = input_of(inputs, stage->stage);
    Result<spirv::Module> own = spirv::read_module(stage->words, input.file);
    if (!own) return own.error();
    spirv::keep_entries(*own, [&](const spirv::EntryPoint& entry) { return is_entry_of(entry, input); });
    spirv::import_other_entries(*whole, *own, static_cast<spv::ExecutionModel>(execution_model(first.stage)),
                                first.entry_point);
  }
  std::vector<std::uint32_t> words = spirv::write_module(*whole);
  if (const auto valid = spirv::validate(words, validator, first.file); !valid)
    return make_error(ErrorKind::verification_failed, first.file,
                      "the linked module is not valid: " + valid.error().message, valid.error().vuid);
  return words;
}

}  // namespace varylink::driver
