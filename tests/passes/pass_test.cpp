// tests/passes/PASS/*.case: a scalarized interface in, one pass of passes/registry.cpp, the interface and both stages
// out. README.md says how they are written.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "link/values/slot_values.h"
#include "support/case_file.h"
#include "support/case_options.h"
#include "support/catch.h"
#include "support/listing_check.h"
#include "support/pipeline_case.h"
#include "support/scalarized_pair.h"

namespace varylink::test {
namespace {

const std::filesystem::path kFolder = VARYLINK_SOURCE_DIR "/tests/passes";
constexpr const char* kUnchanged = "unchanged\n";

std::string number_text(const std::vector<std::uint32_t>& bits, varyings::ScalarType type) {
  if (type.width != 32) return std::to_string(bits.front());
  if (type.kind == varyings::ScalarKind::sint) return std::to_string(static_cast<std::int32_t>(bits.front()));
  if (type.kind != varyings::ScalarKind::floating) return std::to_string(bits.front());
  float number = 0;
  std::memcpy(&number, bits.data(), sizeof number);
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(number));
  return text;
}

// What all stores of an output agree on.
std::string stored_text(const link::SlotStores* found, varyings::ScalarType type) {
  if (!found || found->stores.empty()) return "";
  if (link::stores_nothing_defined(*found)) return " = undefined";
  const auto constant = link::common_constant(*found);
  return constant ? " = " + number_text(*constant, type) : "";
}

std::string varying_text(const varyings::Varying& varying) {
  const bool is_scalar = varying.form == varyings::Varying::Form::scalar;
  std::string text = varyings::text(varying.slot) + " " + (is_scalar ? varyings::text(varying.scalar) : varying.type);
  if (!is_scalar) text += varying.form == varyings::Varying::Form::fixed ? " fixed" : " unsplit";
  if (varying.patch) text += " patch";
  if (varying.per_primitive) text += " per-primitive";
  if (varying.captured) text += " captured";
  return text;
}

// A line for each output and input, then one for each component that has gone. "" if the interface is empty.
std::string text_of(const link::Link& link) {
  std::string text;
  const link::LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  const link::StoreTable stores(producer);
  for (const varyings::Varying& output : producer.outputs)
    if (output.variable != 0)
      text += "out " + varying_text(output) + " " + output.name + stored_text(stores.find(output.slot), output.scalar) +
              "\n";
  for (const varyings::Varying& input : consumer.inputs) {
    if (input.variable == 0) continue;
    text += "in " + varying_text(input);
    if (link.consumer_interpolates()) text += " " + varyings::text(input.interpolation);
    text += " " + input.name + "\n";
  }
  for (const link::ComponentRecord& record : link.report.components)
    if (record.outcome != link::Outcome::kept)
      text += varyings::text(record.old_slot) + " " + std::string(link::name_of(record.outcome)) +
              (record.new_slot ? " of " + varyings::text(*record.new_slot) : "") + ": " + record.reason + "\n";
  return text;
}

// Where varyings went that have been placed.
std::string places_of(const link::Link& link) {
  std::string text;
  bool moved = false;
  for (const auto& [from, to] : link.placement) {
    text += varyings::text(from) + " at " + varyings::text(to) + "\n";
    moved = moved || from != to;
  }
  return moved ? text : kUnchanged;
}

// The value of a directive that is of pass cases alone, taken out of the file.
std::string take_directive(CaseFile& file, const std::string& key) {
  const std::string value = file.directive(key);
  std::erase_if(file.directives, [&](const auto& directive) { return directive.first == key; });
  return value;
}

class PassCase {
 public:
  PassCase(CaseFile file, const passes::PassInfo& pass) : file_(std::move(file)), pass_(pass) {}

  void run() {
    CaseFile plain = file_;
    const std::string interface = take_directive(plain, "interface"), first = take_directive(plain, "first");
    const Result<CaseOptions> options = case_options(plain);
    INFO((options ? std::string() : render(options.error())));
    REQUIRE(options);
    const Result<frontend::LoadedPipeline> loaded = load_case(plain, *options, nullptr);
    INFO((loaded ? std::string() : render(loaded.error())));
    REQUIRE(loaded);
    const auto [producer, consumer] = stages_of(interface, loaded->pipeline);
    ScalarizedPair pair(loaded->pipeline, producer, consumer, options->link);
    for (const std::string& name : split_list(first)) {
      REQUIRE(passes::find_pass(name));
      pair.run(*passes::find_pass(name));
    }
    const std::string before = text_of(pair.link());
    const passes::Progress progress = pair.run(pass_);
    std::string after = progress == passes::Progress::none ? kUnchanged : text_of(pair.link());
    if (!pair.link().placement.empty()) {
      after = places_of(pair.link());
      pair.vectorize();
    } else if (!options->link.fuel) {
      CHECK(pair.run(pass_) == passes::Progress::none);
    }
    check(short_name(producer), pair.producer_listing());
    check(short_name(consumer), pair.consumer_listing());
    compare("before", before);
    compare("after", after);
  }

 private:
  // "tesc->tese", else the two stages that come first.
  static std::pair<Stage, Stage> stages_of(const std::string& interface, const link::PipelineInput& pipeline) {
    const std::size_t arrow = interface.find("->");
    if (arrow == std::string::npos) {
      REQUIRE(pipeline.stages.size() >= 2);
      return {pipeline.stages[0].stage, pipeline.stages[1].stage};
    }
    const auto producer = stage_from_short_name(trim(interface.substr(0, arrow)));
    const auto consumer = stage_from_short_name(trim(interface.substr(arrow + 2)));
    REQUIRE((producer && consumer));
    return {*producer, *consumer};
  }

  void check(std::string_view stage, const std::string& listing) {
    const CaseSection* section = file_.find("check " + std::string(stage));
    if (!section) return;
    INFO(listing);
    CHECK(failed_checks(listing, section->body) == "");
  }

  // A pass that must change nothing is never blessed to something else.
  void compare(const std::string& what, const std::string& actual) {
    const std::string title = "expect " + what;
    const CaseSection* section = file_.find(title);
    const std::string expected = section && !trim(section->body).empty() ? trim(section->body) + "\n" : "";
    if (expected == actual) return;
    if (bless_from_environment() && expected != kUnchanged) {
      file_.set(title, actual);
      std::ofstream(file_.path, std::ios::binary) << file_.text();
      return;
    }
    INFO("== " << title << " (- expected, + actual):\n" << line_diff(expected, actual));
    CHECK(expected == actual);
  }

  CaseFile file_;
  const passes::PassInfo& pass_;
};

void run_case(const std::string& path, const passes::PassInfo& pass) {
  const Result<CaseFile> file = read_case(path);
  INFO((file ? file->description : render(file.error())));
  REQUIRE(file);
  REQUIRE(states_what_must_hold(*file));
  PassCase(*file, pass).run();
}

TEST_CASE("every pass has cases that hold", "[passes]") {
  for (const passes::PassInfo& pass : passes::registry()) DYNAMIC_SECTION(pass.name) {
      const std::vector<std::string> files = case_files((kFolder / pass.name).string());
      CHECK_FALSE(files.empty());
      for (const std::string& path : files) DYNAMIC_SECTION(std::filesystem::path(path).stem().string()) {
          run_case(path, pass);
        }
    }
}

TEST_CASE("every pass has a folder and every folder is a pass", "[passes]") {
  for (const passes::PassInfo& pass : passes::registry()) {
    INFO(pass.name);
    CHECK(std::filesystem::is_directory(kFolder / pass.name));
  }
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    INFO(entry.path().filename().string());
    if (entry.is_directory()) CHECK(passes::find_pass(entry.path().filename().string()));
  }
}

}  // namespace
}  // namespace varylink::test
