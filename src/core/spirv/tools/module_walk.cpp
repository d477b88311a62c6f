#include "spirv/tools/module_walk.h"

#include <spirv-tools/libspirv.h>

#include <array>
#include <memory>

#include "spirv/ir/header_words.h"
#include "spirv/ir/operations.h"
#include "spirv/tools/module_reader.h"

namespace varylink::spirv {
namespace {

struct ContextDeleter {
  void operator()(spv_context context) const { spvContextDestroy(context); }
};
struct DiagnosticDeleter {
  void operator()(spv_diagnostic diagnostic) const { spvDiagnosticDestroy(diagnostic); }
};

bool is_id(spv_operand_type_t type) {
  return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_TYPE_ID || type == SPV_OPERAND_TYPE_RESULT_ID ||
         type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID || type == SPV_OPERAND_TYPE_SCOPE_ID;
}

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

namespace {

struct WalkState {
  ModuleWalk walk;
  Reader reader{walk.module};
  std::size_t word_count = 0;
  Ids ids = Ids::as_written;
  std::uint32_t bound = 0;  // of the words
  std::span<const ForeignInst> foreign;
  std::vector<Operand> operands;

  void add_foreign(std::size_t up_to, spv::Op next) {
    for (; !foreign.empty() && foreign.front().at <= up_to; foreign = foreign.subspan(1))
      reader.add(foreign.front(), next);
  }
};

// Those behind type and result.
void take_operands(const spv_parsed_instruction_t& parsed, std::vector<Operand>& operands) {
  operands.clear();
  for (std::uint16_t i = 0; i < parsed.num_operands; ++i) {
    const spv_parsed_operand_t& operand = parsed.operands[i];
    if (operand.type == SPV_OPERAND_TYPE_TYPE_ID || operand.type == SPV_OPERAND_TYPE_RESULT_ID) continue;
    const bool is_value = is_id(operand.type);
    for (std::uint16_t word = 0; word < operand.num_words; ++word)
      operands.push_back({parsed.words[operand.offset + word], is_value});
  }
}

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
  state.reader.start(bound, state.word_count, state.ids);
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
  take_operands(*parsed, state.operands);
  state.reader.add(static_cast<spv::Op>(parsed->opcode), parsed->type_id, parsed->result_id, state.operands);
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
