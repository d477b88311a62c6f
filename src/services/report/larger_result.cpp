#include "report/larger_result.h"

#include <algorithm>

#include "spirv/ir/cfg.h"
#include "spirv/ir/code_size.h"
#include "spirv/tools/foreign_reader.h"

namespace varylink::report {
namespace {

std::size_t call_count(const spirv::Module& module) {
  std::size_t count = 0;
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      for (const spirv::InstRef inst : block.body) count += module[inst].op == spv::Op::OpFunctionCall ? 1 : 0;
  return count;
}

// Something that another stage computed is computed here now.
bool takes_code(Stage stage, const std::vector<link::InterfaceReport>& interfaces) {
  return std::any_of(interfaces.begin(), interfaces.end(), [&](const link::InterfaceReport& interface) {
    const bool reads = interface.consumer == stage, writes = interface.producer == stage;
    return (reads && interface.count(link::Outcome::uniform) != 0) ||
           ((reads || writes) && interface.count(link::Outcome::moved) != 0);
  });
}

}  // namespace

std::string reason_to_be_larger(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after,
                                Stage stage, const std::vector<link::InterfaceReport>& interfaces) {
  if (10 * after.size() <= 11 * before.size()) return {};
  const Result<spirv::Module> original = spirv::read_with_foreign(before, {});
  const Result<spirv::Module> result = spirv::read_with_foreign(after, {});
  if (!original || !result) return {};
  if (spirv::code_size(*result) <= spirv::code_size(*original))
    return "it declares more types, constants and variables";
  if (call_count(*result) < call_count(*original)) return "functions are written out at their calls";
  if (spirv::loop_count(*result) < spirv::loop_count(*original)) return "loops are unrolled";
  return takes_code(stage, interfaces) ? "it computes what another stage computed"
                                       : "vectors are taken apart and put together";
}

}  // namespace varylink::report
