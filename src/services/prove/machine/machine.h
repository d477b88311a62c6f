// The machine that execute() runs: values, pointers, memory and control flow of one entry point, all as terms. Its
// parts are in control_flow.cpp, loops.cpp, memory.cpp, instructions.cpp, arithmetic.cpp, images.cpp and
// glsl_functions.cpp; additions for primitives and patches are in vertices.cpp, emits.cpp and captures.cpp.
#pragma once

#include <functional>
#include <set>

#include "prove/machine/execution.h"
#include "prove/terms/unsupported.h"

namespace varylink::prove {

class LoopValues;

// The target of a pointer. Variables of the invocation are leaves of the State; buffers are read by byte offset, so
// that two declarations of one buffer give equal terms where their layouts agree.
struct Pointer {
  enum class Where { invocation, buffer, descriptor, vertex_input, vertex_output, mesh_output, shared };
  Where where = Where::invocation;
  Id variable = 0;
  Id type = 0;  // of what it points at
  std::uint32_t leaf = 0;
  struct Step {
    Term index = kNoTerm;
    std::uint32_t stride = 0, count = 0;  // in leaves; number of elements
  };
  std::vector<Step> steps;    // indices that are not constant; of buffers and descriptors without strides
  Term vertex = kNoTerm;      // vertex_input, vertex_output, mesh_output: which element; kNoTerm: all of them
  std::vector<Term> indices;  // shared: into the arrays on the way; `leaf` is the part
  Term root = kNoTerm;        // buffer and descriptor
  Term offset = kNoTerm;      // bytes, int32
  Term element = kNoTerm;     // buffer: offset of the array element, which may be past the bound range
  Term part = kNoTerm;        // buffer: offset of a column or component that was chosen by an index
  bool block_reached = false;
  bool read_only = false, is_volatile = false, is_aliased = false;
  bool row_major = false;
  std::uint32_t matrix_stride = 0, vector_stride = 0;
  std::uint64_t ordering = 0;  // buffer: memory operands of the access, and their scopes; 0: none

  std::span<const std::uint64_t> order() const { return {&ordering, ordering != 0 ? 1u : 0u}; }
};

struct Value {
  std::vector<Term> leaves;
  std::optional<Pointer> pointer;
};

// Contents of all variables of the invocation, and the outside world.
struct State {
  std::vector<Term> leaves;
};
constexpr std::uint32_t kMemoryLeaf = 0, kDemotedLeaf = 1, kPrimitivesLeaf = 2;

// A way into a block, or out of the function.
struct Path {
  Term condition = kNoTerm;
  State state;
  std::vector<Value> phis;  // of the block; of a return its value
  // Values of instructions inside of a loop when this path left it. Running a loop step by step defines them again in
  // each iteration, and paths leave in different ones.
  std::map<Id, Value> carried;
};

// Choices inside of each other that are looked through for what was converted from 16 bits.
constexpr std::uint32_t kMostHalves = 8;

constexpr std::uint32_t kReturn = 0xfffffffeu, kKill = 0xfffffffdu;
struct Exit {
  std::uint32_t target = 0;  // block, kReturn or kKill
  Path path;
};

// A read of memory to which other invocations store, until the next barrier.
struct ReadOfOthers {
  std::uint32_t leaf = 0;
  Term place = kNoTerm;   // the element, as of the invocation's own stores so far
  Term before = kNoTerm;  // these stores
  bool is_in_loop = false;
};

class Machine {
 public:
  Machine(Terms& terms, const spirv::Module& module, const spirv::EntryPoint& entry, Stage stage, Semantics semantics,
          InputSource& inputs);
  StageEffects run();

 private:
  // One activation of a function; functions are not recursive (SPIR-V 2.16.1).
  struct Frame {
    const spirv::Function& function;
    spirv::Cfg cfg;
    std::vector<std::uint32_t> order;                 // of blocks in reverse post-order
    std::vector<std::vector<std::uint32_t>> loop_of;  // header -> blocks of its natural loop; empty: no header
  };

  // execution.cpp
  void read_modes();
  Term modes_term();

  // control_flow.cpp
  std::vector<Exit> call(const spirv::Function& function, Term condition, State state);
  Frame& frame_of(const spirv::Function& function);
  void find_loops(Frame& frame);
  // Runs the blocks for which `inside` holds from `first` on; `head` blocks of loops that are entered from outside run
  // as loops, but `current` itself.
  std::vector<Exit> run_region(Frame& frame, std::uint32_t first, Path path, const std::vector<bool>& inside,
                               std::uint32_t current_loop);
  Path merge(std::vector<Path> paths);
  void merge_carried(const std::vector<Path>& paths, Path& result);
  Term merge_term(const std::vector<Path>& paths, Term condition, const std::function<Term(const Path&)>& part);
  void run_block(Frame& frame, std::uint32_t block, Path path, std::vector<Exit>& exits);
  void branch(Frame& frame, std::uint32_t from, Id to, Term condition, const State& state, std::vector<Exit>& exits);
  void terminate(Frame& frame, std::uint32_t block, spirv::InstRef ref, Term condition, State state,
                 std::vector<Exit>& exits);
  void switch_over(Frame& frame, std::uint32_t block, spirv::InstRef ref, Term condition, const State& state,
                   std::vector<Exit>& exits);
  std::vector<Value> phi_values(const Frame& frame, std::uint32_t from, std::uint32_t to);

  // loops.cpp
  struct Noted {
    std::size_t emitted = 0, loops = 0;
    std::vector<Term> at_barrier;
    std::vector<ReadOfOthers> reads;
    std::map<Term, Term> accesses;
    std::map<Term, std::set<Term>> quads;
  };
  Noted noted() const;
  void forget_since(const Noted& before);
  std::vector<Exit> run_loop(Frame& frame, std::uint32_t header, Path path);
  std::optional<std::vector<Exit>> unroll(Frame& frame, std::uint32_t header, const Path& path,
                                          const std::vector<bool>& inside);
  std::vector<Exit> summarize(Frame& frame, std::uint32_t header, const Path& path, const std::vector<bool>& inside);
  void note_loop(LoopValues& after, Term rounds, Term condition, std::size_t first_inside);
  std::vector<Id> values_used_outside(const Frame& frame, const std::vector<bool>& inside);

  // memory.cpp
  void declare_variables();
  void declare(spirv::InstRef variable);
  bool is_output(Id variable) const;
  void fill_inputs(Id variable, Id type, const std::vector<Sort>& sorts);
  void append_shape(Id type, std::vector<std::uint64_t>& literals) const;
  Pointer pointer_to(Id variable);
  Value access_chain(spirv::InstRef ref);
  void step_into(Pointer& pointer, Term index);
  void step_inside(Pointer& pointer, Term index) const;
  void step_into_endless(Pointer& pointer, Term index) const;
  void require_inside(Id type, Term index) const;
  void step_into_invocation(Pointer& pointer, Term index);
  void step_into_buffer(Pointer& pointer, Term index);
  Value load(const Pointer& pointer);
  Value load_leaves(const Pointer& pointer, const std::function<Term(std::uint32_t)>& leaf);
  void store(const Pointer& pointer, const Value& value);
  void store_steps(const Pointer& pointer, std::size_t step, std::uint32_t leaf, Term condition, const Value& value);
  Term load_steps(const Pointer& pointer, std::size_t step, std::uint32_t leaf,
                  const std::function<Term(std::uint32_t)>& at);
  std::uint32_t slot_of(Id variable);
  bool is_aliased(Id variable) const;
  void for_each_scalar(const Pointer& layout, Id type, Term offset, const std::function<void(Sort, Term)>& visit);
  std::optional<Term> note_access(const Pointer& pointer);
  Term place_at(const Pointer& pointer, const std::string& kind, Term offset);
  void note_elements(const Pointer& pointer);
  void note_element(Term index, std::uint64_t count);
  void note(Term place, Term condition);
  void note_unreachable(Term condition);
  Value load_buffer(const Pointer& pointer, std::optional<Term> place);
  void effect(const std::string& name, std::vector<Term> parts, std::span<const std::uint64_t> literals = {});

  // dense_indices.cpp
  struct Quotient {
    Term number = kNoTerm;
    std::uint32_t divisor = 1;
    bool is_signed = false;
  };
  std::optional<Quotient> quotient(Term term) const;
  bool is_remainder(Term index, Term row, const Quotient& quotient, std::uint32_t width, std::uint32_t behind);
  bool joins_row(Pointer& pointer, Term index, std::uint32_t columns);

  // instructions.cpp
  void run_instruction(spirv::InstRef ref);
  bool run_composite(spirv::InstRef ref);
  bool run_memory(spirv::InstRef ref);
  bool run_outside(spirv::InstRef ref);
  Value constant_value(Id id);
  Value spec_operation(spirv::InstRef ref);
  Value value(Id id);
  Term scalar(Id id) { return value(id).leaves.at(0); }
  Term without_mark(Term handle, const char* name) const;
  Term non_uniform(Id id, Term handle, const char* name);
  void set(Id id, Value value) {
    values_.at(id) = std::move(value);
    known_[id] = true;
  }
  Pointer ordered(Pointer pointer, std::span<const spirv::Operand> operands);
  void call_function(spirv::InstRef ref);
  Term across_quad(Sort sort, const std::string& name, std::span<const Term> operands,
                   std::span<const std::uint64_t> literals = {});
  void run_atomic(spirv::InstRef ref);
  void demote();

  // arithmetic.cpp
  bool run_arithmetic(spirv::InstRef ref);
  Value arithmetic(spv::Op op, Id type, std::span<const Value> operands, bool exact, std::span<const Id> operand_types);
  std::optional<Value> matrix_arithmetic(spv::Op op, Id type, std::span<const Value> operands,
                                         std::span<const Id> operand_types, bool exact);
  Term scalar_operation(spv::Op op, Sort sort, std::span<const Term> operands, bool exact);
  Term narrowed(Sort sort, Term number) const;
  bool is_half_of_pair(Term term, std::string_view conversion) const;
  bool has_16_bits(Term constant, const char* conversion) const;
  bool is_widened(Term term, const char* conversion, std::uint32_t choices) const;
  Term field_of_pair(spv::Op op, Sort sort, std::span<const Term> operands, std::uint32_t choices);
  // The choice between what both sides of a choice give; none if one of them gives none.
  template <typename Function>
  Term of_both(Term choice, Function function) {
    const std::vector<Term> sides(terms_.children(choice).begin(), terms_.children(choice).end());
    const Term yes = function(sides[1]), no = yes == kNoTerm ? kNoTerm : function(sides[2]);
    return no == kNoTerm ? kNoTerm : terms_.choose(sides[0], yes, no);
  }
  std::optional<Term> equal_integers(Term a, Term b);
  bool is_same(Term term) const;
  Term known_operation(spv::Op op, Sort sort, std::span<const Term> operands, bool exact);
  std::optional<Term> over_choices(spv::Op op, Sort sort, std::span<const Term> operands, bool exact);
  Value bit_cast(Id type, const Value& operand);
  bool is_exact(Id result, Sort sort) const;
  std::string exact_mark(Sort sort) const;
  void add_modes(Sort result, Sort operand, std::string& mark) const;
  bool has_modes_of(Sort result, Sort operand) const;
  bool has_modes(Sort sort) const;
  bool are_constants_under_modes(Sort sort, std::span<const Value> operands) const;
  bool modes_decide(spv::Op op, Sort sort, std::span<const Term> operands) const;
  Value rounded(Id type, const Value& operand, std::uint32_t mode);

  // glsl_functions.cpp
  bool run_glsl(spirv::InstRef ref);
  bool run_glsl_interpolation(spirv::InstRef ref, std::uint32_t number);
  std::optional<Term> fold_glsl(std::uint32_t number, Sort sort, const std::vector<Term>& operands);
  Term glsl_scalar(std::uint32_t number, Sort sort, const std::vector<Term>& operands);
  Term half_of_pair(std::uint32_t number, Term pair, std::size_t which, std::uint32_t choices);
  std::optional<Value> glsl_known(std::uint32_t number, Id type, const std::vector<Value>& operands);

  // vertices.cpp
  bool is_patch(Id variable, Id type) const;
  bool is_per_vertex(Id variable, Id type, spv::StorageClass storage) const;
  void declare_per_vertex(Id variable, Id type, spv::StorageClass storage);
  Id held_type(Id variable) const;
  Id output_type(Id variable) const;
  std::vector<std::uint32_t> patch_leaves() const;
  Term patch_invocation() { return terms_.symbol(Sort::int32, "invocation of the patch", {}, false); }
  Term at_vertex(Term value, Term vertex);
  Term left(Term value);
  Value load_vertices(const Pointer& pointer);
  void store_vertices(const Pointer& pointer, const Value& value);
  Term as_left(Term leaf);
  Term raced(Term before, Term after);
  void note_read_of_others(std::uint32_t leaf, std::span<const Term> which);
  void note_stores_behind_reads(const State& state);
  Term read_of_patch(Term leaf);
  Term of_whole_patch(Term leaf);
  void patch_barrier();

  // workgroups.cpp
  void declare_shared(Id variable, Id type, spv::StorageClass storage);
  std::uint32_t parts_of(Id type) const;
  void step_into_shared(Pointer& pointer, Term index);
  void for_each_part(const Pointer& pointer, const std::function<void(const Pointer&, Sort)>& visit);
  Value load_shared(const Pointer& pointer);
  Term load_payload(Term record, std::span<const Term> indices, Sort sort);
  void store_shared(const Pointer& pointer, const Value& value);
  void store_mesh_output(const Pointer& pointer, const Value& value);
  void record(std::uint32_t leaf, std::vector<Term> parts);
  bool is_row() const;
  void workgroup_barrier();
  void emit_mesh_tasks(spirv::InstRef ref);
  Term nothing_stored() { return terms_.symbol(Sort::memory, "nothing stored", {}, false); }

  // shared_vectors.cpp
  Term places_stored(Term record, std::unordered_map<Term, Term>& known, unsigned depth = 0);
  Term stores_since_barrier(Term leaf, std::unordered_map<Term, Term>& known);
  Term owner_in_patch(Term leaf);
  void note_owners(const State& state);
  void for_each_vector(Id type, std::uint32_t first,
                       const std::function<void(std::uint32_t, std::uint32_t)>& visit) const;
  std::map<Place, std::set<Term>> shared_vectors(const State& state);

  // emits.cpp
  bool run_emit(spirv::InstRef ref);
  void emit_vertex(std::uint32_t stream);
  std::uint32_t stream_of(Id variable) const;
  std::map<Place, Term> outputs_now(const State& state) const;
  void gather_emitted(StageEffects& effects);

  // captures.cpp
  std::map<std::string, Term> captured_now(const State& state) const;

  // images.cpp
  bool run_image(spirv::InstRef ref);

  Terms& terms_;
  const spirv::Module& module_;
  const spirv::EntryPoint& entry_;
  Stage stage_;
  Semantics semantics_;
  InputSource& inputs_;
  Facts facts_;
  std::vector<Value> values_;          // by id
  std::vector<bool> known_;            // constants that were read already
  std::map<Id, std::uint32_t> slots_;  // first leaf of each variable of the invocation
  std::map<Id, std::vector<InterfaceLoad>> interface_loads_;
  std::map<Id, std::vector<Term>> vertex_inputs_;  // leaves of one vertex, as the producer has them
  std::unordered_map<Term, Term> as_left_;         // patch outputs without a store -> their value
  WalkMemo as_left_known_;
  std::vector<Term> at_barrier_;                       // leaves of the state; empty before the first barrier
  std::vector<ReadOfOthers> read_of_others_;           // since the last barrier
  std::map<std::uint32_t, std::vector<Term>> owners_;  // of leaves of patch outputs: who stored to them so far
  std::uint32_t patch_vertices_ = 0;                   // that the tessellation control stage makes
  std::vector<EmittedVertex> emitted_;
  Term emits_ = kNoTerm;  // a vertex is emitted so far; kNoTerm: under no condition
  bool makes_points_ = false;
  bool captures_ = false;                     // by transform feedback
  std::map<Term, Interpolator> vertices_;     // by the vertex
  std::vector<std::uint32_t> shared_leaves_;  // records of memory that the workgroup shares
  std::optional<Id> payload_;                 // variable that a task stage hands on, 0: none
  unsigned summarizing_ = 0;                  // loops that one iteration on parameters stands for
  Term loop_condition_ = kNoTerm;             // of getting to the outermost of these loops
  std::vector<Term> loop_conditions_;         // of getting to each loop that is being summarized, outermost first
  std::vector<Term> rounds_;                  // iterations so far of each loop that is being summarized, likewise
  std::vector<Term> loops_inside_;            // of loops that are being summarized: rounds, and where they are reached
  std::map<Term, Term> accesses_;             // StageEffects::accesses
  std::map<Term, std::uint64_t> read_ends_, certain_ends_;  // of StageEffects
  std::map<Term, std::set<Term>> quad_conditions_;          // of StageEffects
  State state_;                                             // of the block that runs
  Term condition_ = kNoTerm;                                // of the block that runs
  std::map<Id, Value> carried_;                             // of the path into the block that runs
  std::vector<Exit> call_exits_;                            // kills inside of functions that were called
  std::map<Id, Frame> frames_;
  std::set<unsigned> exact_widths_;              // widths of floats whose infinities, NaN and zero signs count
  std::map<unsigned, std::string> exact_marks_;  // by width: how results are rounded, and what becomes of denormals
  std::uint64_t next_parameter_ = 0;
  bool constant_exit_ = false;  // a branch out of the loop that runs was decided by a constant
  const std::vector<bool>* loop_blocks_ = nullptr;
  unsigned call_depth_ = 0;
};

}  // namespace varylink::prove
