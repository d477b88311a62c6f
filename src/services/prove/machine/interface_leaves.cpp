#include "prove/machine/interface_leaves.h"

#include <utility>

#include "prove/terms/unsupported.h"

namespace varylink::prove {
namespace {

// In the order of what decides first.
constexpr std::pair<spv::Decoration, unsigned> kQualifiers[] = {
    {spv::Decoration::PerVertexKHR, 1}, {spv::Decoration::PerPrimitiveEXT, 2}, {spv::Decoration::Patch, 4},
    {spv::Decoration::Flat, 8},         {spv::Decoration::NoPerspective, 16},  {spv::Decoration::Centroid, 32},
    {spv::Decoration::Sample, 64},
};
constexpr unsigned kPerVertex = 1, kPerPrimitive = 2, kPatch = 4, kFlat = 8, kNoPerspective = 16, kCentroid = 32,
                   kSample = 64;

std::string interpolation_of(unsigned qualifiers) {
  if ((qualifiers & kPerVertex) != 0) throw Unsupported{"an input that is not one value per fragment"};
  if ((qualifiers & kPerPrimitive) != 0) return "primitive";
  if ((qualifiers & kPatch) != 0) return "patch";
  if ((qualifiers & kFlat) != 0) return "flat";
  std::string name = (qualifiers & kNoPerspective) != 0 ? "noperspective" : "smooth";
  if ((qualifiers & kCentroid) != 0) name += ".centroid";
  if ((qualifiers & kSample) != 0) name += ".sample";
  return name;
}

Rate rate_of(unsigned qualifiers) {
  if ((qualifiers & kPerPrimitive) != 0) return Rate::primitive;
  return (qualifiers & kPatch) != 0 ? Rate::patch : Rate::vertex;
}

// Names the components of a variable as Vulkan numbers them (Vulkan 15.1.5). A built-in takes no locations: its
// components are its leaves.
class LeafWalk {
 public:
  LeafWalk(const Facts& facts, Id variable) : facts_(facts) {
    const auto literal = [&](spv::Decoration what) {
      const auto* found = facts.decoration(variable, what);
      return found != nullptr ? *found : 0;
    };
    built_in_ = facts.decoration(variable, spv::Decoration::BuiltIn);
    has_location_ = facts.has(variable, spv::Decoration::Location);
    location_ = literal(spv::Decoration::Location);
    component_ = literal(spv::Decoration::Component);
    index_ = literal(spv::Decoration::Index);
    for (const auto& [decoration, bit] : kQualifiers)
      if (facts.has(variable, decoration)) qualifiers_ |= bit;
  }

  std::vector<InterfaceLeaf> run(Id type) {
    walk(type, qualifiers_);
    return std::move(leaves_);
  }

 private:
  void walk(Id type, unsigned qualifiers) {
    switch (facts_.op(type)) {
      case spv::Op::OpTypeMatrix:
      case spv::Op::OpTypeArray: return elements(type, qualifiers);
      case spv::Op::OpTypeStruct: return members(type, qualifiers);
      default: return vector(type, qualifiers);
    }
  }

  void elements(Id type, unsigned qualifiers) {
    const std::uint32_t count = facts_.elements(type);
    const std::uint32_t component = component_;
    const bool outer = std::exchange(placed_by_members_, false);
    for (std::uint32_t i = 0; i < count; ++i) {
      component_ = component;
      walk(facts_.element(type), qualifiers);
    }
    if (count > 1 && placed_by_members_) throw Unsupported{"an array of blocks whose members have locations"};
    placed_by_members_ = outer;
  }

  void members(Id type, unsigned qualifiers) {
    const std::uint32_t* const outer = built_in_;
    for (std::uint32_t i = 0; i < facts_.elements(type); ++i) {
      if (outer == nullptr) {
        built_in_ = facts_.member_decoration(type, i, spv::Decoration::BuiltIn);
        if (i > 0 && (built_in_ != nullptr) != in_built_ins_) throw Unsupported{"a block of built-ins and others"};
        in_built_ins_ = built_in_ != nullptr;
      }
      unsigned own = qualifiers;
      for (const auto& [decoration, bit] : kQualifiers)
        if (facts_.member_decoration(type, i, decoration) != nullptr) own |= bit;
      if (const auto* location = facts_.member_decoration(type, i, spv::Decoration::Location)) {
        location_ = *location;
        placed_by_members_ = has_location_ = true;
      }
      const auto* first = facts_.member_decoration(type, i, spv::Decoration::Component);
      component_ = first != nullptr ? *first : 0;
      leaf_ = outer == nullptr ? 0 : leaf_;
      walk(facts_.element(type, i), own);
    }
    built_in_ = outer;
  }

  void vector(Id type, unsigned qualifiers) {
    if (qualifiers != named_) {
      interpolation_ = interpolation_of(qualifiers);
      named_ = qualifiers;
    }
    const Rate rate = rate_of(qualifiers);
    const bool per_sample = (qualifiers & kSample) != 0;
    const std::uint32_t count = facts_.leaf_count(type);
    if (built_in_ != nullptr) {
      for (std::uint32_t i = 0; i < count; ++i)
        leaves_.push_back({{true, *built_in_, leaf_++, 0, rate}, interpolation_, per_sample});
      return;
    }
    if (!has_location_) throw Unsupported{"an input or output without a location"};
    const std::uint32_t size = width_of(facts_.sorts(type)[0]) == 64 ? 2 : 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t at = component_ + i * size;
      leaves_.push_back({{false, location_ + at / 4, at % 4, index_, rate}, interpolation_, per_sample});
    }
    location_ += (component_ + count * size - 1) / 4 + 1;
  }

  const Facts& facts_;
  const std::uint32_t* built_in_ = nullptr;
  std::uint32_t location_ = 0, component_ = 0, index_ = 0;
  std::uint32_t leaf_ = 0;  // of the built-in
  unsigned qualifiers_ = 0, named_ = ~0u;
  std::string interpolation_;
  bool has_location_ = false, placed_by_members_ = false, in_built_ins_ = false;
  std::vector<InterfaceLeaf> leaves_;
};

}  // namespace

std::vector<InterfaceLeaf> interface_leaves(const Facts& facts, Id variable, Id type) {
  return LeafWalk(facts, variable).run(type);
}

const std::uint32_t* decoration_of_block(const Facts& facts, Id variable, Id type, spv::Decoration what) {
  if (const auto* own = facts.decoration(variable, what)) return own;
  while (facts.op(type) == spv::Op::OpTypeArray) type = facts.element(type);
  if (facts.op(type) != spv::Op::OpTypeStruct || facts.elements(type) == 0) return nullptr;
  if (const auto* of_block = facts.decoration(type, what)) return of_block;
  return facts.member_decoration(type, 0, what);
}

}  // namespace varylink::prove
