#include "fuzz/spirv_templates.h"

#include "fuzz/assembly.h"
#include "fuzz/random.h"
#include "fuzz/spirv_shapes.h"

namespace varylink::fuzz {
namespace {

using Placed = PlacedShape;

std::vector<Placed> place_shapes(Random& random) {
  std::vector<Placed> placed;
  const int count = random.range(2, 6);
  int location = random.range(0, 1);
  for (int i = 0; i < count; ++i) {
    const auto last = static_cast<std::uint32_t>(shapes().size() - 1);
    const std::size_t shape = random.chance(0.03) ? last : random.below(last);
    placed.push_back({shape, location, random.next()});
    location += shapes()[shape].locations + (random.chance(0.1) ? 1 : 0);
  }
  return placed;
}

// Two triangles that fill the square [-0.95, 0.95], from VertexIndex; every further pair covers it again.
std::string grid_position(Assembly& m, const std::string& index) {
  const std::string corner = m.op(m.int_type(), "OpSMod " + index + " " + m.int_constant(3));
  const std::string triangle = m.op(m.int_type(), "OpSDiv " + index + " " + m.int_constant(3));
  const std::string odd = m.op(m.int_type(), "OpBitwiseAnd " + triangle + " " + m.int_constant(1));
  const std::string x_bit = m.op(m.int_type(), "OpBitwiseAnd " + corner + " " + m.int_constant(1));
  const std::string y_bit = m.op(m.int_type(), "OpShiftRightArithmetic " + corner + " " + m.int_constant(1));
  const std::string is_odd = m.op(m.bool_type(), "OpIEqual " + odd + " " + m.int_constant(1));
  std::string coordinates;
  for (const std::string& bit : {x_bit, y_bit}) {
    const std::string unit = m.op(m.float_type(), "OpConvertSToF " + bit);
    const std::string scaled = m.op(m.float_type(), "OpFMul " + unit + " " + m.float_constant("1.9"));
    const std::string moved = m.op(m.float_type(), "OpFSub " + scaled + " " + m.float_constant("0.95"));
    const std::string turned = m.op(m.float_type(), "OpFNegate " + moved);
    coordinates += " " + m.op(m.float_type(), "OpSelect " + is_odd + " " + turned + " " + moved);
  }
  return m.op(m.floats(4),
              "OpCompositeConstruct" + coordinates + " " + m.float_constant("0.5") + " " + m.float_constant("1"));
}

// An instruction of a set that no tool knows; it must come out unharmed or vanish, and change nothing.
void add_unknown_debug(Assembly& m, const std::string& value) {
  m.extension("SPV_KHR_non_semantic_info");
  const std::string set = m.import("NonSemantic.Varylink.Unknown");
  m.op(m.type("OpTypeVoid"), "OpExtInst " + set + " 7 " + value);
}

void write_vertex(Assembly& m, const std::string& name, const std::vector<Placed>& placed, bool debug) {
  m.begin_entry(Stage::vertex, name);
  const std::string position = m.variable("Output", m.floats(4));
  m.decorate(position, "BuiltIn Position");
  const std::string index_variable = m.variable("Input", m.int_type());
  m.decorate(index_variable, "BuiltIn VertexIndex");
  VertexValues values;
  for (std::string* value : {&values.a, &values.b}) {
    const std::string attribute = m.variable("Input", m.floats(4));
    m.decorate(attribute, std::string("Location ") + (value == &values.a ? "1" : "2"));
    *value = m.load(m.floats(4), attribute);
  }
  const std::string index = m.load(m.int_type(), index_variable);
  m.store(position, grid_position(m, index));
  values.n = m.op(m.uint_type(), "OpBitcast " + index);
  const std::string low = m.op(m.int_type(), "OpBitwiseAnd " + index + " " + m.int_constant(3));
  values.flag = m.op(m.bool_type(), "OpSLessThan " + low + " " + m.int_constant(2));
  for (const Placed& varying : placed) {
    Random random(varying.seed);
    shapes()[varying.shape].write(m, random, varying.location, values);
  }
  if (debug) add_unknown_debug(m, values.a);
  m.end_entry();
}

void write_fragment(Assembly& m, const std::string& name, const std::vector<Placed>& placed, bool debug) {
  m.begin_entry(Stage::fragment, name);
  std::vector<std::string> colors;
  for (int target = 0; target < 2; ++target) {
    colors.push_back(m.variable("Output", m.floats(4)));
    m.decorate(colors.back(), "Location " + std::to_string(target));
  }
  const std::string zero = m.float_constant("0.125");
  std::vector<std::string> sums(2, m.composite(m.floats(4), zero + " " + zero + " " + zero + " " + zero));
  for (const Placed& varying : placed) {
    Random random(varying.seed + 1);
    const std::string value = shapes()[varying.shape].read(m, random, varying.location);
    std::string& sum = sums[random.below(2)];
    if (debug && random.chance(0.3)) add_unknown_debug(m, value);
    switch (random.below(4)) {
      case 0: sum = m.op(m.floats(4), "OpFSub " + sum + " " + value); break;
      case 1:
        sum = m.op(m.floats(4), "OpFAdd " + sum + " " + m.op(m.floats(4), "OpFMul " + value + " " + value));
        break;
      case 2:
        sum = m.op(m.floats(4), "OpFAdd " + sum + " " +
                                    m.op(m.floats(4), "OpVectorTimesScalar " + value + " " + m.float_constant("0.75")));
        break;
      default: sum = m.op(m.floats(4), "OpFAdd " + sum + " " + value);
    }
  }
  for (std::size_t target = 0; target < 2; ++target) m.store(colors[target], sums[target]);
  m.end_entry();
}

}  // namespace

TemplatePlan plan_templates(std::uint64_t seed) {
  Random random(seed);
  TemplatePlan plan;
  plan.seed = seed;
  plan.varyings = place_shapes(random);
  plan.one_module = random.chance(0.2);
  plan.other_entry = plan.one_module && random.chance(0.5);
  plan.debug = random.chance(0.3);
  plan.old_version = random.chance(0.4);
  return plan;
}

Candidate candidate_of(const TemplatePlan& plan) {
  Candidate candidate;
  candidate.name = "seed " + std::to_string(plan.seed);
  candidate.exact = true;
  candidate.features = {"templates"};
  for (const Placed& varying : plan.varyings) {
    candidate.features.push_back(std::string("template ") + shapes()[varying.shape].name);
    candidate.has_liberties = candidate.has_liberties || shapes()[varying.shape].has_liberties;
  }
  if (plan.one_module) candidate.features.push_back("template several-entry-points");
  if (plan.debug) candidate.features.push_back("template unknown-debug-set");
  const spirv::TargetEnv env = plan.old_version ? spirv::TargetEnv::vulkan1_0 : spirv::TargetEnv::vulkan1_3;

  Assembly vertex, separate;
  Assembly& fragment = plan.one_module ? vertex : separate;
  vertex.lists_all_globals = separate.lists_all_globals = !plan.old_version;
  write_vertex(vertex, "vs_main", plan.varyings, plan.debug);
  if (plan.other_entry) write_vertex(vertex, "other_main", plan.varyings, false);
  write_fragment(fragment, "ps_main", plan.varyings, plan.debug);
  candidate.sources.push_back({Stage::vertex, true, vertex.text(), "vs_main", env});
  candidate.sources.push_back({Stage::fragment, true, fragment.text(), "ps_main", env});
  return candidate;
}

TemplatePlan reduce(TemplatePlan plan, const std::function<bool(const TemplatePlan&)>& still_fails) {
  const auto keep_if_failing = [&](const TemplatePlan& smaller) {
    if (still_fails(smaller)) plan = smaller;
  };
  for (std::size_t left = plan.varyings.size(); left > 0; --left) {
    TemplatePlan smaller = plan;
    smaller.varyings.erase(smaller.varyings.begin() + static_cast<std::ptrdiff_t>(left - 1));
    keep_if_failing(smaller);
  }
  for (bool TemplatePlan::*extra :
       {&TemplatePlan::other_entry, &TemplatePlan::one_module, &TemplatePlan::debug, &TemplatePlan::old_version}) {
    TemplatePlan smaller = plan;
    smaller.*extra = false;
    keep_if_failing(smaller);
  }
  return plan;
}

}  // namespace varylink::fuzz
