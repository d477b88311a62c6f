#include "spirv/tools/call_work.h"

#include <algorithm>
#include <map>
#include <spirv/unified1/spirv.hpp11>
#include <vector>

#include "spirv/ir/header_words.h"

namespace varylink::spirv {
namespace {

using Calls = std::map<std::uint32_t, std::vector<std::uint32_t>>;  // by function

Calls calls_of(std::span<const std::uint32_t> words) {
  Calls calls;
  std::vector<std::uint32_t>* current = nullptr;
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    if (count == 0 || count > words.size() - at) break;
    if (op == spv::Op::OpFunction && count > 2) current = &calls[words[at + 2]];
    if (op == spv::Op::OpFunctionCall && count > 3 && current) current->push_back(words[at + 3]);
    at += count;
  }
  return calls;
}

// Keeps its own stack: chains may be as long as the module.
class Chains {
 public:
  explicit Chains(const Calls& calls) : calls_(calls) {}

  std::uint64_t longest() {
    std::uint64_t longest = 0;
    for (const auto& [function, callees] : calls_) longest = std::max(longest, from(function));
    return longest;
  }

 private:
  struct Frame {
    std::uint32_t function = 0;
    std::size_t next = 0;  // of its calls
  };

  std::uint64_t from(std::uint32_t start) {
    std::vector<Frame> open;
    const auto enter = [&](std::uint32_t function) {
      if (length_.try_emplace(function, 1).second) open.push_back({function, 0});
    };
    enter(start);
    while (!open.empty()) {
      const std::uint32_t function = open.back().function;
      const auto callees = calls_.find(function);
      if (callees != calls_.end() && open.back().next < callees->second.size()) {
        enter(callees->second[open.back().next++]);
        continue;
      }
      if (callees != calls_.end())
        for (const std::uint32_t callee : callees->second)
          length_[function] = std::max(length_[function], length_[callee] + 1);
      open.pop_back();
    }
    return length_[start];
  }

  const Calls& calls_;
  std::map<std::uint32_t, std::uint64_t> length_;  // of the longest chain from a function on, once it is left
};

}  // namespace

std::uint64_t call_work(std::span<const std::uint32_t> words) {
  const Calls calls = calls_of(words);
  return calls.size() * Chains(calls).longest();
}

}  // namespace varylink::spirv
