// Values that are one of two things which the fragment shader has as well, depending on how the producer's code runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "io/code_edit.h"
#include "io/emitter.h"
#include "link/producer_values.h"
#include "spirv/uses.h"

namespace varylink::passes {

// How a value is chosen: by phis and selects, down to leaves.
struct ChoiceTree {
  enum class Kind : std::uint8_t { undefined, first, second, phi, select };
  Kind kind = Kind::undefined;
  spirv::InstRef phi;
  std::uint32_t component = 0;                 // of the phi
  std::vector<spirv::Id> parents;              // phi: the block that each child comes from, ascending
  graph::ValueId condition = graph::kNoValue;  // select: the first child where it holds
  std::vector<ChoiceTree> children;
};

struct Choice {
  graph::ValueId first = graph::kNoValue, second = graph::kNoValue;  // different ones
  ChoiceTree tree;
  // Equal for values that choose their first on the same runs of the code, as far as they are defined at all.
  std::vector<std::uint32_t> key;
};

// Reads choices of one producer. Refers to its arguments.
class ChoiceReader {
 public:
  // `is_free`: whether the consumer can compute the value by itself.
  ChoiceReader(const spirv::Module& module, const link::ProducerValues& values, const graph::ValueGraph& graph,
               std::function<bool(graph::ValueId)> is_free)
      : module_(module),
        values_(values),
        graph_(graph),
        is_free_(std::move(is_free)),
        places_(spirv::places_of(module)) {}

  // None if there are more than two things to choose from, or fewer, or if the choice goes around a loop.
  std::optional<Choice> read(graph::ValueId value);

 private:
  bool read(graph::ValueId value, std::uint32_t depth, Choice& choice, ChoiceTree& tree);
  bool read_phi(const graph::Value& node, std::uint32_t depth, Choice& choice, ChoiceTree& tree);
  bool read_leaf(graph::ValueId value, Choice& choice, ChoiceTree& tree) const;
  std::vector<std::uint32_t> key_of(const ChoiceTree& tree) const;

  const spirv::Module& module_;
  const link::ProducerValues& values_;
  const graph::ValueGraph& graph_;
  std::function<bool(graph::ValueId)> is_free_;
  std::vector<spirv::Place> places_;  // by instruction
};

// Writes the weight of the second thing: 1 where the choice is the second, 0 where it is the first or nothing.
class ChoiceWriter {
 public:
  ChoiceWriter(spirv::Module& module, const spirv::Function& function, const link::ProducerValues& values,
               spirv::Globals& globals, io::CodeEdit& edit);

  // Id of the weight in front of `place`; 0 if some condition of the tree is not to be had where it would be needed.
  // What was written for it by then is dead code.
  spirv::Id write(const ChoiceTree& tree, spirv::InstRef place);

 private:
  spirv::Id write_phi(const ChoiceTree& tree);
  spirv::Id write_select(const ChoiceTree& tree, spirv::InstRef place);
  spirv::InstRef end_of(spirv::Id block) const;

  spirv::Module& module_;
  const spirv::Function& function_;
  const link::ProducerValues& values_;
  spirv::Globals& globals_;
  io::CodeEdit& edit_;
  io::Emitter emitter_;
  spirv::Id float_type_;
};

}  // namespace varylink::passes
