// Two stages in the form that passes see, for tests of one pass.
#pragma once

#include <optional>
#include <string>

#include "link/model/link.h"
#include "link/model/pipeline.h"
#include "passes/pass.h"

namespace varylink::test {

// Stays where it is: the link points to the stages.
class ScalarizedPair {
 public:
  // GLSL with a location on each varying, prepared and scalarized as linking does it.
  ScalarizedPair(const std::string& vertex, const std::string& fragment);
  // Two stages of a pipeline, which passes are to see with these options. Fails the test if nothing between them is
  // worked on.
  ScalarizedPair(const link::PipelineInput& pipeline, Stage producer, Stage consumer, link::LinkOptions options);
  ScalarizedPair(const ScalarizedPair&) = delete;
  ScalarizedPair& operator=(const ScalarizedPair&) = delete;

  // Runs the pass by passes::run_pass(), with its checks and the validator behind it; fails the test if they find
  // something. `fuel`: the rewrites it may make, if not those of the options.
  passes::Progress run(const passes::PassInfo& pass, std::optional<std::uint64_t> fuel = {});

  // Declares varyings where a pass placed them, in vectors; no pass can run behind that.
  void vectorize();

  const link::Link& link() const { return link_; }
  std::string producer_listing() const;
  std::string consumer_listing() const;

 private:
  void open(const link::PipelineInput& pipeline, Stage producer, Stage consumer);

  link::LinkOptions options_;
  link::LinkedStage producer_, consumer_;
  link::Link link_;
};

}  // namespace varylink::test
