// Inputs of a stage as terms: built-ins and attributes are symbols, all others are values that the producer stored,
// carried over by their class of interpolation.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "prove/machine/execution.h"
#include "prove/pipeline_facts.h"

namespace varylink::prove {

class StageInputs : public InputSource {
 public:
  // `ranges`: of all stages, whose values cross. `producer`: effects of the stage before; null for the first stage.
  StageInputs(Terms& terms, TermRanges& ranges, Stage stage, Semantics semantics, const PipelineFacts& facts,
              const StageEffects* producer)
      : terms_(terms), ranges_(ranges), stage_(stage), semantics_(semantics), facts_(facts), producer_(producer) {}

  InterfaceLoad input(const Place& place, Sort sort, const std::string& interpolation) override;
  Term vertex_input(const Place& place, Sort sort) override { return stored(place, sort); }
  Term payload(std::uint32_t part) override;
  TermRanges& ranges() override { return ranges_; }
  bool specialization_is_shared() const override { return facts_.shared_specialization; }

 private:
  std::optional<Term> found(const Place& place) const;
  Term stored(const Place& place, Sort sort);
  Term built_in(const Place& place, Sort sort, const std::string& interpolation);
  Term unknown(const Place& place, Sort sort, const std::string& interpolation);
  Term attribute(const Place& place, Sort sort);
  std::optional<Term> existing(bool per_primitive) const;
  std::optional<Term> at_element(Term record, Term existing, std::span<const Term> element, Sort sort);
  std::optional<Term> of_mesh(const Place& place, Sort sort, bool per_primitive);
  bool is_written_before(const Place& place) const;
  bool is_of_primitive(std::uint32_t built_in) const;
  Interpolator& interpolator(const std::string& name);

  Terms& terms_;
  TermRanges& ranges_;
  Stage stage_;
  Semantics semantics_;
  const PipelineFacts& facts_;
  const StageEffects* producer_;
  std::map<std::string, Interpolator> interpolators_;
};

}  // namespace varylink::prove
