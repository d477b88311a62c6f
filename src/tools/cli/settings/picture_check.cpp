#include "cli/settings/picture_check.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/settings/number_option.h"

#ifdef VARYLINK_HAVE_VULKAN
#include "verify/png.h"
#include "verify/worker.h"
#endif

namespace varylink::cli {
namespace {

int badness(int status) {
  constexpr std::array kFromGood = {0, kStatusNotCovered, kStatusDifferent, kStatusNoDriver};
  const auto place = std::find(kFromGood.begin(), kFromGood.end(), status);
  return place == kFromGood.end() ? 100 + status : static_cast<int>(place - kFromGood.begin());
}

}  // namespace

int worse_status(int a, int b) { return badness(a) >= badness(b) ? a : b; }

void declare_pictures(CLI::App& app, PictureOptions& options, const char* group) {
  add_number(app, "--seed", options.seed, "seed of all made-up inputs")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  add_number(app, "--runs", options.runs, "pictures per pipeline, each with inputs made another way", {{1, 1000}})
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  add_number(app, "--size", options.size, "width and height of the pictures in pixels", {{8, 1024}})
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  add_number(app, "--time-limit", options.time_limit_s, "seconds that a driver gets for one pipeline", {{0.1, 86400.0}})
      ->type_name("S")
      ->capture_default_str()
      ->group(group);
  app.add_option("--png", options.png_folder, "write pictures of the first run and of every run that differs")
      ->type_name("DIR")
      ->group(group);
}

std::vector<link::StageInput> linked_stages(const link::LinkedPipeline& linked, const link::PipelineInput& original) {
  std::vector<link::StageInput> result;
  for (const link::StageOutput& output : linked.stages) {
    link::StageInput stage{output.stage, "linked." + std::string(short_name(output.stage)), output.words, ""};
    for (const link::StageInput& input : original.stages)
      if (input.stage == output.stage) stage.entry_point = input.entry_point;
    result.push_back(std::move(stage));
  }
  return result;
}

#ifdef VARYLINK_HAVE_VULKAN

namespace {

using nlohmann::ordered_json;
using verify::Verdict;

int status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::identical:
    case Verdict::within_tolerance: return 0;
    case Verdict::different: return kStatusDifferent;
    default: return kStatusNotCovered;
  }
}

ordered_json json_of(const verify::RunResult& run) {
  ordered_json json{{"strategy", run.strategy},
                    {"verdict", name_of(run.verdict)},
                    {"informative", run.informative},
                    {"pixels", run.pixels},
                    {"addedPixels", run.added_pixels},
                    {"differingPixels", run.differing_pixels},
                    {"beyondTolerance", run.beyond_tolerance},
                    {"atDiscontinuity", run.at_discontinuity},
                    {"unstablePixels", run.unstable_pixels},
                    {"nanPixels", run.nan_pixels},
                    {"largestAbsolute", run.largest_absolute},
                    {"largestRelative", run.largest_relative},
                    {"differingBuffers", run.differing_buffers},
                    {"nondeterministic", run.nondeterministic}};
  if (run.affine) json["affine"] = *run.affine;
  return json;
}

ordered_json json_of(const std::string& name, const verify::Comparison& comparison) {
  ordered_json json{{"name", name},
                    {"verdict", name_of(comparison.verdict)},
                    {"reason", comparison.reason},
                    {"runs", ordered_json::array()},
                    {"pictures", comparison.pictures}};
  for (const verify::RunResult& run : comparison.runs) json["runs"].push_back(json_of(run));
  if (!comparison.not_drawn.empty()) json["notDrawn"] = comparison.not_drawn;
  if (!comparison.validation_messages.empty()) json["validationMessages"] = comparison.validation_messages;
  return json;
}

}  // namespace

struct PictureCheck::State {
  verify::Worker worker;
  verify::VerifyOptions options;
  ordered_json pipelines = ordered_json::array();
  std::map<Verdict, int> counts;
  int status = 0;
};

Result<PictureCheck> PictureCheck::start(const PictureOptions& options) {
  if (!options.png_folder.empty())
    if (const Result<void> able = verify::can_write_pictures(); !able) return able.error();
  Result<verify::Worker> worker = verify::Worker::start();
  if (!worker) return worker.error();
  verify::VerifyOptions verify_options;
  verify_options.seed = options.seed;
  verify_options.runs = options.runs;
  verify_options.width = verify_options.height = options.size;
  verify_options.png_folder = options.png_folder;
  verify_options.time_limit_s = options.time_limit_s;
  auto state = std::unique_ptr<State>(new State{std::move(*worker), verify_options, ordered_json::array(), {}, 0});
  return PictureCheck(std::move(state));
}

std::string PictureCheck::compare(const std::string& name, const state::PipelineState& state, link::Level level,
                                  const std::vector<link::StageInput>& original,
                                  const std::vector<link::StageInput>& linked) {
  state_->options.name = name;
  state_->options.state = state;
  state_->options.level = level;
  const verify::Comparison comparison = state_->worker.compare(original, linked, state_->options);
  state_->status = worse_status(state_->status, status_of(comparison.verdict));
  ++state_->counts[comparison.verdict];
  state_->pipelines.push_back(json_of(name, comparison));
  std::string text = comparison.text();
  for (const std::string& message : comparison.validation_messages) text += "\n  " + message;
  return text;
}

int PictureCheck::status() const { return state_->status; }

std::string PictureCheck::summary() const {
  std::string text;
  for (const auto& [verdict, count] : state_->counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(name_of(verdict));
  return (text.empty() ? "nothing compared" : text) + " on " + state_->worker.description();
}

std::string PictureCheck::json() const {
  ordered_json counts = ordered_json::object();
  for (const auto& [verdict, count] : state_->counts) counts[std::string(name_of(verdict))] = count;
  const ordered_json all{{"device", state_->worker.description()},
                         {"seed", state_->options.seed},
                         {"level", static_cast<int>(state_->options.level)},
                         {"counts", counts},
                         {"pipelines", state_->pipelines}};
  // File names may hold any bytes; they must not make the dump throw.
  return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

#else

struct PictureCheck::State {};

Result<PictureCheck> PictureCheck::start(const PictureOptions&) {
  return make_error(
      ErrorKind::usage, "",
      "this varylink was built without Vulkan: install libvulkan-dev and mesa-vulkan-drivers and build again");
}

std::string PictureCheck::compare(const std::string&, const state::PipelineState&, link::Level,
                                  const std::vector<link::StageInput>&, const std::vector<link::StageInput>&) {
  return {};
}
int PictureCheck::status() const { return kStatusNoDriver; }
std::string PictureCheck::summary() const { return {}; }
std::string PictureCheck::json() const { return {}; }

#endif

PictureCheck::PictureCheck(std::unique_ptr<State> state) : state_(std::move(state)) {}
PictureCheck::PictureCheck(PictureCheck&&) noexcept = default;
PictureCheck& PictureCheck::operator=(PictureCheck&&) noexcept = default;
PictureCheck::~PictureCheck() = default;

}  // namespace varylink::cli
