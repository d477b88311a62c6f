#include "fuzz/feature_weights.h"

#include <cassert>
#include <iterator>

namespace varylink::fuzz {

namespace {

const FeatureInfo kFeatures[] = {
    {"exact", 0.5, "w is 1, nothing is clipped: -O1 must be bit-identical"},
    {"witness", 0.97, "a varying through all stages that differs from pixel to pixel"},
    {"capture", 0.05, "transform feedback of some outputs"},
    {"captured-block-array", 0.4, "the same where there is an array of blocks, each of which has a buffer"},
    {"tessellation", 0.15, "tessellation stages"},
    {"quads", 0.3, "patches are quads, which the evaluation stage interpolates between the corners"},
    {"geometry", 0.15, "a geometry stage"},
    {"per-primitive", 0.25, "per-primitive varyings"},
    {"task", 0.4, "a task stage in front of the mesh stage, and a payload"},
    {"mesh", 0.0, "a mesh stage instead of vertex, tessellation and geometry"},
    {"integer", 0.3, "varyings of integer type"},
    {"double", 0.03, "64-bit varyings"},
    {"half", 0.03, "16-bit varyings, drawn with 32 bits where the device has none"},
    {"matrix", 0.08, "matrix varyings"},
    {"array", 0.15, "array varyings"},
    {"struct", 0.1, "structs as varyings"},
    {"block", 0.3, "varyings in interface blocks"},
    {"instance-name", 0.6, "blocks with an instance name"},
    {"block-array", 0.2, "arrays of blocks, of which each may be captured by a buffer of its own"},
    {"interpolated-block-array", 0.3, "arrays of blocks with members that are flat, noperspective, ..."},
    {"mixed-block-array", 0.15, "such members differ; Mesa draws them wrong, so that they are only proved"},
    {"member-location", 0.4, "a location on every block member instead of one on the block"},
    {"location-hole", 0.1, "unused locations between varyings"},
    {"component-packing", 0.25, "several varyings in one location"},
    {"flat", 0.2, "flat floating-point varyings"},
    {"noperspective", 0.12, "noperspective varyings"},
    {"centroid", 0.08, "centroid varyings"},
    {"sample", 0.02, "per-sample varyings"},
    {"output-interpolation", 0.5, "interpolation qualifiers on the output too"},
    {"constant", 0.1, "a varying that is a constant"},
    {"special-constant", 0.15, "a constant that is -0 or very small (not in exact pipelines)"},
    {"constant-array", 0.15, "arrays of which each element is a constant"},
    {"component-constant", 0.1, "single components that are constant"},
    {"uniform-expression", 0.12, "a varying computed from uniforms only"},
    {"short-buffer", 0.25, "a declaration of the uniform buffer that ends before those of other stages do"},
    {"push-constant", 0.3, "a push-constant block"},
    {"buffer-reference", 0.04, "a uniform block with references of buffers, which name themselves"},
    {"layout", 0.12, "a pipeline layout that shows all buffers and push constants to all stages"},
    {"spec-constant", 0.1, "a specialization constant"},
    {"shared-spec-constants", 0.06, "every stage gets the same specialization constants, and most stages have them"},
    {"uniform-choice", 0.06, "a varying that is a uniform or nothing, depending on a condition"},
    {"convergent", 0.1, "a varying equal at all vertices of a primitive, not a uniform"},
    {"duplicate", 0.12, "the value of another varying again"},
    {"affine-combination", 0.2, "sums of multiples of a few values"},
    {"small-value", 0.25, "integers of few bits, and truth values as numbers"},
    {"dynamic-index", 0.2, "array elements and components by an index that is not a constant"},
    {"other-invocations", 0.25,
     "patch and mesh outputs that another invocation stores, or each invocation its component of them"},
    {"conditional-store", 0.12, "a second store under a condition"},
    {"alike-branches", 0.04, "both arms of a branch compute the same"},
    {"equal-elements", 0.1, "arrays with elements that are equal to others"},
    {"branch-store", 0.1, "stores in both arms of a branch"},
    {"complement", 0.06, "components of which one is 1 wherever another one is 0"},
    {"two-complements", 0.5, "of wider vectors two halves, each under a condition of its own"},
    {"switch", 0.06, "a switch statement"},
    {"loop", 0.12, "loops with a constant trip count"},
    {"loop-over-copies", 0.05, "loops over local arrays into which inputs were copied"},
    {"dynamic-loop", 0.08, "loops with a trip count that is not a constant"},
    {"early-return", 0.08, "returns before the end"},
    {"discard", 0.06, "fragments thrown away"},
    {"function", 0.2, "user functions with in, out and inout parameters"},
    {"function-return", 0.3, "user functions that return early, from branches, loops and switches"},
    {"function-global", 0.12, "functions that touch varyings directly"},
    {"read-back", 0.1, "outputs that are read again in the producer"},
    {"component-store", 0.15, "stores of single components"},
    {"struct-copy", 0.5, "whole structs and arrays copied"},
    {"unused", 0.15, "varyings that nobody reads"},
    {"unused-component", 0.2, "components that nobody reads"},
    {"unwritten", 0.03, "components that nobody writes (nor reads)"},
    {"interpolate-at", 0.08, "interpolateAtCentroid, -Sample, -Offset"},
    {"derivative", 0.1, "dFdx and friends (in exact pipelines)"},
    {"nonlinear", 0.35, "consumer code that does not commute with interpolation"},
    {"product", 0.06, "products of matrices and vectors, of which some components are needed"},
    {"linear", 0.5, "consumer code that does"},
    {"uniform-in-consumer", 0.3, "uniforms in the consumer too"},
    {"discontinuity", 0.08, "comparisons and conversions of interpolated values"},
    {"discontinuous-use", 0.06, "inputs that nothing reads but a sum that ends in a comparison or floor"},
    {"precise", 0.06, "precise temporaries"},
    {"invariant", 0.08, "invariant gl_Position"},
    {"storage-buffer", 0.08, "atomic operations on a storage buffer"},
    {"texture", 0.08, "sampling with coordinates from a varying"},
    {"texture-function", 0.3, "functions of texels that return early"},
    {"builtin-input", 0.15, "gl_FragCoord, gl_PrimitiveID and others in the consumer"},
    {"clip-distance", 0.04, "gl_ClipDistance (all positive)"},
    {"built-in-read", 0.4, "parts of the position that a stage in the middle reads"},
    {"point-size", 0.05, "gl_PointSize is written"},
    {"vertex-copies", 0.12, "whole arrays of vertices copied to a local, of which one is read"},
    {"payload-copy", 0.3, "the payload copied to a local of the mesh stage, of which members are read"},
    {"vertex-shuffle", 0.15, "reads of other vertices of the patch or primitive"},
    {"patch", 0.4, "per-patch varyings"},
    {"output-read-across", 0.2, "control stage reads outputs of other invocations behind a barrier"},
    {"output-read-own", 0.2, "control stage reads back what the invocation stored to its own vertex or the patch"},
    {"output-replaced", 0.4, "control stage reads a part of what it stored and stores something else, both uniform"},
    {"bit-cast", 0.03, "bit patterns read as numbers of another width or count"},
    {"narrow", 0.03, "arithmetic on 16 bits"},
    {"wide", 0.03, "arithmetic on 64 bits"},
    {"initial-value", 0.1, "outputs that start with a constant and are changed in part"},
    {"initial-array", 0.3, "the same for arrays, of which one element is changed"},
    {"guarded-read", 0.08, "elements of buffers that are read where the index is known to be good"},
    {"buffer-turn", 0.1, "the vertex stage stores to its own element of a buffer and reads it back, twice"},
    {"table", 0.1, "arrays of constants and uniforms, local or in buffers, at an index that is uniform"},
    {"resource-array", 0.1, "arrays of uniform blocks, which stages declare with different lengths"},
    {"several-layouts", 0.06, "a uniform block whose layout differs from stage to stage"},
    {"switch-chain", 0.05, "a value that one switch after another changes"},
    {"switch-choice", 0.3, "of uniform-choice, the share that one switch after another chooses"},
    {"long-switch-chain", 0.3, "of both, the share with so many switches of ten cases that no one can walk all ways"},
    {"demote", 0.04, "fragments that become helpers, which is asked for in front of and behind that"},
    {"helper-built-in", 0.2, "gl_HelperInvocation for that (crashes lavapipe 22.3), not helperInvocationEXT()"},
    {"bindless-in-loop", 0.6, "a loop over an array of inputs reads a texture that each invocation chooses by itself"},
    {"bindless", 0.03, "an array of textures with an index that differs within the draw"},
    {"old-spirv", 0.15, "compiled for Vulkan 1.0: BufferBlock, interfaces without resources"},
    {"edit operand-signs", 0.15, "integer operations on mixed signedness"},
    {"edit initializers", 0.25, "first stores become initializers"},
    {"edit copies", 0.12, "OpCopyObject, some with decorations"},
    {"edit logical-copies", 0.15, "OpCopyLogical of structs and arrays"},
    {"emit-loop", 0.5, "geometry stage emits in a loop"},
    {"emit-constant", 0.15, "geometry stage stores a different constant per emit"},
    {"state one-sample", 0.08, "the application says that there is one sample per pixel"},
    {"state attachments", 0.08, "which outputs reach an attachment, with formats and write masks"},
    {"specialization", 0.3, "values for specialization constants, where there are any"},
    {"state formats", 0.1, "formats of some vertex attributes"},
    {"state polygon-mode", 0.06, "triangles are filled, or become lines or points"},
    {"state topology", 0.08, "lines or triangles"},
    {"state patch-size", 0.3, "the size of the input patch"},
    {"templates", 0.1, "pipelines from SPIR-V templates instead of GLSL"},
};

}  // namespace

const std::vector<FeatureInfo>& feature_table() {
  static const std::vector<FeatureInfo> table(std::begin(kFeatures), std::end(kFeatures));
  return table;
}

Features::Features() {
  for (const FeatureInfo& feature : feature_table()) weights_.emplace(feature.name, feature.weight);
}

bool Features::set_weight(std::string_view name, double weight) {
  const auto found = weights_.find(name);
  if (found == weights_.end()) return false;
  found->second = weight;
  return true;
}

bool Features::would(Random& random, std::string_view name) const {
  const auto found = weights_.find(name);
  assert(found != weights_.end());
  return random.chance(found->second);
}

bool Features::roll(Random& random, std::string_view name) {
  if (!would(random, name)) return false;
  mark(name);
  return true;
}

}  // namespace varylink::fuzz
