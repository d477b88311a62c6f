#include "analysis/operation_graph.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "analysis/component_nodes.h"
#include "analysis/component_place.h"
#include "analysis/cost_decorations.h"
#include "analysis/folded_operations.h"
#include "analysis/operation_cost.h"
#include "analysis/short_selections.h"
#include "analysis/side_stores.h"
#include "analysis/texture_coordinate.h"
#include "analysis/unneeded_operations.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/product_shape.h"
#include "spirv/ir/uses.h"

namespace varylink::analysis {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

// Components of each location of a variable: those of the vectors it is made of, 4 for a block.
std::uint32_t vector_size(const Module& module, Id variable) {
  Id type = spirv::pointee_type(module, module.type_of(variable));
  while (module.def_op(type) == Op::OpTypeArray || module.def_op(type) == Op::OpTypeMatrix)
    type = module.operand(module.def(type), 0).word;
  return module.def_op(type) == Op::OpTypeStruct ? 4 : std::max(spirv::scalars_of_type(module, type), 1u);
}

// How an operation stands to memory and to the world: reads stay behind effects, effects behind both.
enum class Order : std::uint8_t { none, read, write, effect };

class Builder {
 public:
  Builder(const Module& module, const spirv::Function& function, spv::ExecutionModel model, const CostProfile& profile)
      : module_(module),
        function_(function),
        profile_(profile),
        is_fragment_(model == spv::ExecutionModel::Fragment),
        is_vertex_(model == spv::ExecutionModel::Vertex),
        cfg_(module, function),
        selections_(module, function, cfg_),
        side_stores_(cfg_, selections_),
        decorations_(module),
        values_(module) {
    graph_.stores_each_output_once = model != spv::ExecutionModel::Geometry;
  }

  OperationGraph run();

 private:
  void add_block(std::uint32_t block);
  void add(InstRef inst);
  void add_phi(InstRef inst);
  void add_selection(InstRef phi, Id condition);
  void select_outputs();
  StoredValue value_of(Id value, std::uint32_t index) const;
  NodeId select(Id condition, NodeId a, NodeId b, std::uint32_t width);
  void add_load(InstRef inst);
  void add_store(InstRef inst);
  void add_whole(InstRef inst, Order order);
  bool is_made_of_constants(InstRef inst) const;
  void add_component_wise(InstRef inst, const Recipe& recipe);
  void add_products(InstRef inst, const Recipe& recipe);
  NodeId sum_of_products(InstRef inst, const Recipe& recipe, std::uint32_t dot);
  NodeId fused(OpClass op_class, const Components& operands, std::uint32_t words, Fusion fusion);
  bool folds(InstRef inst) const;
  void connect_phis();
  void find_loops();

  std::pair<NodeId, NodeId> product_operands(InstRef inst, std::uint32_t dot, std::uint32_t k) const;
  Components all_operands(InstRef inst) const;
  Components operands_at(InstRef inst, std::uint32_t component, std::uint32_t components) const;
  NodeId component(Id value, std::uint32_t index) const { return values_.component(value, index); }
  const Components& components(Id value) const { return values_.components(value); }
  void define(InstRef inst, Components components) { values_.define(module_[inst].result, std::move(components)); }
  NodeId node(OpClass op_class, const Components& operands, std::uint32_t words, Order order = Order::none);
  NodeId chain(const Chain& steps, Components operands, std::uint32_t words);
  NodeId step(const Step& step, Components operands, std::uint32_t words, NodeId otherwise);
  void put_in_order(NodeId node, Order order);
  std::uint32_t result_words(InstRef inst) const;
  bool is_interpolated(const PointerPlace& place, Id type) const;
  Fusion fusion_of(InstRef inst) const;
  void set_location(NodeId node, const PointerPlace& place, std::uint32_t index);
  Operation load_operation(InstRef inst, const PointerPlace& place) const;
  bool is_constant_memory(const Operation& operation) const;
  NodeId read_once(const PointerPlace& place, std::uint32_t index, const Step& load, const Components& address,
                   std::uint32_t words);
  NodeId read_constant_memory(const PointerPlace& place, std::uint32_t index, const Step& load,
                              const Components& address, std::uint32_t words);
  std::uint32_t words_per_component(InstRef inst) const { return spirv_width(module_[inst].type) > 32 ? 2 : 1; }
  std::uint32_t spirv_width(Id type) const { return scalar_width(module_, type); }

  const Module& module_;
  const spirv::Function& function_;
  const CostProfile& profile_;
  bool is_fragment_, is_vertex_;
  spirv::Cfg cfg_;
  ShortSelections selections_;
  SideStores side_stores_;
  CostDecorations decorations_;
  OperationGraph graph_;
  ComponentNodes values_;
  std::vector<std::uint32_t> position_;  // by index into Function::blocks: index into graph_.block_nodes
  std::vector<std::uint32_t> blocks_;    // and back
  std::vector<bool> needed_;             // by node: has an effect, so that it stays
  std::vector<InstRef> phis_;
  std::set<Id> constant_;  // results that are made of constants
  // Reads of constant memory that were made: by variable and component, each with its block.
  std::map<std::pair<Id, std::uint32_t>, std::vector<std::pair<std::uint32_t, NodeId>>> reads_;
  // Locations by variable, or by storage class and number, and place in it.
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> location_numbers_;
  std::uint32_t block_ = 0;  // being built: index into Function::blocks
  NodeId last_effect_ = kNoNode;
  std::vector<NodeId> since_effect_;  // reads and writes of this block behind the last effect
};

void Builder::put_in_order(NodeId node, Order order) {
  if (order == Order::none) return;
  std::vector<NodeId>& after = graph_.nodes[node].after;
  if (last_effect_ != kNoNode) after.push_back(last_effect_);
  if (order != Order::effect) {
    since_effect_.push_back(node);
    return;
  }
  after.insert(after.end(), since_effect_.begin(), since_effect_.end());
  since_effect_.clear();
  last_effect_ = node;
}

NodeId Builder::node(OpClass op_class, const Components& operands, std::uint32_t words, Order order) {
  const NodeId id = static_cast<NodeId>(graph_.nodes.size());
  OperationNode& added = graph_.nodes.emplace_back();
  added.op_class = op_class;
  added.block = position_[selections_.home(block_)];
  added.words = words;
  added.is_uniform = order == Order::none && std::all_of(operands.begin(), operands.end(), [&](NodeId operand) {
                       return is_constant(operand) || graph_.nodes[operand].is_uniform;
                     });
  for (const NodeId operand : operands)
    if (!is_constant(operand) &&
        std::find(added.operands.begin(), added.operands.end(), operand) == added.operands.end())
      added.operands.push_back(operand);
  needed_.push_back(order == Order::write || order == Order::effect);
  put_in_order(id, order);
  return id;
}

// The last node of `step.count` operations one after the other; `otherwise` if there are none.
NodeId Builder::step(const Step& step, Components operands, std::uint32_t words, NodeId otherwise) {
  NodeId last = otherwise;
  for (std::uint32_t i = 0; i < step.count; ++i) {
    last = node(step.op_class, operands, words);
    operands = {last};
  }
  return last;
}

NodeId Builder::chain(const Chain& steps, Components operands, std::uint32_t words) {
  NodeId last = operands.empty() ? kNoNode : operands.front();
  for (const Step& part : steps) {
    last = step(part, operands, words, last);
    if (part.count > 0) operands = {last};
  }
  return last;
}

std::uint32_t Builder::result_words(InstRef inst) const { return scalar_count(module_, module_[inst].type); }

Components Builder::all_operands(InstRef inst) const {
  Components all;
  for (const spirv::Operand& operand : module_.operands(inst))
    if (operand.is_id) all.insert(all.end(), components(operand.word).begin(), components(operand.word).end());
  return all;
}

// Of operands as long as the result their component, of all others everything.
Components Builder::operands_at(InstRef inst, std::uint32_t index, std::uint32_t count) const {
  Components nodes;
  const auto operands = module_.operands(inst);
  for (std::size_t i = spirv::first_value_operand(module_, inst); i < operands.size(); ++i) {
    if (!operands[i].is_id) continue;
    const Components& all = components(operands[i].word);
    if (all.size() == count)
      nodes.push_back(all[index]);
    else
      nodes.insert(nodes.end(), all.begin(), all.end());
  }
  return nodes;
}

// ---- memory

bool Builder::is_interpolated(const PointerPlace& place, Id type) const {
  if (!is_fragment_ || place.storage != spv::StorageClass::Input) return false;
  if (decorations_.not_interpolated.count(place.variable) != 0) return false;
  if (place.block != 0 && decorations_.members_not_interpolated.count({place.block, place.member}) != 0) return false;
  Id scalar = type;
  while (module_.def_op(scalar) == Op::OpTypeVector || module_.def_op(scalar) == Op::OpTypeMatrix ||
         module_.def_op(scalar) == Op::OpTypeArray)
    scalar = module_.operand(module_.def(scalar), 0).word;
  return module_.def_op(scalar) == Op::OpTypeFloat && scalar_width(module_, scalar) <= 32;
}

Operation Builder::load_operation(InstRef inst, const PointerPlace& place) const {
  Operation operation;
  operation.op = Op::OpLoad;
  operation.storage = place.storage;
  operation.width = scalar_width(module_, module_[inst].type);
  operation.interpolated = is_interpolated(place, module_[inst].type);
  if (decorations_.buffer_blocks.count(place.block) != 0) operation.storage = spv::StorageClass::StorageBuffer;
  return operation;
}

// Components of one variable, or of several with the same number, share a location. Of a block without numbers of its
// own, such as one of uniforms, four components are taken to.
void Builder::set_location(NodeId node, const PointerPlace& place, std::uint32_t index) {
  const bool is_output = place.storage == spv::StorageClass::Output;
  if (place.variable == 0 || !place.dynamic_indices.empty()) return;
  const auto declared = decorations_.locations.find(place.variable);
  const auto component = decorations_.components.find(place.variable);
  const std::uint32_t size = vector_size(module_, place.variable);
  const std::uint32_t place_in = (place.first_component + index) / size;
  const auto key = declared == decorations_.locations.end() ? std::tuple(~place.variable, place_in, is_output)
                                                            : std::tuple(0u, declared->second + place_in, is_output);
  graph_.nodes[node].location =
      location_numbers_.try_emplace(key, static_cast<std::uint32_t>(location_numbers_.size())).first->second;
  graph_.nodes[node].component =
      (component == decorations_.components.end() ? 0 : component->second) + (place.first_component + index) % size;
}

Fusion Builder::fusion_of(InstRef inst) const {
  if (decorations_.no_contraction.count(module_[inst].result) != 0) return Fusion::none;
  switch (module_[inst].op) {
    case Op::OpFMul:
    case Op::OpVectorTimesScalar:
    case Op::OpMatrixTimesScalar:
    case Op::OpOuterProduct: return Fusion::product;
    case Op::OpFAdd:
    case Op::OpFSub: return Fusion::sum;
    default: return Fusion::none;
  }
}

bool Builder::is_constant_memory(const Operation& operation) const {
  return operation.storage == spv::StorageClass::Input || operation.storage == spv::StorageClass::Uniform ||
         operation.storage == spv::StorageClass::UniformConstant ||
         operation.storage == spv::StorageClass::PushConstant;
}

// A read of constant memory, or the one that was made before where that one is sure to have run.
NodeId Builder::read_once(const PointerPlace& place, std::uint32_t index, const Step& load, const Components& address,
                          std::uint32_t words) {
  if (!place.dynamic_indices.empty() || place.variable == 0) return step(load, address, words, kNoNode);
  auto& known = reads_[{place.variable, place.first_component + index}];
  for (const auto& [block, read] : known)
    if (cfg_.dominates(block, block_)) return read;
  const NodeId read = step(load, address, words, kNoNode);
  known.emplace_back(selections_.home(block_), read);
  return read;
}

NodeId Builder::read_constant_memory(const PointerPlace& place, std::uint32_t index, const Step& load,
                                     const Components& address, std::uint32_t words) {
  const NodeId read = read_once(place, index, load, address, words);
  if (read == kNoNode) return read;
  set_location(read, place, index);
  if (place.storage != spv::StorageClass::Input) return read;
  graph_.nodes[read].is_uniform = false;
  graph_.nodes[read].is_attribute = is_vertex_ && decorations_.locations.count(place.variable) != 0;
  return read;
}

void Builder::add_load(InstRef inst) {
  const std::uint32_t count = spirv::scalars_of_type(module_, module_[inst].type);
  if (count == 0) return;  // a descriptor
  const PointerPlace place = pointer_place(module_, module_.operand(inst, 0).word);
  const Operation operation = load_operation(inst, place);
  const Step load = recipe_of(operation).after[0];
  const bool is_free_constant = load.op_class == OpClass::uniform_load && profile_[load.op_class].cost == 0;
  Components address;
  for (const Id index : place.dynamic_indices) address.push_back(node(OpClass::basic, components(index), 1));
  if (count > kMaxComponents)
    return define(inst, {node(load.op_class, address, 1, is_constant_memory(operation) ? Order::none : Order::read)});
  Components result;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t words = words_per_component(inst);
    if (is_free_constant)
      result.push_back(kNoNode);
    else if (is_constant_memory(operation))
      result.push_back(read_constant_memory(place, i, load, address, words));
    else
      result.push_back(node(load.op_class, address, words, Order::read));
  }
  define(inst, std::move(result));
}

void Builder::add_store(InstRef inst) {
  const Id value = module_.operand(inst, 1).word;
  const PointerPlace place = pointer_place(module_, module_.operand(inst, 0).word);
  const Operation operation = operation_of(module_, inst);
  const Step store = recipe_of(operation).after[0];
  const Order order = place.storage == spv::StorageClass::Output ? Order::write : Order::effect;
  Components address;
  for (const Id index : place.dynamic_indices) address.push_back(node(OpClass::basic, components(index), 1));
  for (std::uint32_t i = 0; i < std::min(operation.results, kMaxComponents); ++i) {
    Components operands = address;
    operands.push_back(component(value, i));
    const NodeId stored = node(store.op_class, operands, 0, order);
    if (place.storage != spv::StorageClass::Output) continue;
    set_location(stored, place, i);
    if (place.dynamic_indices.empty())
      side_stores_.store(block_, {place.variable, place.first_component + i}, value_of(value, i));
  }
}

// ---- operations

bool Builder::folds(InstRef inst) const {
  return words_per_component(inst) == 1 && decorations_.no_contraction.count(module_[inst].result) == 0;
}

// Each component apart where components do not meet, else the whole as one chain of operations.
void Builder::add_component_wise(InstRef inst, const Recipe& recipe) {
  const Op op = module_[inst].op;
  const bool apart = spirv::is_component_wise(module_, inst) || op == Op::OpVectorTimesScalar ||
                     op == Op::OpMatrixTimesScalar || recipe.dots > 0;
  const std::uint32_t count = std::min(recipe.results, kMaxComponents);
  const Fusion fusion = fusion_of(inst);
  const bool can_fold = folds(inst);
  Components result;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (const auto known = can_fold ? folded_operation(graph_, values_, module_, inst, i) : std::nullopt) {
      result.push_back(*known);
      continue;
    }
    const Components operands = apart ? operands_at(inst, i, count) : all_operands(inst);
    result.push_back(chain(recipe.after, operands, words_per_component(inst)));
    if (result.back() != kNoNode && fusion != Fusion::none) graph_.nodes[result.back()].fusion = fusion;
  }
  define(inst, std::move(result));
}

// The two factors of product k of a dot product or of one dot product of a matrix product.
std::pair<NodeId, NodeId> Builder::product_operands(InstRef inst, std::uint32_t dot, std::uint32_t k) const {
  const std::uint32_t first = spirv::first_value_operand(module_, inst);
  const Id a = module_.operand(inst, first).word;
  const Id b = module_.operand(inst, std::min(first + 1, module_[inst].operand_count - 1)).word;
  const auto shape = spirv::product_shape(module_, inst);
  if (!shape) return {component(a, k), component(b, k)};
  return {component(a, shape->left(dot % shape->rows, k)), component(b, shape->right(k, dot / shape->rows))};
}

NodeId Builder::fused(OpClass op_class, const Components& operands, std::uint32_t words, Fusion fusion) {
  const NodeId added = node(op_class, operands, words);
  graph_.nodes[added].fusion = fusion;
  return added;
}

NodeId Builder::sum_of_products(InstRef inst, const Recipe& recipe, std::uint32_t dot) {
  const std::uint32_t words = words_per_component(inst);
  const bool is_exact = decorations_.no_contraction.count(module_[inst].result) != 0,
             can_fold = !is_exact && words == 1;
  const Fusion as_product = is_exact ? Fusion::none : Fusion::product, as_sum = is_exact ? Fusion::none : Fusion::sum;
  NodeId sum = kNoNode;
  for (std::uint32_t k = 0; k < recipe.length; ++k) {
    const auto [a, b] = product_operands(inst, dot, k);
    const NodeId before = step(recipe.before, {a, b}, words, kNoNode);
    const Components factors = before == kNoNode ? Components{a, b} : Components{before};
    auto product = can_fold && before == kNoNode ? folded_product(a, b) : std::nullopt;
    if (!product) product = fused(recipe.dot_class, factors, words, as_product);
    auto next = k == 0 ? product : can_fold ? folded_sum(sum, *product) : std::nullopt;
    if (!next) next = fused(recipe.dot_class, {sum, *product}, words, as_sum);
    sum = *next;
  }
  return sum;
}

void Builder::add_products(InstRef inst, const Recipe& recipe) {
  const std::uint32_t words = words_per_component(inst);
  Components sums;
  for (std::uint32_t dot = 0; dot < recipe.dots; ++dot)
    sums.push_back(chain(recipe.middle, {sum_of_products(inst, recipe, dot)}, words));
  if (recipe.after[0].count == 0) return define(inst, std::move(sums));
  Components result;
  for (std::uint32_t i = 0; i < recipe.results; ++i) {
    Components operands = {sums.front()};
    const Components others = operands_at(inst, i, recipe.results);
    operands.insert(operands.end(), others.begin(), others.end());
    result.push_back(chain(recipe.after, operands, words));
  }
  define(inst, std::move(result));
}

// One operation with all operands, whose result lives as a whole.
void Builder::add_whole(InstRef inst, Order order) {
  const Recipe recipe = recipe_of(operation_of(module_, inst));
  const Step& first = recipe.after[0];
  const std::uint32_t words = result_words(inst);
  const bool takes_coordinate = first.op_class == OpClass::texture && order == Order::none;
  const Coordinate coordinate =
      takes_coordinate ? coordinate_of(graph_, components(module_.operand(inst, 1).word)) : Coordinate::none;
  NodeId last = kNoNode;
  Components operands = all_operands(inst);
  for (std::uint32_t i = 0; i < first.count; ++i) {
    last = node(first.op_class, operands, words, order);
    graph_.nodes[last].is_uniform = false;
    graph_.nodes[last].coordinate = coordinate;
    operands = {last};
  }
  if (module_[inst].result != 0 && last != kNoNode) define(inst, {last});
}

void Builder::add_phi(InstRef inst) {
  if (const Id condition = selections_.condition_at(block_); condition != 0) return add_selection(inst, condition);
  const std::uint32_t count = spirv::scalars_of_type(module_, module_[inst].type);
  Components result;
  for (std::uint32_t i = 0; i < std::min(count, kMaxComponents); ++i) {
    result.push_back(node(OpClass::free, {}, words_per_component(inst)));
    graph_.nodes[result.back()].is_phi = true;
    graph_.nodes[result.back()].is_uniform = false;
  }
  define(inst, std::move(result));
  phis_.push_back(inst);
}

StoredValue Builder::value_of(Id value, std::uint32_t index) const {
  const NodeId node = component(value, index);
  return {node, node == kNoNode ? constant_component(module_, value, index) : 0};
}

NodeId Builder::select(Id condition, NodeId a, NodeId b, std::uint32_t width) {
  Operation operation;
  operation.op = Op::OpSelect;
  operation.width = width;
  return chain(recipe_of(operation).after, {component(condition, 0), a, b}, width > 32 ? 2 : 1);
}

// Selections in place of a short branch: one operation for each component in which the sides differ.
void Builder::add_selection(InstRef phi, Id condition) {
  const Id a = module_.operand(phi, 0).word, b = module_.operand(phi, 2).word;
  if (module_.def_op(a) == Op::OpUndef || module_.def_op(b) == Op::OpUndef)
    return define(phi, components(module_.def_op(a) == Op::OpUndef ? b : a));
  const std::uint32_t count = std::min(spirv::scalars_of_type(module_, module_[phi].type), kMaxComponents);
  Components result;
  for (std::uint32_t i = 0; i < count; ++i) {
    const StoredValue from_a = value_of(a, i), from_b = value_of(b, i);
    result.push_back(from_a == from_b ? from_a.node
                                      : select(condition, from_a.node, from_b.node, spirv_width(module_[phi].type)));
  }
  define(phi, std::move(result));
}

// The same for the outputs that the sides store.
void Builder::select_outputs() {
  if (selections_.header_of(block_) == spirv::Cfg::kNone) return;
  for (const SideStores::Choice& choice : side_stores_.choices_at(block_))
    needed_[select(selections_.condition_at(block_), choice.a.node, choice.b.node, 32)] = true;
}

bool is_texture_read(Op op) {
  return op >= Op::OpImageSampleImplicitLod && op <= Op::OpImageQuerySamples && op != Op::OpImageWrite;
}

// Every driver computes it when it compiles, also where it may round as it likes, so that rule leaves it alone.
bool Builder::is_made_of_constants(InstRef inst) const {
  const auto operands = module_.operands(inst).subspan(spirv::first_value_operand(module_, inst));
  return module_[inst].result != 0 && spirv::is_removable(module_, inst) && !operands.empty() &&
         std::all_of(operands.begin(), operands.end(), [this](const spirv::Operand& operand) {
           const Op op = module_.def_op(operand.word);
           return !operand.is_id || constant_.count(operand.word) != 0 ||
                  (op >= Op::OpConstantTrue && op <= Op::OpSpecConstantOp);
         });
}

void Builder::add(InstRef inst) {
  const Op op = module_[inst].op;
  if (spirv::is_debug_inst(module_, inst)) return;
  const bool is_constant = is_made_of_constants(inst);
  if (is_constant) constant_.insert(module_[inst].result);
  if (values_.add_rename(inst)) return;
  if (op == Op::OpBranchConditional && selections_.is_header(block_)) return;
  if (op == Op::OpPhi) return add_phi(inst);
  if (op == Op::OpLoad) return add_load(inst);
  if (op == Op::OpStore) return add_store(inst);
  const Recipe recipe = recipe_of(operation_of(module_, inst));
  if (is_constant && !is_texture_read(op))
    return define(inst,
                  Components(std::min(spirv::scalars_of_type(module_, module_[inst].type), kMaxComponents), kNoNode));
  if (recipe.dots > 0) return add_products(inst, recipe);
  if (recipe.after[0].count == 0) return;
  if (is_texture_read(op)) return add_whole(inst, op == Op::OpImageRead ? Order::read : Order::none);
  if (!spirv::is_removable(module_, inst)) return add_whole(inst, Order::effect);
  add_component_wise(inst, recipe);
}

void Builder::add_block(std::uint32_t block) {
  block_ = block;
  select_outputs();
  last_effect_ = kNoNode;
  since_effect_.clear();
  const NodeId first = static_cast<NodeId>(graph_.nodes.size());
  for (const InstRef inst : function_.blocks[block].body) {
    const NodeId before = static_cast<NodeId>(graph_.nodes.size());
    add(inst);
    const bool is_branch = before < graph_.nodes.size() && graph_.nodes[before].op_class == OpClass::branch;
    for (NodeId node = first; is_branch && node < before; ++node) graph_.nodes[before].after.push_back(node);
  }
}

// ---- the graph as a whole

void Builder::connect_phis() {
  for (const InstRef inst : phis_) {
    const auto operands = module_.operands(inst);
    const Components& result = components(module_[inst].result);
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
      const std::uint32_t from = cfg_.block_of(operands[i + 1].word);
      if (from == spirv::Cfg::kNone || !cfg_.reachable(from)) continue;
      for (std::uint32_t c = 0; c < result.size(); ++c) {
        const NodeId value = component(operands[i].word, c);
        if (is_constant(value)) continue;
        if (value != result[c]) graph_.nodes[result[c]].operands.push_back(value);
        graph_.edge_uses.push_back({value, result[c], position_[from]});
      }
    }
  }
}

void Builder::find_loops() {
  for (const std::uint32_t block : blocks_)
    for (const std::uint32_t next : cfg_.successors(block))
      if (cfg_.dominates(next, block)) graph_.loops.push_back({position_[next], position_[block]});
}

OperationGraph Builder::run() {
  position_.assign(function_.blocks.size(), 0);
  for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) {
    if (!cfg_.reachable(block)) continue;
    position_[block] = static_cast<std::uint32_t>(blocks_.size());
    blocks_.push_back(block);
  }
  for (const std::uint32_t block : blocks_) add_block(block);
  connect_phis();
  find_loops();
  drop_unneeded(graph_, std::move(needed_));
  graph_.block_nodes.resize(blocks_.size());
  for (NodeId node = 0; node < graph_.nodes.size(); ++node)
    graph_.block_nodes[graph_.nodes[node].block].push_back(node);
  return std::move(graph_);
}

}  // namespace

OperationGraph operation_graph(const Module& module, Id function, spv::ExecutionModel model,
                               const CostProfile& profile) {
  const spirv::Function* body = module.function(function);
  return body == nullptr ? OperationGraph{} : Builder(module, *body, model, profile).run();
}

}  // namespace varylink::analysis
