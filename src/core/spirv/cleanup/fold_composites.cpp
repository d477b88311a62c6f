#include <optional>
#include <vector>

#include "spirv/cleanup/constant_folder.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

// A value inside a composite: the id, and the literal indices that are still to be applied to it.
struct Part {
  Id value = 0;
  std::vector<std::uint32_t> indices;
};

// Rule: what choices may choose from while one part is followed, however they stand in each other.
constexpr std::size_t kMostChoices = 64;

class Folder {
 public:
  explicit Folder(Module& module) : module_(module), globals_(module), replaced_by_(module.bound, 0) {}

  bool run() {
    for (Function& function : module_.functions)
      for (Block& block : function.blocks)
        for (const InstRef inst : block.body) visit(inst);
    if (any_replaced_) apply_replacements();
    if (changed_) module_.sweep();
    return changed_;
  }

 private:
  Id current(Id value) const {
    while (value < replaced_by_.size() && replaced_by_[value] != 0) value = replaced_by_[value];
    return value;
  }

  Id operand_id(InstRef inst, std::uint32_t position) const { return current(module_.operand(inst, position).word); }

  void visit(InstRef inst) {
    if (module_[inst].op == spv::Op::OpVectorExtractDynamic) return fold_chosen_component(inst);
    if (is_access_chain(module_[inst].op)) return fold_chain(inst);
    switch (module_[inst].op) {
      case spv::Op::OpCopyObject: return fold_copy(inst);
      case spv::Op::OpCompositeExtract: return fold_extract(inst);
      case spv::Op::OpCompositeConstruct: return fold_construct(inst);
      case spv::Op::OpVectorShuffle: return fold_shuffle(inst);
      case spv::Op::OpSelect: return fold_select(inst);
      default: return;
    }
  }

  void replace(InstRef inst, Id value) {
    const Id result = module_[inst].result;
    if (result == value) return;
    // The validator lets a constant have components of another type than its own says (int in a uvec).
    if (module_.type_of(value) != module_[inst].type) return;
    if (!decorations_) decorations_.emplace(module_);
    if (!decorations_->may_stand_for(value, result)) return;
    decorations_->pass_on(module_, value, result);
    replaced_by_[result] = value;
    module_.kill(inst);
    changed_ = any_replaced_ = true;
  }

  void fold_copy(InstRef inst) {
    // A copied pointer keeps its copy: access paths are followed elsewhere.
    if (module_.def_op(module_[inst].type) == spv::Op::OpTypePointer) return;
    replace(inst, operand_id(inst, 0));
  }

  // Without an index it is its base; access paths begin with one.
  void fold_chain(InstRef inst) {
    if (module_.operands(inst).size() == 1) replace(inst, operand_id(inst, 0));
  }

  // A selection by a constant is the value it selects; specialization constants are not constant (rule ).
  void fold_select(InstRef inst) {
    const spv::Op condition = module_.def_op(operand_id(inst, 0));
    if (module_.def_op(module_[inst].type) == spv::Op::OpTypePointer) return;
    const Id then = operand_id(inst, 1), otherwise = operand_id(inst, 2);
    if (condition == spv::Op::OpConstantTrue || then == otherwise) return replace(inst, then);
    if (condition == spv::Op::OpConstantFalse) replace(inst, otherwise);
  }

  // Whichever component is chosen, it is the same value; outside of the vector there is none (rule ).
  void fold_chosen_component(InstRef inst) {
    const Id vector = operand_id(inst, 0);
    const Part first = trace(vector, 0);
    for (std::uint32_t i = 1; i < component_count(module_, module_.type_of(vector)); ++i) {
      const Part part = trace(vector, i);
      if (part.value != first.value || part.indices != first.indices) return;
    }
    if (first.indices.empty()) return replace(inst, first.value);
    rewrite_extract(inst, first);
  }

  void fold_extract(InstRef inst) {
    Part part{operand_id(inst, 0), {}};
    const auto operands = module_.operands(inst);
    for (std::size_t i = 1; i < operands.size(); ++i) part.indices.push_back(operands[i].word);
    const Part old = part;
    follow(part);
    if (part.indices.empty()) return replace(inst, part.value);
    if (part.value == old.value && part.indices == old.indices) return;
    rewrite_extract(inst, part);
  }

  void rewrite_extract(InstRef inst, const Part& part) {
    std::vector<Operand> rewritten = {id(part.value)};
    for (const std::uint32_t index : part.indices) rewritten.push_back(lit(index));
    module_.rewrite(inst, spv::Op::OpCompositeExtract, rewritten);
    changed_ = true;
  }

  // As far as it can be followed.
  void follow(Part& part) {
    std::size_t choices = 0;
    follow(part, choices);
  }

  void follow(Part& part, std::size_t& choices) {
    while (step(part) || step_choice(part, choices)) {
    }
  }

  // A part that is one constant whatever is chosen, as the alpha of two colors (rule ).
  bool step_choice(Part& part, std::size_t& choices) {
    const InstRef def = module_.def(part.value);
    const bool is_phi = def && module_[def].op == spv::Op::OpPhi;
    if (part.indices.empty() || !def || (!is_phi && module_[def].op != spv::Op::OpSelect)) return false;
    std::optional<Id> common;
    for (std::uint32_t i = is_phi ? 0 : 1; i < module_.operands(def).size(); i += is_phi ? 2 : 1) {
      Part chosen{operand_id(def, i), part.indices};
      if (chosen.value == part.value) continue;  // of the round before
      if (++choices > kMostChoices) return false;
      follow(chosen, choices);
      if (!chosen.indices.empty() || !is_constant(module_, chosen.value)) return false;
      if (common && *common != chosen.value) return false;
      common = chosen.value;
    }
    if (!common) return false;
    part = {*common, {}};
    return true;
  }

  // One step from a composite towards where the part was made. False if it cannot be followed.
  bool step(Part& part) {
    if (part.indices.empty()) return false;
    const InstRef def = module_.def(part.value);
    if (!def) return false;
    switch (module_[def].op) {
      case spv::Op::OpCompositeConstruct: return step_construct(part, def);
      case spv::Op::OpCompositeExtract: {
        std::vector<std::uint32_t> longer;
        for (std::uint32_t i = 1; i < module_.operands(def).size(); ++i) longer.push_back(module_.operand(def, i).word);
        longer.insert(longer.end(), part.indices.begin(), part.indices.end());
        part = {operand_id(def, 0), longer};
        return true;
      }
      case spv::Op::OpCompositeInsert: return step_insert(part, def);
      case spv::Op::OpVectorShuffle: return step_shuffle(part, def);
      case spv::Op::OpCopyObject: part.value = operand_id(def, 0); return true;
      case spv::Op::OpConstantNull: return step_null(part);
      default: return step_constant(part, def);
    }
  }

  // Parts of a constant that is open in others need not be.
  bool step_constant(Part& part, InstRef def) {
    const spv::Op op = module_[def].op;
    if (op != spv::Op::OpConstantComposite && op != spv::Op::OpSpecConstantComposite) return false;
    part.value = module_.operand(def, part.indices.front()).word;
    part.indices.erase(part.indices.begin());
    return true;
  }

  bool step_construct(Part& part, InstRef def) {
    const Id type = module_[def].type;
    std::uint32_t index = part.indices.front();
    if (module_.def_op(type) != spv::Op::OpTypeVector) {
      part.value = operand_id(def, index);
      part.indices.erase(part.indices.begin());
      return true;
    }
    // A vector may be constructed from vectors (SPIR-V, OpCompositeConstruct).
    for (std::uint32_t i = 0; i < module_.operands(def).size(); ++i) {
      const Id piece = operand_id(def, i);
      const std::uint32_t width = component_count(module_, module_.type_of(piece));
      if (index < width) {
        part.value = piece;
        if (width == 1)
          part.indices.erase(part.indices.begin());
        else
          part.indices.front() = index;
        return true;
      }
      index -= width;
    }
    return false;
  }

  bool step_insert(Part& part, InstRef def) {
    const auto operands = module_.operands(def);
    std::vector<std::uint32_t> place;
    for (std::size_t i = 2; i < operands.size(); ++i) place.push_back(operands[i].word);
    std::size_t common = 0;
    while (common < place.size() && common < part.indices.size() && place[common] == part.indices[common]) ++common;
    if (common == place.size()) {
      part.value = operand_id(def, 0);
      part.indices.erase(part.indices.begin(), part.indices.begin() + static_cast<std::ptrdiff_t>(common));
      return true;
    }
    if (common == part.indices.size()) return false;  // the insert changed something inside the part
    part.value = operand_id(def, 1);
    return true;
  }

  bool step_shuffle(Part& part, InstRef def) {
    const std::uint32_t lane = module_.operand(def, 2 + part.indices.front()).word;
    if (lane == 0xffffffffu) return false;
    const std::uint32_t first_width = component_count(module_, module_.type_of(operand_id(def, 0)));
    part.value = operand_id(def, lane < first_width ? 0 : 1);
    part.indices.front() = lane < first_width ? lane : lane - first_width;
    return true;
  }

  bool step_null(Part& part) {
    const Id type = element_type(module_, module_.type_of(part.value), part.indices.front());
    if (type == 0) return false;
    part.value = globals_.null_constant(type);
    part.indices.erase(part.indices.begin());
    return true;
  }

  // Where component `index` of a vector value comes from.
  Part trace(Id vector, std::uint32_t index) {
    Part part{vector, {index}};
    follow(part);
    return part;
  }

  void fold_construct(InstRef inst) {
    const Id type = module_[inst].type;
    const bool is_vector = module_.def_op(type) == spv::Op::OpTypeVector;
    std::vector<Part> parts;
    for (std::uint32_t i = 0; i < module_.operands(inst).size(); ++i) {
      const Id piece = operand_id(inst, i);
      const std::uint32_t width = is_vector ? component_count(module_, module_.type_of(piece)) : 1;
      if (width > 1) {
        for (std::uint32_t c = 0; c < width; ++c) parts.push_back({piece, {c}});
      } else {
        parts.push_back(origin(piece));
      }
    }
    if (const auto whole = common_source(parts, type)) return replace(inst, *whole);
    if (is_vector) make_shuffle(inst, parts);
  }

  // The composite and index that a scalar was extracted from, or the value itself.
  Part origin(Id value) {
    const InstRef def = module_.def(value);
    if (!def || module_[def].op != spv::Op::OpCompositeExtract || module_.operands(def).size() != 2) return {value, {}};
    return {operand_id(def, 0), {module_.operand(def, 1).word}};
  }

  std::optional<Id> common_source(const std::vector<Part>& parts, Id type) const {
    if (parts.empty() || parts.front().indices.empty()) return std::nullopt;
    const Id source = parts.front().value;
    if (module_.type_of(source) != type || element_count(module_, type) != parts.size()) return std::nullopt;
    for (std::uint32_t i = 0; i < parts.size(); ++i)
      if (parts[i].value != source || parts[i].indices != std::vector<std::uint32_t>{i}) return std::nullopt;
    return source;
  }

  // A vector put together from components of at most two vectors is one shuffle.
  void make_shuffle(InstRef inst, const std::vector<Part>& parts) {
    std::vector<Id> sources;
    for (const Part& part : parts) {
      if (part.indices.size() != 1 || module_.def_op(module_.type_of(part.value)) != spv::Op::OpTypeVector) return;
      if (sources.empty() || (part.value != sources.front() && part.value != sources.back()))
        sources.push_back(part.value);
      if (sources.size() > 2) return;
    }
    const std::uint32_t first_width = component_count(module_, module_.type_of(sources.front()));
    std::vector<Operand> operands = {id(sources.front()), id(sources.back())};
    for (const Part& part : parts)
      operands.push_back(lit(part.indices.front() + (part.value == sources.front() ? 0 : first_width)));
    module_.rewrite(inst, spv::Op::OpVectorShuffle, operands);
    changed_ = true;
  }

  void fold_shuffle(InstRef inst) {
    const Id type = module_[inst].type;
    const std::uint32_t width = component_count(module_, type);
    std::vector<Part> parts;
    bool traced = false;
    for (std::uint32_t lane = 0; lane < width; ++lane) {
      if (module_.operand(inst, 2 + lane).word == 0xffffffffu) return;
      Part part{module_[inst].result, {lane}};
      if (!step_shuffle(part, inst)) return;
      const Part direct = part;
      part = trace(part.value, part.indices.front());
      traced = traced || part.value != direct.value;
      parts.push_back(part);
    }
    if (const auto whole = common_source(parts, type)) return replace(inst, *whole);
    if (traced) rewrite_shuffle(inst, parts);
  }

  // All lanes lead to scalars: the vector is constructed from them.
  void rewrite_shuffle(InstRef inst, const std::vector<Part>& parts) {
    std::vector<Operand> operands;
    for (const Part& part : parts) {
      if (!part.indices.empty()) return;
      operands.push_back(id(part.value));
    }
    module_.rewrite(inst, spv::Op::OpCompositeConstruct, operands);
    changed_ = true;
  }

  void apply_replacements() {
    const auto apply = [this](InstRef inst) {
      const auto operands = module_.operands(inst);
      for (std::uint32_t i = 0; i < operands.size(); ++i) {
        if (!operands[i].is_id) continue;
        const Id value = current(operands[i].word);
        if (value != operands[i].word) module_.set_operand(inst, i, id(value));
      }
    };
    for (Function& function : module_.functions)
      for (Block& block : function.blocks)
        for (const InstRef inst : block.body) apply(inst);
  }

  Module& module_;
  Globals globals_;
  std::optional<ValueDecorations> decorations_;  // once something is replaced
  std::vector<Id> replaced_by_;                  // by id, 0 if it stays
  bool changed_ = false;
  bool any_replaced_ = false;
};

}  // namespace

bool fold_composites(Module& module) { return Folder(module).run(); }

}  // namespace varylink::spirv
