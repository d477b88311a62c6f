// Where code comes from, apart from the code. Lines and scopes hold from one instruction on to the next, so that code
// that moves takes those of its neighbours; here they are recorded for each instruction, and written again for the code
// that is left. The rules:
//   an instruction that moves keeps its line and scope; one that is rewritten, too
//   an instruction that replaces several keeps those of the one whose result it keeps
//   a copy in another function is inlined at the call (DebugInlinedAt), also if it was inlined elsewhere before
//   a new instruction has none, and gets those of its neighbour in front
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "spirv/ir/globals.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// OpLine, OpNoLine, and of NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100 the lines and scopes, of one
// module.
class SourcePlaces {
 public:
  // Takes them out of all blocks. Modules without any cost one walk.
  explicit SourcePlaces(Module& module);

  // `code`, which is `original` or a copy of it, stands where `call` called the function that `original` is from.
  void inline_at(Module& module, InstRef original, InstRef code, InstRef call);
  // `copy` is from where `original` is.
  void copy(InstRef original, InstRef copy);

  // Ids of the global section that the places need meanwhile. They may have no other use, so that they look unused.
  std::vector<Id> held() const;

  // Writes them again, where they change, and removes numbers that only those that are gone needed. Handles of
  // instructions are those of the constructor or newer.
  void put_back(Module& module);

 private:
  using Number = std::uint32_t;  // of a Mark, counted from 1; 0: none
  static constexpr Number kUnknown = 0xffffffffu;
  struct Mark {
    spv::Op op = spv::Op::OpNop;
    Id type = 0;
    std::vector<Operand> operands;
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  struct Place {
    Number line = kUnknown, scope = kUnknown;
  };
  enum class Kind : std::uint8_t { none, line, no_line, scope, no_scope };

  Kind kind_of(const Module& module, InstRef inst) const;
  Number number_of(Mark mark);
  Place place_of(InstRef inst) const { return inst.index < places_.size() ? places_[inst.index] : Place{}; }
  void set_place(InstRef inst, Place place);
  void take_from(Module& module, Block& block);
  void write_into(Module& module, Block& block);
  InstRef create(Module& module, const Mark& mark);
  void move_to(Module& module, std::vector<InstRef>& body, Number& current, Number wanted, bool is_scope);
  void remove_unused_numbers(Module& module) const;

  Number inlined_scope(Module& module, Number scope, InstRef call);
  Id inlined_at(Module& module, Id inner, InstRef call);
  Id call_site(Module& module, Id line, Id scope, Id outer);
  Id line_of(Module& module, InstRef call, Id otherwise);

  bool any_ = false;
  Id set_ = 0;            // of debug instructions
  Id void_ = 0;           // their type
  bool has_ids_ = false;  // operands of the set are ids, numbers too
  std::vector<Mark> marks_;
  std::map<std::vector<std::uint32_t>, Number> numbers_;  // by words
  std::vector<Place> places_;                             // by InstRef::index
  std::vector<Id> spare_;                                 // ids of instructions that were taken out
  std::size_t next_spare_ = 0;
  std::map<std::pair<Id, InstRef>, Id> sites_;  // DebugInlinedAt of code that was inlined there before, by call
};

}  // namespace varylink::spirv
