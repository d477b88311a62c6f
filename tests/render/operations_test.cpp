// The table of operations against a driver: what folding makes of constants is what a device computes when it runs.
#include <string>
#include <vector>

#include "render/render_support.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/operation_samples.h"

namespace varylink::test {
namespace {

using spirv::Bits;
using spirv::OperationRow;
using spirv::Reading;

constexpr std::size_t kRandomSamples = 1000;

// A fragment stage that fills a storage buffer in a loop: word i is made of element i of each table. Tables are private
// variables at an index that is only known when it runs, so that no compiler folds anything.
class LoopText {
 public:
  explicit LoopText(std::size_t length) : length_(length) {}

  // A table of words, of which `name` is element i.
  void add_table(const std::string& name, const std::vector<Bits>& words) {
    std::string list;
    for (const Bits word : words) list += " " + constant(word);
    globals_ += "%all_" + name + " = OpConstantComposite %table" + list + "\n%of_" + name +
                " = OpVariable %table_pointer Private %all_" + name + "\n";
    code_ += "%at_" + name + " = OpAccessChain %word_pointer %of_" + name + " %i\n%" + name + " = OpLoad %uint %at_" +
             name + "\n";
  }
  void add_code(const std::string& code) { code_ += code; }

  // `word` is stored to the buffer.
  std::string whole(const std::string& word) const {
    const std::string length = std::to_string(length_);
    return "OpCapability Shader\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
           "OpEntryPoint Fragment %main \"main\" %color\nOpExecutionMode %main OriginUpperLeft\n"
           "OpDecorate %color Location 0\nOpDecorate %words ArrayStride 4\nOpDecorate %buffer BufferBlock\n"
           "OpMemberDecorate %buffer 0 Offset 0\nOpDecorate %results DescriptorSet 0\nOpDecorate %results Binding 0\n"
           "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%float = OpTypeFloat 32\n"
           "%uint = OpTypeInt 32 0\n%zero = OpConstant %uint 0\n%one = OpConstant %uint 1\n%length = OpConstant "
           "%uint " +
           length +
           "\n%words = OpTypeArray %uint %length\n%table = OpTypeArray %uint %length\n%buffer = OpTypeStruct %words\n"
           "%buffer_pointer = OpTypePointer Uniform %buffer\n%result_pointer = OpTypePointer Uniform %uint\n"
           "%table_pointer = OpTypePointer Private %table\n%word_pointer = OpTypePointer Private %uint\n"
           "%results = OpVariable %buffer_pointer Uniform\n%vec4 = OpTypeVector %float 4\n"
           "%color_pointer = OpTypePointer Output %vec4\n%color = OpVariable %color_pointer Output\n"
           "%half = OpConstant %float 0.5\n%gray = OpConstantComposite %vec4 %half %half %half %half\n" +
           constants_ + globals_ +
           "%main = OpFunction %void None %fn\n%start = OpLabel\nOpStore %color %gray\nOpBranch %head\n%head = "
           "OpLabel\n"
           "%i = OpPhi %uint %zero %start %next %continue\n%more = OpULessThan %bool %i %length\n"
           "OpLoopMerge %done %continue None\nOpBranchConditional %more %body %done\n%body = OpLabel\n" +
           code_ + "%place = OpAccessChain %result_pointer %results %zero %i\nOpStore %place %" + word +
           "\nOpBranch %continue\n%continue = OpLabel\n%next = OpIAdd %uint %i %one\nOpBranch %head\n"
           "%done = OpLabel\nOpReturn\nOpFunctionEnd\n";
  }

 private:
  std::string constant(Bits word) {
    const std::string name = "%w" + std::to_string(word);
    if (constants_.find(name + " ") == std::string::npos)
      constants_ += name + " = OpConstant %uint " + std::to_string(word) + "\n";
    return name;
  }

  std::size_t length_;
  std::string constants_, globals_, code_;
};

// The instruction, with operands that are words of tables; its result becomes the word "result".
std::string call_of(const OperationRow& row) {
  std::string before, call = "%value = " + instruction_text(row);
  for (std::size_t k = 0; k < row.operand_count; ++k) {
    const std::string word = "%operand" + std::to_string(k), number = "%number" + std::to_string(k);
    const Reading reading = row.operands[k];
    if (reading == Reading::boolean) before += number + " = OpINotEqual %bool " + word + " %zero\n";
    if (reading == Reading::floating) before += number + " = OpBitcast %float " + word + "\n";
    call += " " + (reading == Reading::boolean || reading == Reading::floating ? number : word);
  }
  std::string after = "%result = OpCopyObject %uint %value\n";
  if (row.result == Reading::boolean) after = "%result = OpSelect %uint %value %one %zero\n";
  if (row.result == Reading::floating) after = "%result = OpBitcast %uint %value\n";
  return before + call + "\n" + after;
}

std::vector<link::StageInput> pipeline_of(const std::string& fragment) {
  std::vector<link::StageInput> stages = compile({{Stage::vertex, R"(
layout(location = 0) in vec4 pos;
void main() { gl_Position = pos; })"}});
  const auto words = spirv::assemble(fragment, spirv::TargetEnv::vulkan1_0, "operation.frag");
  INFO((words ? std::string() : render(words.error())));
  REQUIRE(words);
  stages.push_back({Stage::fragment, "operation.frag", *words, ""});
  return stages;
}

verify::Comparison compare(const OperationRow& row, const std::vector<Operands>& samples, Bits wrong) {
  LoopText computed(samples.size()), stored(samples.size());
  for (std::size_t k = 0; k < row.operand_count; ++k) {
    std::vector<Bits> words;
    for (const Operands& operands : samples) words.push_back(operands[k]);
    computed.add_table("operand" + std::to_string(k), words);
  }
  computed.add_code(call_of(row));
  std::vector<Bits> results;
  for (const Operands& operands : samples) results.push_back(*folded(row, operands));
  results.back() ^= wrong;
  stored.add_table("folded", results);
  verify::VerifyOptions options;
  options.level = link::Level::check;
  options.runs = 1;
  options.width = options.height = 8;
  return renderer()->compare(pipeline_of(computed.whole("result")), pipeline_of(stored.whole("folded")), options);
}

std::vector<Operands> samples_of(const OperationRow& row) {
  std::vector<Operands> samples = edge_samples(row);
  for (Operands& operands : random_samples(row, kRandomSamples, [](const Operands&, Bits) { return true; }))
    samples.push_back(std::move(operands));
  return samples;
}

}  // namespace

TEST_CASE("render: a device computes what constants are folded to", "[render][operations]") {
  if (renderer() == nullptr) return;
  std::size_t rows = 0;
  for (const OperationRow* row : all_rows()) {
    const std::vector<Operands> samples = is_folded(*row) ? samples_of(*row) : std::vector<Operands>{};
    if (samples.empty()) continue;
    ++rows;
    INFO(row->name << ", " << samples.size() << " operands");
    const verify::Comparison same = compare(*row, samples, 0);
    INFO(same.text());
    CHECK(same.verdict == verify::Verdict::identical);
    CHECK(compare(*row, samples, 1).verdict == verify::Verdict::different);
  }
  CHECK(rows >= 60);
}

}  // namespace varylink::test
