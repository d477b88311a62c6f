#include "prove/prove.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "prove/declarations.h"
#include "prove/machine/execution.h"
#include "prove/observables.h"
#include "prove/open_subjects.h"
#include "prove/refute.h"
#include "prove/stage_inputs.h"
#include "prove/terms/loop_value.h"
#include "prove/terms/unsupported.h"
#include "spirv/ir/decoration_groups.h"
#include "spirv/tools/binary.h"

namespace varylink::prove {
namespace {

struct ReadStage {
  Stage stage = Stage::vertex;
  spirv::Module module;
  spirv::EntryPoint entry;
  std::span<const std::uint32_t> words;
};

std::vector<ReadStage> read(std::span<const StageWords> stages) {
  std::vector<ReadStage> result;
  for (const StageWords& stage : stages) {
    Result<spirv::Module> module = spirv::read_module(stage.words, "");
    if (module) spirv::expand_decoration_groups(*module);
    if (!module) throw Unsupported{"a module that does not read"};
    std::optional<spirv::EntryPoint> chosen;
    for (const spirv::EntryPoint& entry : module->entries()) {
      if (stage_from_execution_model(static_cast<std::uint32_t>(entry.model)) != stage.stage) continue;
      if (stage.entry_point.empty() || entry.name == stage.entry_point) chosen = entry;
    }
    if (!chosen) throw Unsupported{"a module without the entry point"};
    require_readable(*module, *chosen);
    result.push_back({stage.stage, std::move(*module), std::move(*chosen), stage.words});
  }
  return result;
}

// The term where every choice at its root has told the terms below what it decided: c ? f(c ? x : y) : z is c ? f(x) :
// z. What other invocations have for an operand is only known where the condition is theirs, too.
class Assumptions {
 public:
  explicit Assumptions(Terms& terms) : terms_(terms) {}

  Term operator()(Term term) {
    if (terms_[term].kind != Kind::choice || terms_.exhausted()) return term;
    if (const auto found = known_.find(term); found != known_.end()) return found->second;
    const std::vector<Term> parts(terms_.children(term).begin(), terms_.children(term).end());
    const Term result =
        terms_.choose(parts[0], (*this)(where(parts[1], parts[0], true)), (*this)(where(parts[2], parts[0], false)));
    known_.emplace(term, result);
    return result;
  }

 private:
  Term where(Term term, Term condition, bool value) {
    replaced_.clear();
    return replace(terms_, term, {{condition, terms_.boolean(value)}}, replaced_, terms_[condition].convergent);
  }

  Terms& terms_;
  std::unordered_map<Term, Term> known_;
  WalkMemo replaced_;
};

struct Read {
  Stage stage = Stage::vertex;  // the last one that does it
  Term condition = kNoTerm;
};

// What the outside sees of one pipeline, by name, and what the pipeline reads although it need not be there.
struct Outside {
  std::map<std::pair<Stage, std::string>, Term> seen;
  std::map<std::pair<Stage, std::string>, Term> seen_where;         // the condition of those that are not always seen
  std::map<Stage, std::map<Place, std::set<Term>>> shared_vectors;  // StageEffects::shared_vectors
  std::map<Term, Read> reads;
  std::map<Stage, std::map<Term, std::uint64_t>> certain_ends;      // StageEffects::certain_ends
  std::map<Stage, std::map<Term, std::set<Term>>> quad_conditions;  // StageEffects::quad_conditions
};

// The original reads the buffer in that stage, whatever happens, at least as far.
bool is_certain(const Terms& terms, const Outside& original, const StageEffects& effects, Term place) {
  const auto end = effects.read_ends.find(place);
  const auto stage = original.certain_ends.find(effects.stage);
  if (end == effects.read_ends.end() || stage == original.certain_ends.end()) return false;
  const auto certain = stage->second.find(terms.children(place)[0]);
  return certain != stage->second.end() && end->second <= certain->second;
}

bool is_tess_level(const Place& place) {
  return place.built_in && (place.number == static_cast<std::uint32_t>(spv::BuiltIn::TessLevelOuter) ||
                            place.number == static_cast<std::uint32_t>(spv::BuiltIn::TessLevelInner));
}

// Primitives of the stage may be drawn as points, so that the size of points counts.
bool may_draw_points(const ReadStage& stage, const PipelineFacts& facts) {
  const auto has = [&](spv::ExecutionMode mode) {
    return std::ranges::any_of(stage.module.execution_modes, [&](spirv::InstRef inst) {
      return stage.module.operand(inst, 0).word == stage.entry.function &&
             stage.module.operand(inst, 1).word == static_cast<std::uint32_t>(mode);
    });
  };
  bool lines = stage.stage == Stage::vertex && facts.lines;
  bool triangles = stage.stage == Stage::vertex && facts.triangles;
  if (stage.stage == Stage::geometry) {
    lines = has(spv::ExecutionMode::OutputLineStrip);
    triangles = has(spv::ExecutionMode::OutputTriangleStrip);
  } else if (stage.stage == Stage::mesh) {
    lines = has(spv::ExecutionMode::OutputLinesEXT);
    triangles = has(spv::ExecutionMode::OutputTrianglesEXT);
  }
  return !lines && !(triangles && !facts.polygons_are_points);
}

// Which outputs of a stage something other than the next stage sees: rasterization and the tessellator see built-ins.
class Visible {
 public:
  Visible(const std::vector<ReadStage>& stages, std::size_t at, const ProveOptions& options) {
    const bool is_last = at + 1 == stages.size();
    all_ = is_last && !(options.no_fragment && stages[at].stage != Stage::fragment);
    rasterized_ = is_last || stages[at + 1].stage == Stage::fragment;
    facts_ = stages[at].stage == Stage::fragment ? &options.facts : nullptr;
    is_read_only_ = !is_last && stages[at].stage == Stage::geometry;
    sized_ = !rasterized_ || may_draw_points(stages[at], options.facts);
  }
  bool operator()(const Place& place) const {
    if (facts_ != nullptr && !place.built_in && !facts_->reaches_attachment(place.number, place.component))
      return false;
    if (!sized_ && place.built_in && place.number == static_cast<std::uint32_t>(spv::BuiltIn::PointSize)) return false;
    // Nothing but the fragment stage takes the primitive id of a geometry stage.
    if (is_read_only_ && place.built_in && place.number == static_cast<std::uint32_t>(spv::BuiltIn::PrimitiveId))
      return false;
    return all_ || (place.built_in && rasterized_) || is_tess_level(place);
  }
  bool rasterized() const { return rasterized_; }

 private:
  bool all_ = false, rasterized_ = false, sized_ = true, is_read_only_ = false;
  const PipelineFacts* facts_ = nullptr;  // about which outputs of a fragment stage reach an attachment
};

// `original`: what the outside sees of that one, where the stages are those of the linked pipeline.
Outside outside_of(Terms& terms, const std::vector<ReadStage>& stages, const ProveOptions& options, bool assume,
                   const Outside* original = nullptr) {
  Outside result;
  Assumptions assumed(terms);
  TermRanges ranges(terms);
  std::optional<StageEffects> before;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Stage stage = stages[i].stage;
    StageInputs inputs(terms, ranges, stage, options.semantics, options.facts, before ? &*before : nullptr);
    StageEffects effects = execute(terms, stages[i].module, stages[i].entry, stage, options.semantics, inputs);
    result.seen[{stage, "memory"}] = effects.memory;
    result.seen[{stage, "discard"}] = effects.discarded;
    result.seen[{stage, "primitives"}] = effects.primitives;
    result.seen[{stage, "execution modes"}] = effects.modes;
    const Visible visible(stages, i, options);
    const Term kept = terms.logical_not(effects.discarded);
    // A fragment is of a primitive that the geometry stage made.
    const bool is_made = before && before->stage == Stage::geometry;
    const auto if_made = [&](Term condition) {
      return is_made ? terms.logical_and(before->emits, condition) : condition;
    };
    const bool is_masked = std::ranges::any_of(effects.outputs, [](const auto& output) {
      return output.first.built_in && output.first.number == static_cast<std::uint32_t>(spv::BuiltIn::SampleMask);
    });
    const auto see = [&](const std::string& what, Term value, std::optional<Term> where = std::nullopt) {
      if (is_masked) where = terms.boolean(false);  // perhaps: a sample that is masked has no color
      const Term condition = where.value_or(if_made(kept));
      if (!terms.is_true(condition)) result.seen_where[{stage, what}] = condition;
      result.seen[{stage, what}] = assume ? assumed(terms.restrict_to(value, kept)) : terms.restrict_to(value, kept);
    };
    const auto see_outputs = [&](const std::map<Place, Term>& outputs, const std::string& whose,
                                 std::optional<Term> where) {
      for (const auto& [place, value] : outputs) {
        if (!visible(place)) continue;
        const bool is_left_out = stage == Stage::fragment && !place.built_in &&
                                 options.facts.left_out.contains({place.number, place.component});
        see((place.built_in ? "" : "output ") + text_of(place) + whose, value,
            is_left_out ? terms.boolean(false) : where);
      }
    };
    if (stage != Stage::geometry) see_outputs(effects.outputs, "", std::nullopt);
    for (std::size_t k = 0; k < effects.emitted.size(); ++k) {
      const std::string whose = " of vertex " + std::to_string(k);
      const Term perhaps = terms.boolean(false);  // of a vertex that completes no primitive nothing is seen
      see_outputs(effects.emitted[k].outputs, whose, perhaps);
      for (const auto& [what, value] : effects.emitted[k].captured) see(what + whose, value, perhaps);
    }
    if (visible.rasterized())
      for (const auto& [what, value] : effects.captured) see(what, value);
    for (const auto& [place, access] : effects.accesses) {
      if (original != nullptr && is_certain(terms, *original, effects, place)) continue;
      const Term condition = if_made(access);
      const auto [known, is_new] = result.reads.emplace(place, Read{stage, condition});
      if (!is_new) known->second = {stage, terms.logical_or(known->second.condition, condition)};
    }
    result.shared_vectors[stage] = std::move(effects.shared_vectors);
    result.certain_ends[stage] = std::move(effects.certain_ends);
    result.quad_conditions[stage] = std::move(effects.quad_conditions);
    before = std::move(effects);
  }
  return result;
}

// Components that several invocations own share a vector only if others that are stored like them shared one
// before.
void see_shared_vectors(Terms& terms, Outside& original, Outside& linked) {
  for (const auto& [stage, vectors] : linked.shared_vectors)
    for (const auto& [place, stored] : vectors) {
      const auto& owners = stored;  // clang 14 captures no structured bindings
      const bool known = std::ranges::any_of(original.shared_vectors[stage], [&](const auto& vector) {
        return std::ranges::includes(vector.second, owners);
      });
      const std::pair<Stage, std::string> name = {stage, "vector that begins at " + text_of(place)};
      const Term apart = terms.symbol(Sort::handle, "stored in vectors of their own", {}, true);
      original.seen[name] = apart;
      linked.seen[name] = known ? apart : terms.symbol(Sort::handle, "stored in parts of one vector", {}, true);
    }
}

// What two sums do not share, as two sums.
std::pair<Term, Term> without_common(Terms& terms, Term a, Term b) {
  const Sort sort = terms[a].sort;
  const auto less_than = [&](Term whole, Term other) {
    const std::vector<Terms::Summand> others = terms.summands(other);
    std::vector<Terms::Summand> own = terms.summands(whole);
    std::erase_if(own, [&](const Terms::Summand& summand) {
      return std::ranges::any_of(others, [&](const Terms::Summand& candidate) {
        return candidate.product == summand.product && candidate.coefficient == summand.coefficient;
      });
    });
    const bool same_constant = terms.constant_summand(whole) == terms.constant_summand(other);
    return terms.make_sum(sort, same_constant ? 0 : terms.constant_summand(whole), std::move(own));
  };
  return {less_than(a, b), less_than(b, a)};
}

// Operands of one term that the other does not have; none if the two are not of one kind.
std::optional<std::vector<std::pair<Term, Term>>> differing_operands(const Terms& terms, Term a, Term b) {
  const Node &left = terms[a], &right = terms[b];
  if (left.kind != right.kind || left.name != right.name || left.child_count != right.child_count ||
      left.child_count == 0 || !std::ranges::equal(terms.literals(a), terms.literals(b)))
    return std::nullopt;
  std::vector<Term> ours(terms.children(a).begin(), terms.children(a).end());
  std::vector<Term> theirs(terms.children(b).begin(), terms.children(b).end());
  if (left.kind == Kind::product || left.commutes)  // their order means nothing
    for (std::size_t i = ours.size(); i-- > 0;)
      if (const auto same = std::ranges::find(theirs, ours[i]); same != theirs.end()) {
        theirs.erase(same);
        ours.erase(ours.begin() + static_cast<std::ptrdiff_t>(i));
      }
  std::vector<std::pair<Term, Term>> result;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (ours[i] != theirs[i]) result.push_back({ours[i], theirs[i]});
  return result;
}

// Goes down to what could not be shown equal, or to the first such part of several, as long as both have one shape.
std::pair<Term, Term> smallest_difference(Terms& terms, Term a, Term b) {
  for (;;) {
    if (terms[a].kind == Kind::sum || terms[b].kind == Kind::sum) {
      if (is_float(terms[a].sort) != is_float(terms[b].sort)) return {a, b};
      const auto [left, right] = without_common(terms, a, b);
      const std::vector<Terms::Summand> ours = terms.summands(left), theirs = terms.summands(right);
      if (ours.size() != theirs.size() || ours.empty() || ours[0].coefficient != theirs[0].coefficient ||
          terms.constant_summand(left) != terms.constant_summand(right))
        return {left, right};
      a = ours[0].product;
      b = theirs[0].product;
      continue;
    }
    const auto differing = differing_operands(terms, a, b);
    if (!differing || differing->empty()) return {a, b};
    std::tie(a, b) = differing->front();
  }
}

// A way to build the terms. Each is right by itself: what one cannot show, another may.
struct Attempt {
  std::uint32_t expand_limit;
  bool undefined_is_anything;
  bool assume_conditions;
  bool lift_choices;
};
constexpr Attempt kAttempts[] = {
    {0, false, false, false}, {0, true, true, false}, {64, true, true, false}, {0, true, true, true}};

// Inputs that the state of the pipeline gives fewer values than their type has.
bool is_bounded(const Terms& terms, const PipelineFacts& facts, Term input) {
  while (!terms.children(input).empty() && !terms.is(input, "load")) input = terms.children(input)[0];
  if (!terms.is(input, "attribute")) return false;
  const auto place = terms.literals(input);
  return facts.attribute_ranges.contains({static_cast<std::uint32_t>(place[0]), static_cast<std::uint32_t>(place[1])});
}

// `where`: the condition under which the original's value is seen.
Finding finding_of(Terms& terms, const PipelineFacts& facts, const std::pair<Stage, std::string>& what, Term original,
                   Term linked, Term where) {
  const auto [left, right] = smallest_difference(terms, original, linked);
  Finding finding{Subject::value,        what.first, what.second, Verdict::not_proved, text_of(terms, left),
                  text_of(terms, right), ""};
  const auto is_free = [&](Term input) { return !is_bounded(terms, facts, input); };
  if (std::optional<std::string> witness =
          terms.took_freedom() ? std::nullopt : refute(terms, original, linked, where, is_free)) {
    finding.verdict = Verdict::refuted;
    finding.witness = std::move(*witness);
  }
  return finding;
}

// Where the linked pipeline reads what the original one, for the same inputs, does not read: behind the end of a
// buffer, say, which the original asked about.
std::vector<Finding> new_reads(Terms& terms, const Outside& original, const Outside& linked) {
  std::vector<Finding> result;
  for (const auto& [place, read] : linked.reads) {
    const auto found = original.reads.find(place);
    const Term allowed = found == original.reads.end() ? terms.boolean(false) : found->second.condition;
    if (terms.is_false(terms.logical_and(read.condition, terms.logical_not(allowed)))) continue;
    result.push_back({Subject::read, read.stage, "read of " + text_of(terms, place), Verdict::not_proved,
                      "happens if " + text_of(terms, allowed), "happens if " + text_of(terms, read.condition), ""});
  }
  return result;
}

using Conditions = std::set<Term>;

// Calls `visit` with each operation of both pipelines that takes differences between invocations: its stage, and the
// conditions under which the original and the linked pipeline run it.
void for_each_quad(const Outside& original, const Outside& linked,
                   const std::function<void(Stage, Term, const Conditions&, const Conditions&)>& visit) {
  for (const auto& [stage, operations] : linked.quad_conditions) {
    const auto of_stage = original.quad_conditions.find(stage);
    if (of_stage == original.quad_conditions.end()) continue;
    for (const auto& [operation, conditions] : operations)
      if (const auto before = of_stage->second.find(operation); before != of_stage->second.end())
        visit(stage, operation, before->second, conditions);
  }
}

// Where the linked pipeline takes differences between invocations of which fewer run than in the original.
// Right is one where all run that ran at any of the original's, and so are those that stand where the original has
// them, each.
std::vector<Finding> lost_invocations(Terms& terms, const Outside& original, const Outside& linked) {
  std::vector<Finding> result;
  for_each_quad(original, linked,
                [&](Stage stage, Term operation, const Conditions& before, const Conditions& conditions) {
                  if (conditions == before) return;
                  Term any = terms.boolean(false);
                  for (const Term condition : before) any = terms.logical_or(any, condition);
                  for (const Term condition : conditions) {
                    if (terms.is_false(terms.logical_and(any, terms.logical_not(condition)))) continue;
                    result.push_back({Subject::read, stage, "loss of invocations at " + text_of(terms, operation),
                                      Verdict::not_proved, "runs if " + text_of(terms, any),
                                      "runs if " + text_of(terms, condition), ""});
                  }
                });
  return result;
}

std::string reason_of(const Finding& finding) {
  const std::string subject = std::string(short_name(finding.stage)) + " " + finding.what;
  if (finding.verdict == Verdict::refuted) return subject + " differs: " + finding.witness;
  if (finding.subject == Subject::read) return subject + " could not be shown to happen in the original, too";
  return subject + " could not be shown equal";
}

struct Attempted {
  Subjects subjects;
  std::vector<Finding> findings;
  bool mixes_quads = false;
  std::uint32_t outputs = 0;  // of the original
  std::uint64_t steps = 0;
};

// Both pipelines take the same differences under several conditions: nothing tells which of them a use has.
bool mixes_quads(const Outside& original, const Outside& linked) {
  bool result = false;
  for_each_quad(original, linked, [&](Stage, Term, const Conditions& before, const Conditions& conditions) {
    result = result || (before.size() > 1 && conditions.size() > 1);
  });
  return result;
}

Attempted attempt(const std::vector<ReadStage>& original, const std::vector<ReadStage>& linked,
                  const ProveOptions& options, const Attempt& how, bool quads_by_condition, std::uint64_t budget) {
  Terms terms(budget);
  terms.quads_by_condition = quads_by_condition;
  terms.expand_limit = how.expand_limit;
  terms.lift_choices = how.lift_choices;
  terms.set_undefined_is_anything(how.undefined_is_anything);
  Outside before = outside_of(terms, original, options, how.assume_conditions);
  terms.set_undefined_is_anything(false);
  terms.end_original();
  Outside after = outside_of(terms, linked, options, how.assume_conditions, &before);
  see_shared_vectors(terms, before, after);
  Attempted result;
  result.outputs = static_cast<std::uint32_t>(before.seen.size());
  for (const Outside* outside : {&before, &after})
    for (const auto& [key, value] : outside->seen) result.subjects.insert(key);
  for (const auto& [key, value] : before.seen) {
    const auto found = after.seen.find(key);
    if (how.undefined_is_anything && terms.is_undefined(value)) continue;
    const Term other = found == after.seen.end() ? terms.undefined(terms[value].sort) : found->second;
    if (other == value) continue;
    const auto where = before.seen_where.find(key);
    const Term condition = where == before.seen_where.end() ? terms.boolean(true) : where->second;
    result.findings.push_back(finding_of(terms, options.facts, key, value, other, condition));
  }
  // A built-in that is declared counts, also if nothing is stored there: an element more is a plane more (R-3.3,
  // So does what is captured, which overwrites bytes.
  for (const auto& [key, value] : after.seen)
    if (!before.seen.contains(key) &&
        (!terms.is_undefined(value) || key.second.starts_with(kBuiltIn) || key.second.starts_with(kCaptured)))
      result.findings.push_back(
          {Subject::value, key.first, key.second, Verdict::not_proved, "not written", text_of(terms, value), ""});
  std::ranges::move(new_reads(terms, before, after), std::back_inserter(result.findings));
  std::ranges::move(lost_invocations(terms, before, after), std::back_inserter(result.findings));
  result.mixes_quads = mixes_quads(before, after);
  result.steps = terms.steps();
  return result;
}

bool is_refuted(const Finding& finding) { return finding.verdict == Verdict::refuted; }

// Attempts in turn, until nothing is open, something is refuted, or the budget of all of them is spent.
class Attempts {
 public:
  Attempts(const std::vector<ReadStage>& original, const std::vector<ReadStage>& linked, const ProveOptions& options)
      : original_(original), linked_(linked), options_(options) {}

  Proof run() {
    for (const Attempt& how : kAttempts) {
      try {
        Attempted attempted = attempt(original_, linked_, options_, how, quads_by_condition_, budget_left());
        if (tried_.empty() && attempted.mixes_quads) {
          quads_by_condition_ = true;
          proof_.steps += attempted.steps;
          attempted = attempt(original_, linked_, options_, how, true, budget_left());
        }
        take(std::move(attempted), how);
      } catch (const Unsupported&) {
        // What is left of the budget may be too little to read the stages once more.
        if (tried_.empty()) throw;
        break;
      }
      if (open_.none() || std::ranges::any_of(proof_.findings, is_refuted) || budget_left() == 0) break;
    }
    judge();
    if (proof_.verdict == Verdict::proved) proof_.relies_on_undefined = !holds_without_undefined();
    return std::move(proof_);
  }

 private:
  std::uint64_t budget_left() const { return options_.budget - std::min(options_.budget, proof_.steps); }

  void take(Attempted attempted, const Attempt& how) {
    open_.add(attempted.subjects, attempted.findings);
    if (!how.undefined_is_anything) open_if_defined_.add(attempted.subjects, attempted.findings);
    const bool is_first = tried_.empty();
    tried_.push_back(&how);
    proof_.steps += attempted.steps;
    proof_.outputs = attempted.outputs;
    const bool refuted = std::ranges::any_of(attempted.findings, is_refuted);
    if (is_first || refuted || attempted.findings.size() <= least_findings_) {
      least_findings_ = attempted.findings.size();
      proof_.findings = std::move(attempted.findings);
    }
    if (!refuted) forget_shown();
  }

  void forget_shown() {
    std::vector<Finding> left;
    std::ranges::copy_if(proof_.findings, std::back_inserter(left),
                         [&](const Finding& finding) { return open_.has(finding); });
    // What an attempt with other names found may be none of what is open.
    if (open_.none() || !left.empty()) proof_.findings = std::move(left);
  }

  void judge() {
    proof_.verdict = open_.none() ? Verdict::proved : Verdict::not_proved;
    if (proof_.findings.empty()) return;
    const auto refuted = std::ranges::find_if(proof_.findings, is_refuted);
    const Finding& worst = refuted != proof_.findings.end() ? *refuted : proof_.findings.front();
    proof_.verdict = worst.verdict;
    proof_.reason = reason_of(worst);
  }

  // What was shown needs no freedom in what the original leaves undefined.
  bool holds_without_undefined() {
    for (auto how = tried_.rbegin(); how != tried_.rend() && !open_if_defined_.none(); ++how) {
      if (!(*how)->undefined_is_anything) continue;
      Attempt defined = **how;
      defined.undefined_is_anything = false;
      try {
        const Attempted attempted = attempt(original_, linked_, options_, defined, quads_by_condition_, budget_left());
        proof_.steps += attempted.steps;
        open_if_defined_.add(attempted.subjects, attempted.findings);
      } catch (const Unsupported&) {
        return false;
      }
    }
    return open_if_defined_.none();
  }

  const std::vector<ReadStage>& original_;
  const std::vector<ReadStage>& linked_;
  const ProveOptions& options_;
  OpenSubjects open_, open_if_defined_;
  std::vector<const Attempt*> tried_;
  bool quads_by_condition_ = false;
  std::size_t least_findings_ = 0;
  Proof proof_;
};

std::set<std::string> permissions(const std::vector<ReadStage>& stages) {
  std::set<std::string> result;
  for (const ReadStage& stage : stages) result.merge(permissions_of(stage.module));
  return result;
}

DeclaringStage declaring(const ReadStage& stage) { return {stage.stage, &stage.module, &stage.entry}; }

// Why the linked stages do not even stand where the original ones do; empty if they do.
std::string other_declarations(const std::vector<ReadStage>& original, const std::vector<ReadStage>& linked,
                               const PipelineFacts& facts) {
  if (original.size() != linked.size()) return "other stages";
  std::vector<DeclaringStage> before_link, after_link;
  std::ranges::transform(original, std::back_inserter(before_link), declaring);
  std::ranges::transform(linked, std::back_inserter(after_link), declaring);
  for (std::size_t i = 0; i < linked.size(); ++i) {
    if (original[i].stage == linked[i].stage && std::ranges::equal(original[i].words, linked[i].words)) continue;
    const std::string other = declared_otherwise(before_link, after_link[i], facts);
    if (!other.empty()) return other;
  }
  if (const std::string more = asks_for_more(before_link, after_link); !more.empty()) return more;
  const std::set<std::string> before = permissions(original);
  for (const std::string& name : permissions(linked))
    if (!before.contains(name)) return name + ", which no original stage has";
  return {};
}

bool same_words(std::span<const StageWords> a, std::span<const StageWords> b) {
  return std::ranges::equal(a, b, [](const StageWords& left, const StageWords& right) {
    return left.stage == right.stage && left.entry_point == right.entry_point &&
           std::ranges::equal(left.words, right.words);
  });
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved: return "proved";
    case Verdict::refuted: return "refuted";
    case Verdict::not_proved: break;
  }
  return "not proved";
}

Proof prove(std::span<const StageWords> original, std::span<const StageWords> linked, const ProveOptions& options) {
  Proof result;
  if (same_words(original, linked)) {
    result.verdict = Verdict::proved;
    return result;
  }
  try {
    const std::vector<ReadStage> before = read(original), after = read(linked);
    result.reason = other_declarations(before, after, options.facts);
    if (!result.reason.empty()) return result;
    result = Attempts(before, after, options).run();
  } catch (const Unsupported& problem) {
    result = {};
    result.reason = problem.reason;
  }
  return result;
}

}  // namespace varylink::prove
