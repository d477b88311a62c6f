// Values that are one of two things which the fragment shader has as well, depending on how the producer's code runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "link/values/producer_values.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/uses.h"

namespace varylink::passes {

// How a value is chosen: by phis and selects, down to leaves. Ways that lead to the same value share a node, so that
// there are as many nodes as values however many ways there are.
struct ChoiceNode {
  enum class Kind : std::uint8_t { undefined, first, second, phi, select };
  Kind kind = Kind::undefined;
  spirv::InstRef phi;
  std::uint32_t component = 0;                 // of the phi
  std::vector<spirv::Id> parents;              // phi: the block that each child comes from, ascending
  graph::ValueId condition = graph::kNoValue;  // select: the first child where it holds
  std::vector<std::uint32_t> children;         // positions in Choice::nodes, lower than that of this node
  std::uint32_t height = 0;                    // phis and selects on the longest way down
  // Some children are undefined, and all others are like this one: so is the node.
  std::optional<std::uint32_t> alike = std::nullopt;
};

struct Choice {
  graph::ValueId first = graph::kNoValue, second = graph::kNoValue;  // different ones
  std::vector<ChoiceNode> nodes;                                     // the last one is the value
  // Equal for values of one reader that choose their first on the same runs of the code, as far as they are defined at
  // all.
  std::uint32_t key = 0;
};

// Reads choices of one producer. Refers to its arguments.
class ChoiceReader {
 public:
  // `is_rematerializable`: whether the consumer can compute the value by itself.
  ChoiceReader(const spirv::Module& module, const link::ProducerValues& values, const graph::ValueGraph& graph,
               std::function<bool(graph::ValueId)> is_rematerializable)
      : module_(module),
        values_(values),
        graph_(graph),
        is_rematerializable_(std::move(is_rematerializable)),
        places_(spirv::places_of(module)) {}

  // None if there are more than two things to choose from, or fewer, if the choice goes around a loop, or if it has
  // more ways than kMostWays.
  std::optional<Choice> read(graph::ValueId value);

  static constexpr std::uint32_t kMostWays = 4096;

 private:
  struct Reading;
  std::optional<std::uint32_t> read(graph::ValueId value, std::uint32_t depth, Reading& reading) const;
  std::optional<ChoiceNode> node_of(graph::ValueId value, std::uint32_t depth, Reading& reading) const;
  std::optional<ChoiceNode> phi_node(const graph::Value& value, std::uint32_t depth, Reading& reading) const;
  bool add_child(ChoiceNode& node, graph::ValueId value, std::uint32_t depth, Reading& reading) const;
  std::uint32_t key_of(Choice& choice);

  const spirv::Module& module_;
  const link::ProducerValues& values_;
  const graph::ValueGraph& graph_;
  std::function<bool(graph::ValueId)> is_rematerializable_;
  std::vector<spirv::Place> places_;                             // by instruction
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;  // of what keys stand for
};

// Writes the weight of the second thing: 1 where the choice is the second, 0 where it is the first or nothing.
class ChoiceWriter {
 public:
  ChoiceWriter(spirv::Module& module, const spirv::Function& function, const link::ProducerValues& values,
               spirv::Globals& globals, spirv::CodeEdit& edit);

  // Id of the weight in front of `place`; 0 if some condition of the choice is not to be had where it would be needed.
  // Code written for it by then is dead.
  spirv::Id write(const Choice& choice, spirv::InstRef place);

 private:
  // Ids of the weights written for one choice: by node, and by place for weights that are computed there.
  using Written = std::map<std::pair<std::uint32_t, spirv::InstRef>, spirv::Id>;

  spirv::Id write(const Choice& choice, std::uint32_t node, spirv::InstRef place, Written& written);
  spirv::Id write_alike(const Choice& choice, std::uint32_t node, spirv::InstRef place, Written& written);
  spirv::Id write_phi(const Choice& choice, const ChoiceNode& node, Written& written);
  spirv::Id write_select(const Choice& choice, const ChoiceNode& node, spirv::InstRef place, Written& written);

  spirv::Module& module_;
  const link::ProducerValues& values_;
  spirv::Globals& globals_;
  spirv::CodeEdit& edit_;
  spirv::Emitter emitter_;
  spirv::Id float_type_;
  std::map<spirv::Id, spirv::InstRef> ends_;  // by block: in front of what a phi's operand can be computed there
};

}  // namespace varylink::passes
