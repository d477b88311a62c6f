#include "spirv/tools/binary.h"

#include <spirv-tools/libspirv.h>

#include <cstring>
#include <memory>

#include "spirv/ir/header_words.h"
#include "spirv/tools/tool_words.h"

namespace varylink::spirv {
namespace {

struct ContextDeleter {
  void operator()(spv_context context) const { spvContextDestroy(context); }
};
struct DiagnosticDeleter {
  void operator()(spv_diagnostic diagnostic) const { spvDiagnosticDestroy(diagnostic); }
};

constexpr std::uint32_t kNewestVersion = 0x00010600u;  // the environment that modules are parsed for

// The largest id bound we accept. The SPIR-V universal limit is 0x3fffff; a bound beyond it only costs memory.
constexpr std::uint32_t kMaxBound = 0x400000u;

std::uint32_t swapped(std::uint32_t word) {
  return (word >> 24) | ((word >> 8) & 0xff00u) | ((word << 8) & 0xff0000u) | (word << 24);
}

bool is_id(spv_operand_type_t type) {
  return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_TYPE_ID || type == SPV_OPERAND_TYPE_RESULT_ID ||
         type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID || type == SPV_OPERAND_TYPE_SCOPE_ID;
}

bool is_debug_line(spv::Op op) { return op == spv::Op::OpLine || op == spv::Op::OpNoLine; }

}  // namespace

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
      add_to_section(inst, op);
    else
      found_misplaced_ = true;
  }

  bool found_misplaced() const { return found_misplaced_; }
  void finish() { flush_pending(module_.types); }

 private:
  InstRef create(const spv_parsed_instruction_t& parsed) {
    operands_.clear();
    for (std::uint16_t i = 0; i < parsed.num_operands; ++i) {
      const spv_parsed_operand_t& operand = parsed.operands[i];
      if (operand.type == SPV_OPERAND_TYPE_TYPE_ID || operand.type == SPV_OPERAND_TYPE_RESULT_ID) continue;
      const bool is_value = is_id(operand.type);
      for (std::uint16_t word = 0; word < operand.num_words; ++word)
        operands_.push_back({parsed.words[operand.offset + word], is_value});
    }
    return module_.create(static_cast<spv::Op>(parsed.opcode), parsed.type_id, parsed.result_id, operands_);
  }

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
    } else if (is_debug_line(op)) {
      pending_.push_back(inst);
    } else {
      flush_pending(function.head);
      function.head.push_back(inst);
      found_misplaced_ = found_misplaced_ || op != spv::Op::OpFunctionParameter || !function.blocks.empty();
    }
  }

  void add_to_section(InstRef inst, spv::Op op) {
    std::vector<InstRef>& section = section_of(op);
    flush_pending(section);
    section.push_back(inst);
  }

  std::vector<InstRef>& section_of(spv::Op op) {
    switch (op) {
      case spv::Op::OpCapability: return module_.capabilities;
      case spv::Op::OpExtension: return module_.extensions;
      case spv::Op::OpExtInstImport: return module_.imports;
      case spv::Op::OpMemoryModel: return module_.memory_model;
      case spv::Op::OpEntryPoint: return module_.entry_points;
      case spv::Op::OpExecutionMode:
      case spv::Op::OpExecutionModeId: return module_.execution_modes;
      case spv::Op::OpString:
      case spv::Op::OpSource:
      case spv::Op::OpSourceContinued:
      case spv::Op::OpSourceExtension: return module_.debug_strings;
      case spv::Op::OpName:
      case spv::Op::OpMemberName: return module_.debug_names;
      case spv::Op::OpModuleProcessed: return module_.debug_processed;
      case spv::Op::OpDecorate:
      case spv::Op::OpDecorateId:
      case spv::Op::OpDecorateString:
      case spv::Op::OpMemberDecorate:
      case spv::Op::OpMemberDecorateString:
      case spv::Op::OpDecorationGroup:
      case spv::Op::OpGroupDecorate:
      case spv::Op::OpGroupMemberDecorate: return module_.annotations;
      default: return module_.types;
    }
  }

  static bool is_terminator(spv::Op op) {
    switch (op) {
      case spv::Op::OpBranch:
      case spv::Op::OpBranchConditional:
      case spv::Op::OpSwitch:
      case spv::Op::OpKill:
      case spv::Op::OpReturn:
      case spv::Op::OpReturnValue:
      case spv::Op::OpUnreachable:
      case spv::Op::OpTerminateInvocation:
      case spv::Op::OpIgnoreIntersectionKHR:
      case spv::Op::OpTerminateRayKHR:
      case spv::Op::OpEmitMeshTasksEXT: return true;
      default: return false;
    }
  }

  void flush_pending(std::vector<InstRef>& list) {
    list.insert(list.end(), pending_.begin(), pending_.end());
    pending_.clear();
  }

  Module& module_;
  std::vector<Operand> operands_;
  std::vector<InstRef> pending_;  // debug lines whose place the next instruction decides
  bool in_function_ = false;
  bool block_open_ = false;
  bool found_misplaced_ = false;
};

namespace {

struct ReadState {
  Module module;
  Reader reader{module};
  bool bound_too_large = false;
  bool id_beyond_bound = false;
};

spv_result_t on_header(void* user, spv_endianness_t, std::uint32_t, std::uint32_t version, std::uint32_t generator,
                       std::uint32_t bound, std::uint32_t schema) {
  auto& state = *static_cast<ReadState*>(user);
  state.module.version = version;
  state.module.generator = generator;
  state.module.bound = bound;
  state.module.schema = schema;
  state.bound_too_large = bound > kMaxBound;
  return state.bound_too_large ? SPV_ERROR_INVALID_BINARY : SPV_SUCCESS;
}

// Every id a module mentions is below its bound (SPIR-V 2.16.1), so that tables by id need no further checks.
bool names_id_beyond(const spv_parsed_instruction_t& parsed, std::uint32_t bound) {
  for (std::uint16_t i = 0; i < parsed.num_operands; ++i)
    if (is_id(parsed.operands[i].type) && parsed.words[parsed.operands[i].offset] >= bound) return true;
  return false;
}

spv_result_t on_instruction(void* user, const spv_parsed_instruction_t* parsed) {
  auto& state = *static_cast<ReadState*>(user);
  // Tables are indexed by id, so an id that the header did not announce could cost any amount of memory.
  state.id_beyond_bound = names_id_beyond(*parsed, state.module.bound);
  if (state.id_beyond_bound) return SPV_ERROR_INVALID_BINARY;
  state.reader.add(*parsed);
  return SPV_SUCCESS;
}

void append(std::vector<std::uint32_t>& words, const Module& module, std::span<const InstRef> list) {
  for (const InstRef inst : list) {
    if (module.is_dead(inst)) continue;
    const Inst& record = module[inst];
    const auto operands = module.operands(inst);
    const std::uint32_t count =
        1 + (record.type != 0) + (record.result != 0) + static_cast<std::uint32_t>(operands.size());
    words.push_back(count << 16 | static_cast<std::uint32_t>(record.op));
    if (record.type != 0) words.push_back(record.type);
    if (record.result != 0) words.push_back(record.result);
    for (const Operand& operand : operands) words.push_back(operand.word);
  }
}

// `detail` is what SPIRV-Tools say; of a version that they do not know they say that the header could not be parsed.
std::string reason_for_refusal(std::span<const std::uint32_t> words, const std::string& detail) {
  const std::string tools = "SPIRV-Tools " + std::string(spvSoftwareVersionString());
  const std::uint32_t version = words[0] == swapped(kMagic) ? swapped(words[1]) : words[1];
  const bool is_version = (version & 0xff0000ffu) == 0;
  if (is_version && version > kNewestVersion && is_complete_stream(words))
    return "SPIR-V " + std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 0xff) +
           " is newer than this build, which reads SPIR-V up to 1.6 (" + tools + ")";
  if (is_complete_stream(words)) return "the module uses what this build does not know (" + tools + "): " + detail;
  return "not a SPIR-V module: " + detail;
}

}  // namespace

Result<Module> read_module(std::span<const std::uint32_t> words, const FileRef& file) {
  if (words.size() < kHeaderWords)
    return make_error(ErrorKind::invalid_spirv, file, "the file is too short to be a SPIR-V module");
  const std::unique_ptr<spv_context_t, ContextDeleter> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6));
  ReadState state;
  spv_diagnostic raw = nullptr;
  const std::vector<std::uint32_t> known = with_known_languages(words);
  const spv_result_t result =
      spvBinaryParse(context.get(), &state, known.data(), known.size(), on_header, on_instruction, &raw);
  const std::unique_ptr<spv_diagnostic_t, DiagnosticDeleter> diagnostic(raw);
  if (state.bound_too_large)
    return make_error(ErrorKind::invalid_spirv, file, "the id bound of the module is larger than SPIR-V allows");
  if (state.id_beyond_bound)
    return make_error(ErrorKind::invalid_spirv, file, "an instruction names an id beyond the bound of the module");
  if (result != SPV_SUCCESS) {
    const std::string detail = diagnostic && diagnostic->error ? diagnostic->error : "malformed instruction stream";
    return make_error(ErrorKind::invalid_spirv, file, reason_for_refusal(words, detail));
  }
  if (state.reader.found_misplaced())
    return make_error(ErrorKind::invalid_spirv, file,
                      "an instruction stands behind the functions, or in one but in no block");
  state.reader.finish();
  restore_languages(state.module, source_languages(words));
  return std::move(state.module);
}

bool is_complete_stream(std::span<const std::uint32_t> words) {
  constexpr std::size_t kHeader = 5;
  if (words.size() <= kHeader || words[0] != spv::MagicNumber) return false;
  std::size_t at = kHeader;
  while (at < words.size()) {
    const std::uint32_t length = words[at] >> spv::WordCountShift;
    if (length == 0 || length > words.size() - at) return false;
    at += length;
  }
  return true;
}

std::vector<std::uint32_t> write_module(const Module& module) {
  std::vector<std::uint32_t> words = {kMagic, module.version, module.generator, module.bound, module.schema};
  words.reserve(module.inst_count() * 5);
  for (const auto* section : {&module.capabilities, &module.extensions, &module.imports, &module.memory_model,
                              &module.entry_points, &module.execution_modes, &module.debug_strings, &module.debug_names,
                              &module.debug_processed, &module.annotations, &module.types})
    append(words, module, *section);
  for (const Function& function : module.functions) {
    append(words, module, function.head);
    for (const Block& block : function.blocks) {
      append(words, module, block.head);
      append(words, module, block.body);
    }
    append(words, module, function.tail);
  }
  return words;
}

Result<std::vector<std::uint32_t>> words_from_bytes(std::span<const char> bytes, const FileRef& file) {
  const auto bad = [&](const char* what) { return make_error(ErrorKind::invalid_spirv, file, what); };
  if (bytes.empty()) return bad("the file is empty");
  if (bytes.size() % 4 != 0) return bad("not SPIR-V: the size is not a multiple of four bytes");
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == swapped(kMagic))
    for (std::uint32_t& word : words) word = swapped(word);
  if (words[0] != kMagic) return bad("not SPIR-V: the magic number is missing");
  if (words.size() < kHeaderWords) return bad("the SPIR-V header is truncated");
  return words;
}

}  // namespace varylink::spirv
