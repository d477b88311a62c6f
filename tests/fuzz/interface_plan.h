// What crosses the interface between two stages of a generated pipeline: types, places, qualifiers.
#pragma once

#include <string>
#include <vector>

#include "fuzz/feature_weights.h"
#include "fuzz/model.h"
#include "fuzz/random.h"

namespace varylink::fuzz {

struct Varying {
  std::string out_name;  // identifier in the producer, unique in the pipeline
  std::string in_name;   // identifier in the consumer, likewise
  Type type;
  bool flat = false, no_perspective = false, centroid = false, sample = false;
  bool patch = false;  // per patch, or per primitive if a mesh stage writes it
  bool read = true;    // false: declared by the consumer and never read
  int location = -1;
  int component = -1;       // -1: no component qualifier
  int block = -1;           // index of its block, -1: a loose variable
  int block_element = 0;    // in an array of blocks; the member is declared once
  int written_rows = 4;     // vectors: components from here on are neither written nor read
  int capture_offset = -1;  // transform feedback, -1: not captured
  double bound = 8.0;
  bool witness = false;  // carries a value from the vertices to the picture, so that no picture is blank or constant

  bool interpolated() const { return !flat && !patch; }
};

struct BlockPlan {
  std::string name;
  bool has_instance = false;
  std::string out_instance, in_instance;
  bool member_locations = false;
  int location = 0;
  bool patch = false;
  int elements = 1;  // more than one: an array of blocks
};

struct Interface {
  Stage producer = Stage::vertex;
  Stage consumer = Stage::fragment;
  std::vector<Varying> varyings;
  std::vector<BlockPlan> blocks;
  int capture_stride = 0;  // bytes per vertex in transform feedback buffer 0, 0: nothing is captured
  std::vector<std::shared_ptr<const StructType>> structs;  // in order of declaration
};

// A random interface between the two stages; `number` makes the names unique. With `witness` one varying is the
// witness.
Interface plan_interface(Random& random, Features& features, Stage producer, Stage consumer, int number, bool witness);

// Has transform feedback capture some of the varyings. Only for the outputs of the last stage before the
// rasterizer.
void plan_capture(Random& random, Interface& interface);

// Declarations of the producer's outputs or the consumer's inputs, structs included.
std::vector<Declaration> declare_outputs(const Interface& interface, bool with_interpolation);
std::vector<Declaration> declare_inputs(const Interface& interface);

// How the producer or the consumer writes the varying; `index` is the vertex of a per-vertex array, empty if the stage
// has none on that side (no matter for those of a patch). Of a mesh stage it is the primitive, for what is per
// primitive.
std::string output_text(const Interface& interface, const Varying& varying, const std::string& index);
std::string input_text(const Interface& interface, const Varying& varying, const std::string& index);

// Whether the stage sees its per-vertex inputs (outputs) as arrays.
bool has_arrayed_inputs(Stage stage);
bool has_arrayed_outputs(Stage stage);

}  // namespace varylink::fuzz
