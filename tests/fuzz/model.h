// A shader pipeline as a small tree that can be printed as GLSL and cut down piece by piece.
//
// The tree knows just enough for reduction: expressions and statements are text patterns with holes for their parts
// ("($0 + $1)", "if ($0) @0"), and every name that may vanish (a varying, a block member, a function) is an identifier
// that occurs nowhere else in the pipeline. Who uses a name is found by looking for that identifier.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/spirv_edits.h"
#include "spirv/ir/stage.h"
#include "spirv/tools/specialize.h"
#include "spirv/tools/tools.h"
#include "state/pipeline_state.h"

namespace varylink::fuzz {

enum class Base : std::uint8_t { float32, sint32, uint32, float64, float16, boolean };

struct StructType;

// A GLSL type. A scalar has one row and one column, a vector several rows, a matrix several columns.
struct Type {
  Base base = Base::float32;
  int rows = 1;
  int columns = 1;
  std::vector<int> dims;                        // array sizes, outermost first
  std::shared_ptr<const StructType> structure;  // set: a struct, and base, rows, columns mean nothing

  bool is_array() const { return !dims.empty(); }
  bool is_struct() const { return dims.empty() && structure != nullptr; }
  bool is_matrix() const { return dims.empty() && !structure && columns > 1; }
  // A scalar or vector.
  bool is_simple() const { return dims.empty() && !structure && columns == 1; }
  bool is_scalar() const { return is_simple() && rows == 1; }
  bool is_integer() const { return base == Base::sint32 || base == Base::uint32; }
};

struct Member {
  std::string name;
  Type type;
};

struct StructType {
  std::string name;
  std::vector<Member> members;
};

bool operator==(const Type& left, const Type& right);

Type simple_type(Base base, int rows);
// The type below the outermost array level.
Type element_type(const Type& array);
// "vec3", "mat2x3", "S4"; array sizes are left out.
std::string glsl_name(const Type& type);
// "vec3 name[2]"
std::string declare(const Type& type, const std::string& name);
// Type as constructors and function signatures want it: "vec3[2]".
std::string full_name(const Type& type);
// A harmless constant of the type. Never 0, so that a lost value shows.
std::string literal(const Type& type);
// Locations that a varying of this type takes (Vulkan, "Location and Component Assignment").
int location_count(const Type& type);
// Whether a 64-bit scalar, or an integer, is somewhere inside: such fragment inputs must be flat.
bool contains_base(const Type& type, Base base);
bool must_be_flat(const Type& type);
// Of a type without structures: neither doubles nor halves.
bool is_32_bit(const Type& type);

struct Expr {
  Type type;
  std::string pattern;  // "$0" ... "$9" stand for the arguments
  std::vector<Expr> args;
  double bound = 1.0;  // no component is larger than this in magnitude (floating point only)
};

// A leaf without arguments.
Expr leaf(Type type, std::string text, double bound = 1.0);

struct Statement {
  std::string pattern;  // "$n" for expressions, "@n" for blocks; ends with its own ';'
  std::vector<Expr> args;
  std::vector<std::vector<Statement>> bodies;
  bool pinned = false;  // dropping it alone would leave something undefined that is read
};

// A declaration outside functions. With members it is a block: text is what stands before "{" and tail what stands
// behind "}"; it vanishes with its last member.
struct Declaration {
  std::string name;  // identifier by which it is removed; empty: never removed
  std::string text;
  Type type;  // of a varying or a member
  std::vector<Declaration> members;
  std::string tail;
};

struct FunctionDefinition {
  std::string name;
  std::string header;  // "float f3(in float p0, out vec2 p1)"
  std::vector<Statement> body;
};

struct StageModel {
  Stage stage = Stage::vertex;
  std::vector<Declaration> declarations;
  std::vector<FunctionDefinition> functions;
  std::vector<Statement> main;
};

struct PipelineModel {
  std::uint64_t seed = 0;
  bool exact = false;  // drawn with w == 1, unclipped and with moderate values: -O1 may not change a bit
  bool shared_spec_constants = false;          // every stage gets the same specialization data
  spirv::SpecializationValues specialization;  // given to all stages before linking
  state::PipelineState state;                  // that the application is to say
  bool shares_buffers = false;                 // its pipeline layout shows all buffers to all stages
  spirv::TargetEnv env = spirv::TargetEnv::vulkan1_3;
  EditPlan edits;
  std::vector<StageModel> stages;
  std::vector<std::string> features;  // sorted names of the generator features that were used
};

std::string print(const Expr& expr);
// GLSL source of a stage, "#version" line included.
std::string print(const StageModel& stage);

// Whether `text` holds `name` as a whole identifier.
bool mentions(std::string_view text, std::string_view name);
bool mentions(const Expr& expr, std::string_view name);
bool mentions(const Statement& statement, std::string_view name);

// Number of statements, expressions and declarations: what reduction makes smaller.
std::size_t size_of(const PipelineModel& pipeline);

}  // namespace varylink::fuzz
