// Rules about what the code of one stage does.
#include <algorithm>
#include <set>

#include "check/checks.h"
#include "check/modes.h"
#include "spirv/ir/call_tree.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "varyings/reflect/access_analysis.h"
#include "varyings/reflect/built_ins.h"

namespace varylink::check {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

spv::StorageClass storage_class(const Module& module, Id pointer) {
  const InstRef type = module.def(module.type_of(pointer));
  if (!type || module[type].op != spv::Op::OpTypePointer) return spv::StorageClass::Max;
  return static_cast<spv::StorageClass>(module.operand(type, 0).word);
}

// Bytes of the largest scalar in a type, physical pointers included; 0 if it has none.
std::uint32_t largest_scalar(const Module& module, Id type) {
  switch (spirv::type_kind(module, type)) {
    case spirv::TypeKind::pointer: return 8;
    case spirv::TypeKind::integer:
    case spirv::TypeKind::floating: return module.operand(module.def(type), 0).word / 8;
    case spirv::TypeKind::vector:
    case spirv::TypeKind::matrix:
    case spirv::TypeKind::array:
    case spirv::TypeKind::runtime_array: return largest_scalar(module, module.operand(module.def(type), 0).word);
    case spirv::TypeKind::structure: {
      std::uint32_t largest = 0;
      for (const spirv::Operand& member : module.operands(module.def(type)))
        largest = std::max(largest, largest_scalar(module, member.word));
      return largest;
    }
    default: return 0;
  }
}

class CodeCheck {
 public:
  CodeCheck(const CheckedStage& stage, Reporter& reporter)
      : stage_(stage), module_(*stage.view.module), reporter_(reporter) {}

  void run() {
    for (const Id function : spirv::call_tree(module_, {stage_.view.entry.function})) {
      const spirv::Function* body = module_.function(function);
      if (!body) continue;
      for (const spirv::Block& block : body->blocks)
        for (const InstRef inst : block.body) visit(inst);
    }
    check_stream_primitives();
  }

 private:
  void visit(InstRef inst) {
    switch (module_[inst].op) {
      case spv::Op::OpLoad:
        check_mesh_read(inst);
        check_alignment(inst, 1);
        break;
      case spv::Op::OpStore: check_alignment(inst, 2); break;
      case spv::Op::OpSetMeshOutputsEXT:
        check_count(inst, 0, spv::ExecutionMode::OutputVertices, "vertices");
        check_count(inst, 1, spv::ExecutionMode::OutputPrimitivesEXT, "primitives");
        break;
      case spv::Op::OpEmitStreamVertex:
      case spv::Op::OpEndStreamPrimitive: check_stream(inst); break;
      default: break;
    }
  }

  void report_once(Rule rule, Id variable, std::string message) {
    if (told_.insert(rule).second)
      reporter_.report(rule, {&stage_.view, variable, nullptr, 0, std::nullopt}, std::move(message));
  }

  void check_mesh_read(InstRef load);
  void check_alignment(InstRef access, std::uint32_t mask);
  void check_count(InstRef set, std::uint32_t operand, spv::ExecutionMode mode, const char* what);
  void check_stream(InstRef inst);
  void check_stream_primitives();

  const CheckedStage& stage_;
  const Module& module_;
  Reporter& reporter_;
  std::set<Rule> told_;
  std::set<std::int64_t> streams_;  // that vertices are emitted to
};

void CodeCheck::check_mesh_read(InstRef load) {
  if (stage_.view.entry.stage != Stage::mesh) return;
  const auto root = varyings::pointer_root(module_, module_.operand(load, 0).word);
  if (!root || storage_class(module_, root->variable) != spv::StorageClass::Output) return;
  report_once(Rule::mesh_output_read, root->variable,
              "the mesh stage reads its output " + module_.name(root->variable));
}

// `mask` is the place of the memory operands, where Aligned has the first literal behind them.
void CodeCheck::check_alignment(InstRef access, std::uint32_t mask) {
  const auto operands = module_.operands(access);
  if (operands.size() < mask + 2 ||
      (operands[mask].word & static_cast<std::uint32_t>(spv::MemoryAccessMask::Aligned)) == 0)
    return;
  const Id pointer = operands[0].word;
  if (storage_class(module_, pointer) != spv::StorageClass::PhysicalStorageBuffer) return;
  const std::uint32_t scalar = largest_scalar(module_, spirv::pointee_type(module_, module_.type_of(pointer)));
  const std::uint32_t alignment = operands[mask + 1].word;
  if (scalar == 0 || alignment % scalar == 0) return;
  report_once(Rule::pointer_alignment, 0,
              std::string(module_[access].op == spv::Op::OpLoad ? "a load" : "a store") +
                  " through a physical pointer is aligned to " + std::to_string(alignment) +
                  " bytes, its largest scalar takes " + std::to_string(scalar));
}

void CodeCheck::check_count(InstRef set, std::uint32_t operand, spv::ExecutionMode mode, const char* what) {
  const auto count = spirv::constant_int(module_, module_.operand(set, operand).word);
  const auto declared = mode_value(stage_.view, mode);
  if (!count || !declared || *count <= std::int64_t{*declared}) return;
  report_once(Rule::mesh_output_counts, 0,
              "sets " + std::to_string(*count) + " " + what + " but declares at most " + std::to_string(*declared));
}

void CodeCheck::check_stream(InstRef inst) {
  const auto stream = spirv::constant_int(module_, module_.operand(inst, 0).word);
  if (!stream) return;
  if (module_[inst].op == spv::Op::OpEmitStreamVertex) streams_.insert(*stream);
  const std::uint32_t limit = reporter_.options().limits.max_transform_feedback_streams;
  if (*stream < std::int64_t{limit}) return;
  report_once(
      Rule::xfb_limit_emit_stream, 0,
      "writes to stream " + std::to_string(*stream) + ", maxTransformFeedbackStreams is " + std::to_string(limit));
}

void CodeCheck::check_stream_primitives() {
  if (streams_.size() < 2 || has_mode(stage_.view, spv::ExecutionMode::OutputPoints) ||
      reporter_.options().limits.transform_feedback_streams_lines_triangles != 0)
    return;
  report_once(Rule::xfb_streams_primitive, 0,
              "writes " + std::to_string(streams_.size()) +
                  " streams of lines or triangles, for which the device needs transformFeedbackStreamsLinesTriangles");
}

}  // namespace

void check_code(const CheckedStage& stage, Reporter& reporter) { CodeCheck(stage, reporter).run(); }

}  // namespace varylink::check
