#include "cli/settings/linked_results.h"

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/strict_json.h"
#include "frontend/read_file.h"
#include "platform/file_system.h"
#include "platform/path.h"
#include "spirv/tools/binary.h"

namespace varylink::cli {
namespace {

using formats::Words;
using formats::gfxreconstruct::Capture;
using formats::gfxreconstruct::CapturedPipeline;
using formats::gfxreconstruct::LinkedPipelines;

// Files of stages by pipeline.
using Outputs = std::map<std::string, std::map<Stage, std::string>>;

Outputs outputs_in_folder(const std::string& folder, const Capture& capture) {
  Outputs outputs;
  for (const CapturedPipeline& each : capture.pipelines)
    for (const auto& stage : each.pipeline.stages) {
      const std::string name = each.key + "/" + std::string(short_name(stage.stage)) + ".spv";
      const std::string path = platform::joined(folder, name);
      if (!each.key.empty() && platform::kind_of(path) == platform::FileKind::regular)
        outputs[each.key][stage.stage] = path;
    }
  return outputs;
}

Result<Outputs> outputs_in_report(const std::string& file) {
  const Result<std::string> text = frontend::read_large_file(file);
  if (!text) return text.error();
  Outputs outputs;
  JsonProblem problem;
  if (const auto json = parse_json(*text, problem)) {
    const auto pipelines = StrictJson(*json, problem).need("pipelines");
    if (pipelines)
      for (const StrictJson& pipeline : pipelines->elements()) {
        const auto name = pipeline.need("name"), stages = pipeline.need("stages");
        if (!name || !stages) break;
        for (const StrictJson& each : stages->elements()) {
          const auto stage = each.need("stage"), output = each.need("output");
          const auto known = stage ? stage_from_short_name(stage->text()) : std::nullopt;
          if (known && output && !output->is_null()) outputs[name->text()][*known] = output->text();
        }
      }
  }
  if (!problem.message.empty()) return json_error(*text, file, problem);
  return outputs;
}

// Modules by file: many pipelines share one.
class LinkedModules {
 public:
  Result<std::shared_ptr<const Words>> read(const std::string& file, const spirv::ValidatorOptions& target) {
    std::shared_ptr<const Words>& known = by_file_[{file, formats::options_text(target)}];
    if (known) return known;
    const Result<std::string> bytes = frontend::read_file(file);
    if (!bytes) return bytes.error();
    Result<Words> words = spirv::words_from_bytes(*bytes, file);
    if (!words) return words.error();
    if (const auto valid = spirv::validate(*words, target, file); !valid) return valid.error();
    known = std::make_shared<const Words>(std::move(*words));
    return known;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Words>> by_file_;
};

}  // namespace

Result<LinkedPipelines> read_linked_results(const std::string& from, const Capture& capture) {
  const Result<Outputs> outputs =
      platform::is_folder(from) ? Result<Outputs>(outputs_in_folder(from, capture)) : outputs_in_report(from);
  if (!outputs) return outputs.error();
  LinkedPipelines linked;
  LinkedModules modules;
  for (const CapturedPipeline& each : capture.pipelines) {
    const auto found = outputs->find(each.key);
    if (each.key.empty() || found == outputs->end() || linked.count(each.key) != 0) continue;
    std::map<Stage, std::shared_ptr<const Words>> results;
    for (const auto& stage : each.pipeline.stages) {
      const auto file = found->second.find(stage.stage);
      if (file == found->second.end()) break;
      Result<std::shared_ptr<const Words>> words = modules.read(file->second, each.target);
      if (!words) return words.error();
      results[stage.stage] = std::move(*words);
    }
    if (results.size() == each.pipeline.stages.size()) linked[each.key] = std::move(results);
  }
  if (!linked.empty()) return linked;
  return make_error(ErrorKind::usage, from,
                    "has no result for a pipeline of the capture: link what `varylink import` wrote");
}

}  // namespace varylink::cli
