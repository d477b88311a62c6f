#include "support/scalarized_pair.h"

#include "driver/group_steps.h"
#include "driver/link_group.h"
#include "driver/link_pipeline.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::test {

ScalarizedPair::ScalarizedPair(const std::string& vertex, const std::string& fragment) {
  link::PipelineInput pipeline;
  for (const auto& [stage, glsl] : {std::pair(Stage::vertex, vertex), std::pair(Stage::fragment, fragment)})
    pipeline.stages.push_back({stage, "test", spirv::write_module(module_from_glsl(stage, glsl)), "main"});
  open(pipeline, Stage::vertex, Stage::fragment);
}

ScalarizedPair::ScalarizedPair(const link::PipelineInput& pipeline, Stage producer, Stage consumer,
                               link::LinkOptions options)
    : options_(std::move(options)) {
  open(pipeline, producer, consumer);
}

void ScalarizedPair::open(const link::PipelineInput& pipeline, Stage producer, Stage consumer) {
  bool is_seen = false;
  const auto take = [&](const link::Link& link, bool linked) {
    if (linked || link.report.producer != producer || link.report.consumer != consumer) return;
    is_seen = true;
    producer_ = *link.producers.front();
    consumer_ = *link.consumers.front();
    link_ = link;
  };
  driver::link_group(driver::group_of(pipeline), options_, take);
  REQUIRE(is_seen);
  producer_.valid_words = consumer_.valid_words = nullptr;
  link_.producers = {&producer_};
  link_.consumers = {&consumer_};
}

passes::Progress ScalarizedPair::run(const passes::PassInfo& pass, std::optional<std::uint64_t> fuel) {
  link::LinkOptions options = options_;
  if (fuel) options.fuel = fuel;
  options.validate_each_pass = true;
  passes::PassContext context(options);
  const Result<passes::Progress> progress = passes::run_pass(pass, link_, context);
  INFO((progress ? std::string() : render(progress.error())));
  REQUIRE(progress);
  return *progress;
}

void ScalarizedPair::vectorize() { driver::vectorize(link_); }

std::string ScalarizedPair::producer_listing() const {
  return spirv::disassemble(spirv::write_module(producer_.module));
}

std::string ScalarizedPair::consumer_listing() const {
  return spirv::disassemble(spirv::write_module(consumer_.module));
}

}  // namespace varylink::test
