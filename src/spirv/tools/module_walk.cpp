#include "spirv/tools/module_walk.h"

#include <spirv-tools/libspirv.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <unordered_map>

#include "spirv/ir/foreign.h"
#include "spirv/ir/header_words.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

struct ContextDeleter {
  void operator()(spv_context context) const { spvContextDestroy(context); }
};
struct DiagnosticDeleter {
  void operator()(spv_diagnostic diagnostic) const { spvDiagnosticDestroy(diagnostic); }
};

// The largest id bound we accept. The SPIR-V universal limit is 0x3fffff; a bound beyond it only costs memory.
constexpr std::uint32_t kMaxBound = 0x400000u;

bool is_id(spv_operand_type_t type) {
  return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_TYPE_ID || type == SPV_OPERAND_TYPE_RESULT_ID ||
         type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID || type == SPV_OPERAND_TYPE_SCOPE_ID;
}

// An instruction that has a result takes two words at least: compilers leave no module like this. Small tables are not
// worth that ids change.
bool is_sparse(std::uint32_t bound, std::size_t word_count) { return bound > 0x10000u && bound > word_count; }

class DenseIds {
 public:
  Id of(Id written) {
    if (written == 0) return 0;
    const auto [entry, is_new] = dense_.try_emplace(written, bound_);
    if (is_new) ++bound_;
    return entry->second;
  }
  Id bound() const { return bound_; }

 private:
  std::unordered_map<Id, Id> dense_;
  Id bound_ = 1;
};

bool is_debug_line(spv::Op op) { return op == spv::Op::OpLine || op == spv::Op::OpNoLine; }

}  // namespace

std::span<const Section> sections() {
  static constexpr std::array<Section, 11> kSections = {
      &Module::capabilities,    &Module::extensions,      &Module::imports,       &Module::memory_model,
      &Module::entry_points,    &Module::execution_modes, &Module::debug_strings, &Module::debug_names,
      &Module::debug_processed, &Module::annotations,     &Module::types};
  return kSections;
}

Section section_of(spv::Op op) { return sections()[static_cast<std::size_t>(row_of(op).part)]; }

bool is_terminator(spv::Op op) { return row_of(op).is(kEndsBlock); }

// Sorts a stream of instructions into sections and functions. Functions come last and are made of blocks (SPIR-V 2.4):
// what stands elsewhere is misplaced, and would be written in another place than it was read from.
class Reader {
 public:
  explicit Reader(Module& module) : module_(module) {}

  void add(const spv_parsed_instruction_t& parsed) {
    const InstRef inst = create(parsed);
    const spv::Op op = static_cast<spv::Op>(parsed.opcode);
    if (in_function_)
      add_to_function(inst, op);
    else if (op == spv::Op::OpFunction)
      start_function(inst);
    else if (is_debug_line(op))
      pending_.push_back(inst);
    else if (module_.functions.empty() || op == spv::Op::OpExtInst)  // non-semantic ones may stand between functions
      add_to_section(inst, section_of(op));
    else
      found_misplaced_ = true;
  }

  // `next` is the known instruction behind it.
  void add(const ForeignInst& foreign, spv::Op next) {
    const InstRef inst = module_.create(static_cast<spv::Op>(foreign.opcode | kForeignMark), foreign.type,
                                        foreign.result, foreign.operands);
    if (in_function_ && block_open_)
      module_.functions.back().blocks.back().body.push_back(inst);
    else if (!in_function_ && module_.functions.empty())
      add_to_section(inst, section_in_front_of(next, static_cast<spv::Op>(foreign.opcode)));
    else
      found_misplaced_ = true;
  }

  bool found_misplaced() const { return found_misplaced_; }
  bool found_out_of_order() const { return found_out_of_order_; }
  void make_dense() { dense_ids_.emplace(); }
  void finish() {
    flush_pending(module_.types);
    if (dense_ids_) module_.bound = dense_ids_->bound();
  }

 private:
  InstRef create(const spv_parsed_instruction_t& parsed) {
    operands_.clear();
    for (std::uint16_t i = 0; i < parsed.num_operands; ++i) {
      const spv_parsed_operand_t& operand = parsed.operands[i];
      if (operand.type == SPV_OPERAND_TYPE_TYPE_ID || operand.type == SPV_OPERAND_TYPE_RESULT_ID) continue;
      const bool is_value = is_id(operand.type);
      for (std::uint16_t word = 0; word < operand.num_words; ++word) {
        const std::uint32_t written = parsed.words[operand.offset + word];
        operands_.push_back({is_value ? id_of(written) : written, is_value});
      }
    }
    return module_.create(static_cast<spv::Op>(parsed.opcode), id_of(parsed.type_id), id_of(parsed.result_id),
                          operands_);
  }

  Id id_of(Id written) { return dense_ids_ ? dense_ids_->of(written) : written; }

  void start_function(InstRef inst) {
    Function function;
    function.result = module_[inst].result;
    function.head = std::move(pending_);
    pending_.clear();
    function.head.push_back(inst);
    module_.functions.push_back(std::move(function));
    in_function_ = true;
    block_open_ = false;
  }

  void add_to_function(InstRef inst, spv::Op op) {
    Function& function = module_.functions.back();
    if (op == spv::Op::OpFunctionEnd) {
      flush_pending(function.tail);
      function.tail.push_back(inst);
      in_function_ = false;
    } else if (op == spv::Op::OpLabel) {
      Block block;
      block.label = module_[inst].result;
      flush_pending(block.head);
      block.head.push_back(inst);
      function.blocks.push_back(std::move(block));
      block_open_ = true;
    } else if (block_open_) {
      function.blocks.back().body.push_back(inst);
      if (is_terminator(op)) block_open_ = false;
    } else if (is_debug_line(op) || (op == spv::Op::OpExtInst && !function.blocks.empty())) {
      pending_.push_back(inst);  // spirv-opt ends the scope of a function in front of OpFunctionEnd
    } else {
      flush_pending(function.head);
      function.head.push_back(inst);
      found_misplaced_ = found_misplaced_ || op != spv::Op::OpFunctionParameter || !function.blocks.empty();
    }
  }

  // An opcode that is not known says nothing; what stands around it does. In front of all names and decorations it may
  // be an execution mode.
  Section section_in_front_of(spv::Op next, spv::Op op) const {
    const Section own = section_of(op), following = section_of(next);
    if (own != &Module::types) return own;
    const std::ptrdiff_t names = place_of(&Module::debug_strings);
    return last_section_ < names && place_of(following) >= names ? &Module::execution_modes : following;
  }

  static std::ptrdiff_t place_of(Section section) {
    const auto all = sections();
    return std::find(all.begin(), all.end(), section) - all.begin();
  }

  void add_to_section(InstRef inst, Section section) {
    if (module_[inst].op != spv::Op::OpExtInst) {  // non-semantic ones may stand in front of what belongs before them
      const std::ptrdiff_t place = place_of(section);
      found_out_of_order_ = found_out_of_order_ || place < last_section_;
      last_section_ = std::max(last_section_, place);
    }
    flush_pending(module_.*section);
    (module_.*section).push_back(inst);
  }

  void flush_pending(std::vector<InstRef>& list) {
    list.insert(list.end(), pending_.begin(), pending_.end());
    pending_.clear();
  }

  Module& module_;
  std::optional<DenseIds> dense_ids_;
  std::vector<Operand> operands_;
  std::vector<InstRef> pending_;  // debug lines whose place the next instruction decides
  bool in_function_ = false;
  bool block_open_ = false;
  bool found_misplaced_ = false;
  bool found_out_of_order_ = false;
  std::ptrdiff_t last_section_ = 0;  // that anything stood in
};

namespace {

struct WalkState {
  ModuleWalk walk;
  Reader reader{walk.module};
  std::size_t word_count = 0;
  Ids ids = Ids::as_written;
  std::uint32_t bound = 0;  // of the words
  std::span<const ForeignInst> foreign;

  void add_foreign(std::size_t up_to, spv::Op next) {
    for (; !foreign.empty() && foreign.front().at <= up_to; foreign = foreign.subspan(1))
      reader.add(foreign.front(), next);
  }
};

spv_result_t refuse(ModuleWalk& walk, const char* error) {
  walk.error = error;
  walk.is_damage = true;
  return SPV_ERROR_INVALID_BINARY;
}

spv_result_t on_header(void* user, spv_endianness_t, std::uint32_t, std::uint32_t version, std::uint32_t generator,
                       std::uint32_t bound, std::uint32_t schema) {
  auto& state = *static_cast<WalkState*>(user);
  ModuleWalk& walk = state.walk;
  walk.module.version = version;
  walk.module.generator = generator;
  walk.module.schema = schema;
  state.bound = bound;
  if (bound > kMaxBound) return refuse(walk, "the id bound of the module is larger than SPIR-V allows");
  if (state.ids == Ids::dense && is_sparse(bound, state.word_count))
    state.reader.make_dense();
  else
    walk.module.bound = bound;
  walk.at = kHeaderWords;
  return SPV_SUCCESS;
}

// Every id a module mentions is below its bound (SPIR-V 2.16.1), so that tables by id need no further checks.
bool names_id_beyond(const spv_parsed_instruction_t& parsed, std::uint32_t bound) {
  for (std::uint16_t i = 0; i < parsed.num_operands; ++i)
    if (is_id(parsed.operands[i].type) && parsed.words[parsed.operands[i].offset] >= bound) return true;
  return false;
}

spv_result_t on_instruction(void* user, const spv_parsed_instruction_t* parsed) {
  auto& state = *static_cast<WalkState*>(user);
  // Tables are indexed by id, so an id that the header did not announce could cost any amount of memory.
  if (names_id_beyond(*parsed, state.bound))
    return refuse(state.walk, "an instruction names an id beyond the bound of the module");
  state.add_foreign(state.walk.at, static_cast<spv::Op>(parsed->opcode));
  state.reader.add(*parsed);
  state.walk.at += parsed->num_words;
  return SPV_SUCCESS;
}

}  // namespace

ModuleWalk walk_module(std::span<const std::uint32_t> words, Ids ids, std::span<const ForeignInst> foreign) {
  const std::unique_ptr<spv_context_t, ContextDeleter> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6));
  WalkState state;
  state.word_count = words.size();
  state.ids = ids;
  state.foreign = foreign;
  spv_diagnostic raw = nullptr;
  const spv_result_t result =
      spvBinaryParse(context.get(), &state, words.data(), words.size(), on_header, on_instruction, &raw);
  const std::unique_ptr<spv_diagnostic_t, DiagnosticDeleter> diagnostic(raw);
  if (result != SPV_SUCCESS && state.walk.error.empty())
    state.walk.error = diagnostic && diagnostic->error ? diagnostic->error : "malformed instruction stream";
  if (result == SPV_SUCCESS) state.add_foreign(words.size(), spv::Op::OpNop);
  state.reader.finish();
  state.walk.is_misplaced = state.reader.found_misplaced();
  state.walk.is_out_of_order = state.reader.found_out_of_order();
  return std::move(state.walk);
}

}  // namespace varylink::spirv
