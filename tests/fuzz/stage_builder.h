// The common part of building one stage: uniforms, user functions, fresh names, reading and writing varyings.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fuzz/expressions.h"
#include "fuzz/feature_weights.h"
#include "fuzz/interface_plan.h"
#include "fuzz/model.h"
#include "fuzz/random.h"

namespace varylink::fuzz {

using Block = std::vector<Statement>;

// What is shared by all stages of the pipeline that is being built.
struct Build {
  Random& random;
  Features& features;
  bool exact = false;
  bool shared_spec_constants = false;
  // Compiled for Vulkan 1.0. Old SPIR-V has no volatile built-ins, and converts specialization constants to 16 and 64
  // bits only in kernels, which glslang does not mind.
  bool is_old = false;
  bool has_tables = false;           // stages look something up at an index
  bool has_resource_arrays = false;  // most stages declare the array of uniform blocks
  bool has_quads = false;            // patches are quads, not triangles
  int next_name = 0;

  // An identifier that occurs nowhere else in the pipeline.
  std::string fresh(const std::string& prefix) { return prefix + std::to_string(next_name++); }
};

class StageBuilder {
 public:
  StageBuilder(Build& build, Stage stage);

  StageModel model;
  Expressions expressions;

  Random& random() { return build_.random; }
  bool roll(std::string_view feature) { return build_.features.roll(build_.random, feature); }
  std::string fresh(const std::string& prefix) { return build_.fresh(prefix); }
  bool exact() const { return build_.exact; }
  bool is_old() const { return build_.is_old; }

  void add_declaration(const std::string& text, const std::string& name = {});
  void add_declarations(const std::vector<Declaration>& declarations);

  // Declares a random choice of the resources that all stages of the pipeline share, and puts them into scope.
  void add_resources(double probability);

  // Appends "type name = value;" and puts the name into scope.
  Symbol add_local(Block& block, const Expr& value, const std::string& prefix = "r");

  // Adds a user function with in, out and inout parameters and appends a call of it whose results are in scope then.
  void add_function_call(Block& block);

  // Atomic operations on the storage buffer that do not depend on their order.
  void add_storage_access(Block& block);

  // Puts values in scope that come from guarded reads, chains of switches and arrays of textures, as the features say.
  void add_unusual(Block& block);

  // A condition: on flat and uniform values mostly, on interpolated ones if the feature says so.
  Expr condition() { return expressions.condition(1); }

  // A texture that each invocation chooses by itself, declared if it is not yet.
  std::string texture_of_invocation(const std::string& index);

  // Wraps the statements into a branch, a loop or a switch that runs them exactly once or under a condition. They must
  // not declare names that are used behind them.
  Statement wrap(Block block);
  // A switch on some number below 16; `body` gives the block of each case, in order.
  Statement switch_of(int cases, const std::function<Block(int)>& body);

 private:
  Build& build_;
  bool has_uniform_array_ = false;  // ubo.uarr

  bool declares(const std::string& name) const;
  void add_resource_array();
  void add_uniform_buffer();
  void add_layout_of_its_own();
  void add_table();
  void add_loop_over_copies(Block& block);
  void add_buffer_turn(Block& block);
  void add_guarded_read(Block& block);
  void add_switch_chain(Block& block);
  void add_bindless_read(Block& block);
};

// What has the same value in all invocations of a draw.
Symbol uniform_symbol(const std::string& text, const Type& type);

Statement statement(std::string pattern, std::vector<Expr> args = {}, std::vector<Block> bodies = {});

// Statements that give the varyings of `interface` their values. `index` as in output_text().
class VaryingWriter {
 public:
  VaryingWriter(StageBuilder& builder, const Interface& interface, std::string index)
      : builder_(builder), interface_(interface), index_(std::move(index)) {}

  // Writes every varying; with `patch` the per-patch ones, else the others.
  void write_all(Block& block, bool patch);

  // Writes the varying.
  void write(Block& block, const Varying& varying);

  // Varyings that write_all() leaves to others.
  std::set<const Varying*> left_out;

  // The symbols that are equal at all vertices of a primitive here ("gl_InstanceIndex"), for convergent values.
  std::vector<Symbol> convergent;

  // What the witness carries: an expression of two floats.
  std::string witness;

 private:
  StageBuilder& builder_;
  const Interface& interface_;
  std::string index_;
  std::vector<Symbol> earlier_;  // values of varyings written before: what duplicates copy

  std::map<Base, std::vector<Symbol>> unknowns_;  // what affine combinations are made of

  Expr value_for(Block& block, const Varying& varying);
  Expr affine_value(Block& block, const Type& type);
  Expr small_value(const Type& type);
  Expr chosen_value(const Type& type);
  Expr value_of_switches(Block& block, const Type& type);
  Expr value_of_both_arms(Block& block, const Type& type);
  bool duplicate_of_earlier(const Type& type, Expr& value);
  Expr convergent_value(const Type& type);
  void store(Block& block, const Varying& varying, const Expr& value);
  void store_aggregate(Block& block, const Type& type, const std::string& target, const Expr& value);
  void store_complement(Block& block, const Type& type, const std::string& target);
  void store_complement_under_condition(Block& block, const Type& type, const std::string& target);
  void store_constants(Block& block, const Type& type, const std::string& target);
  void store_array_in_loop(Block& block, const Type& type, const std::string& target);
  void store_components(Block& block, const Type& type, const std::string& target, const Expr& value, int rows);
  void store_through_branch(Block& block, const Type& type, const std::string& target, const Expr& value);
  void store_through_switch(Block& block, const Type& type, const std::string& target, const Expr& value);
  void store_through_function(Block& block, const Type& type, const std::string& target, const Expr& value);
  bool store_over_initial_value(Block& block, const Type& type, const std::string& target, const Expr& value);
  void store_again(Block& block, const Type& type, const std::string& target);
};

// Whether every invocation can store one component of the varying.
bool may_be_stored_by_all(const Varying& varying);

// Invocation i stores component i of a vector, and the first one what is left if there are fewer invocations.
Block store_component_of_invocation(StageBuilder& builder, const Type& type, const std::string& target,
                                    const std::string& invocation, int invocations);

// Expressions that read the varyings of `interface`.
class VaryingReader {
 public:
  VaryingReader(StageBuilder& builder, const Interface& interface) : builder_(builder), interface_(interface) {}

  // Reads of one varying, each of a scalar, vector or matrix type; statements they need go to `block`. `index` as in
  // input_text().
  std::vector<Expr> read(Block& block, const Varying& varying, const std::string& index);

  // The witness at a vertex (see input_text); a constant if the interface has none.
  std::string witness(const std::string& index) const;

 private:
  StageBuilder& builder_;
  const Interface& interface_;

  void read_value(Block& block, const Type& type, const std::string& text, double bound, bool may_interpolate,
                  std::vector<Expr>& reads);
  void read_array(Block& block, const Type& type, const std::string& text, double bound, bool may_interpolate,
                  std::vector<Expr>& reads);
  void read_simple(Block& block, const Type& type, const std::string& text, double bound, bool may_interpolate,
                   std::vector<Expr>& reads);
};

}  // namespace varylink::fuzz
