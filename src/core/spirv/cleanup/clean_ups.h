// Clean-ups of a module: each in a source file of its own, none changes a computed value but where its rule says so,
// and none can fail. run_clean_up.h runs some of them as one list; prepare/steps.h has all that stages meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "spirv/ir/module.h"
#include "spirv/ir/source_places.h"

namespace varylink::spirv {

// merge_returns.cpp: One return per function, so that functions can be inlined.

// Gives functions that return at several places one block that returns. Code behind a selection that returned moves
// into the arm that goes on; where both may go on, into a selection by whether the function has returned. Returned
// values are in a local variable. Drivers rewrite such functions in the same way (rule ); a loop or switch around
// the function would be a real one to them. Entry points stay as they are, since nothing calls them, and so do
// functions that ask not to be inlined.
//
// Some others stay as they were, too: those that return more than 64 times, return past a pointer that is used behind a
// loop or switch, or have a loop header where such a construct ends; and all where more than 64 functions are of this
// kind (rule ).
void merge_returns(Module& module);

// Blocks of the function that return from it.
std::size_t count_returns(const Module& module, const Function& function);

// inline_calls.cpp: Calls into code.

// Replaces calls by the body of the function, and removes functions that no entry point calls any more. A body that is
// needed once is moved, with its ids; others are copied, with names and decorations. Local variables of a function
// stand in its caller then; their initializers become stores where the call was. Code behind the call of a function
// that never returns goes.
//
// A call stays if the function returns at several places or from within a selection or loop, asks not
// to be inlined, calls itself, or has no body; if it ends the invocation or never returns and is called from the
// continue construct of a loop (SPIR-V 2.11: such constructs end where they branch back), or never returns and is
// called from the header of one; if it has several blocks and is called from the header of a loop that goes on in one
// of two ways. `places` say of code that it is inlined; a DebugFunctionDefinition is about a function, and not kept for
// code.
void inline_calls(Module& module, SourcePlaces& places);
// With lines and scopes in the code.
void inline_calls(Module& module);

// unreachable_blocks.cpp: Blocks that nothing reaches.

// Removes blocks that nothing reaches, and the operands of phis that came from there or from a branch that is gone; a
// phi of one value becomes that value. A header that stays names its merge block and its continue target: of these, if
// nothing reaches them, OpUnreachable and the way back stay. Blocks stand behind those that dominate them (SPIR-V 2.4).
void remove_unreachable_blocks(Module& module);

// private_to_local.cpp: Private variables into local ones.

// Private variables that only the function of an entry point uses, for accesses and paths, become its local variables:
// it runs once in an invocation, so that both live as long. Their initializers and decorations stay theirs. No other
// function may use them, calls included, since a parameter would have to be of another type.
void private_to_local(Module& module);

// forward_copies.cpp: Reads of local copies.

// A local variable that is stored once, as a whole, with a value loaded from memory that nothing writes (an input, a
// uniform): its loads become loads of that memory, at any indices, wherever the store is sure to have run. The store
// may put the copy together from parts of the original in their order (OpCompositeConstruct). The copy goes once
// nothing reads it.
void forward_array_copies(Module& module);

// A load of a whole local variable, or of a part with constant indices, becomes the value that was stored last, if that
// store was the only one and is sure to have run, or stands in front of the load in the same block with no other in
// between. mem2reg() leaves such loads where an index elsewhere is not constant.
void forward_stores(Module& module);

// sroa.cpp: Local structures and arrays into their members.

// Each local variable of a structure or array type becomes one variable for each member or element that is used, and so
// on for those. Loads and stores of the whole become loads and stores of all parts. Stays: variables with another use,
// such as an index that is not constant, volatile accesses, arrays whose length is a specialization constant, large
// arrays with many accesses to the whole. A part is of relaxed precision if the variable or the member was.
void sroa(Module& module);

// mem2reg.cpp: Local variables into values.

// Removes variables of functions that are only loaded and stored, as a whole or by constant indices. A load becomes the
// value that was stored last, chosen by phis where paths meet; before any store the value is undefined. A store to a
// part becomes an OpCompositeInsert. Stays: variables with another use (a pointer that goes to a call, an index that is
// not constant), volatile accesses, types that are not made of numbers and booleans. A variable with a DebugDeclare
// gets a DebugValue wherever its value changes.
void mem2reg(Module& module);

// local_access.cpp: Accesses to memory that no other invocation and no host sees are plain.

// Takes Aligned and Nontemporal off loads, stores and copies of Function, Private, Input and Output variables. Both are
// promises about addresses and caches (SPIR-V, "Memory Operands"), which these have not; what has other memory operands
// stays.
void make_local_accesses_plain(Module& module);

// volatile_access.cpp: Volatile accesses are known by their own operands.

// Gives every load and store of memory that is declared Volatile, by a decoration of its variable or of a member on the
// way, the memory operand that says the same. glslang decorates gl_HelperInvocation for SPIR-V 1.6 and loads it
// plainly; no clean-up then has to look for declarations.
void make_volatile_explicit(Module& module);

// outside_accesses.cpp: Loads and stores at a constant index outside of an array, vector or matrix.

// Loads there may give any value: they become zero. Stores there go (rule ). Applies to variables whose memory
// nothing outside of the pipeline sees: inputs, outputs, locals, private and shared ones. Buffers keep their accesses,
// which robust access gives a meaning, and so do pointers that are handed to a function. Returns true if something
// changed.
bool remove_outside_accesses(Module& module);

// dead_branches.cpp: Branches that are decided.

// A branch on a constant becomes a branch to where it goes, and blocks that only its other ways led to go with them
//. The selection that it headed ends to be one: a conditional branch out of it becomes the
// header of the blocks that are left; a switch that is also left from within further constructs stays, with one way. A
// loop that does not go back any more ends to be one in the same way, or keeps its decided way back. Nothing else of
// control flow changes, and no arithmetic (rule ).
void remove_dead_branches(Module& module);

// merge_blocks.cpp: Blocks that are one.

// Joins each block that ends in a plain branch with the block behind it if that has no other predecessor. Two merge
// blocks stay two, and so do a merge block and a continue target, two headers, and a case of a switch and the end of a
// construct.
void merge_blocks(Module& module);

// loop_bodies.cpp: Loops whose body has become their continue construct.

// Merging of blocks joins a loop's body with its continue target where nothing else stands between
// them. The result is valid (SPIR-V 2.11.2), but lavapipe of Mesa 22.3 then runs the body once too often for
// invocations that have left the loop while their neighbours go on. Such a continue target becomes an ordinary block
// again, in front of a new one that only branches back. Returns whether something changed.
bool restore_loop_bodies(Module& module);

// unroll_loops.cpp: Loops whose number of rounds is known, written out round after round.

// Writes out the loops with these headers (labels), those inside of others first. Loops that counted_loop()
// (spirv/cleanup/counted_loops.h) does not find with `max_rounds` stay loops. The last round keeps the ids, so that
// code behind the loop finds its values; the others get new ones, with the decorations (rule ). Counters become
// their value in each round: computed, but not folded.
void unroll_loops(Module& module, std::uint32_t function, std::span<const Id> headers, std::uint32_t max_rounds);

// dead_code.cpp: Code without effect, and declarations without use.

// Removes instructions that no output, no memory and no way out depends on (rule ), selections and loops around
// nothing that stays, stores to local and private variables without a load, functions without a call, types, constants
// and global variables without a use. Their names and decorations are left (remove_dangling_annotations). Variables
// that entry points list stay, and so do `kept_globals`, resources with a binding, specialization constants, and loops
// that do not end.
void remove_dead_code(Module& module, std::span<const Id> kept_globals = {});

// sccp.cpp: Values that are constant.

// Wegman, Zadeck, "Constant Propagation with Conditional Branches" (1991): values computed from constants alone become
// constants, on the paths that branches on constants leave. Branches stay.
//
// Values stay that ConstantFolder does not know (rule ).
void sccp(Module& module);
// The same for integers computed from integers, and for conditions: floats stay as they are computed (rule ).
void fold_integers(Module& module);

// fold_spec_constants.cpp: Folds operations on constants in the global section, once specialization constants have got
// their values.

// Makes constants of OpSpecConstantOp and OpSpecConstantComposite whose operands are constants, as far as
// ConstantFolder can compute them; the ids stay. Operations on a specialization constant that is still open stay, and
// so do those whose result SPIR-V leaves undefined, such as a division by 0.
void fold_spec_constants(Module& module);

// gvn.cpp: The same computation twice.

// Global value numbering: a value that was computed in the same way, with the same decorations, in a block that
// dominates this one becomes that value. Loads count as the same only if nothing can write the memory; operands are
// compared in the order in which they stand. Blocks that nothing reaches stay as they are.
void gvn(Module& module);

// common_values.cpp: Common values of the sides of a branch.

// Hoists values that every target block of a branch computes alike and that meet in a phi: they are computed in front
// of the branch and replace the phi (rule ). Applies to arithmetic, and to loads of memory that nothing can write.
// The other computations stay, for gvn() or dead code removal. Returns whether something changed.
bool hoist_common_values(Module& module);

// equal_arms.cpp: Branches that make no difference.

// Takes one way where a conditional branch decides between two that store the same values to the same places and then
// go on at the same place, or both return. The condition has no use then: a result that everything overwrites keeps an
// input alive otherwise. Unreachable blocks may be left. Returns whether something changed.
bool merge_equal_arms(Module& module);

// fold_identities.cpp: Algebra with neutral and absorbing elements: x * 0, x * 1, x + 0, mix(a, b, 0), mix(0, b, c),
// dot(v, (0, 1, 1)), and the like.
//
// Each rule holds exactly for finite numbers up to the sign of zero. Vulkan lets an implementation assume that unless
// the entry point asks for SignedZeroInfNanPreserve ("Precision and Operation of SPIR-V Instructions").

// The module leaves infinities, NaN and the sign of zero to the implementation: no SignedZeroInfNanPreserve, no
// FPFastMathDefault.
bool allows_identities(const Module& module);

// Applies the rules to instructions without NoContraction. The caller has asked allows_identities(). Returns true if
// something changed.
bool fold_identities(Module& module);

// constant_mixes.cpp: Linear interpolations that begin at a constant.

// mix(1, b, c) of 32-bit floats becomes (1 - c) + b * c, as GLSL.std.450 defines it: where the constant is plain
// compilers take a + c * (b - a), one operation more for each component. The two are rounded differently, so that a mix
// stays where `keeps_rounding` holds of its id, and with NoContraction. The caller has asked allows_identities().
// Returns true if something changed.
bool write_out_mixes(Module& module, const std::function<bool(Id)>& keeps_rounding);

// partial_products.cpp: Products with a matrix of which only a part is needed.

// Writes out products of a matrix that was put together in this stage and a vector, where some components of the result
// are not needed, so that the columns and components that only feed those can go: vec3(tangent_space * v) with a mat4
// needs three rows of it. Sums are taken from the last column to the first, as drivers do. Matrices that are products
// of such a matrix, its transpose or an outer product become their columns where not all of them are needed. Products
// with NoContraction stay. Returns true if something changed.
bool write_out_partial_products(Module& module);

// constant_tables.cpp: Local arrays that hold constants and nothing else.

// A local array of `function` to which nothing but one constant is ever stored, whole or element by element, gets it as
// its initializer, and the stores go (rule ). Inlining makes such stores of the initializers of the functions
// that were called, and drivers place a table in constant memory only as long as it is filled at one place. True if
// there were some.
bool initialize_tables(Module& module, Id function);

// sink_loads.cpp: Moves loads of inputs to where their values are needed.

// Every load of an Input variable in the first block of `function`, and every extraction from such a load, moves down
// to the nearest block that dominates all its uses, though never into a loop. Inputs are read-only, so the value is the
// same; the register that holds it is needed for a shorter time. A load that is needed in its own block moves in front
// of its first use. Inputs that are not only loaded stay: lavapipe 22.3 takes the value at the centroid for the plain
// one if it interpolates there before it loads.
void sink_loads(Module& module, Id function);

// switch_selectors.cpp: Selectors of switches that readers of SPIR-V can name.

// Some OpSwitch selects by an OpSpecConstantOp itself.
bool switches_on_spec_constant_op(const Module& module);

// Lets each of these select by a copy (OpCopyObject) in front of it. Valid as it is, such a switch is refused by
// spirv-cross (up to 2021-01-15, of Debian 12), and compilers of GLSL do not write it: it comes from inlining.
void copy_spec_selectors(Module& module);

// trim_capabilities.cpp: Removes capabilities that nothing in the module needs any more.

// Takes out those capabilities whose every possible reason can be looked for: number widths, 16-bit inputs and outputs,
// interpolation functions, image queries, fine and coarse derivatives, sample-rate inputs, point sizes of tessellation
// and geometry stages; and the extension that only 16-bit storage needs. All others stay, since dropping one that some
// extension needs would make the module invalid; and so do all of a module with foreign instructions.
void trim_capabilities(Module& module);

}  // namespace varylink::spirv
