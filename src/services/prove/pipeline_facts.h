// Facts about the pipeline that a proof may rely on, besides its shaders: state that the application promised
// (docs/pipeline-state.md). Nothing of it is checked here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "spirv/ir/stage.h"

namespace varylink::prove {

struct PipelineFacts {
  // Specialization constants with one number, type and default have one value in all stages.
  bool shared_specialization = false;
  bool one_sample = false;                // per pixel: centroid and sample inputs are interpolated like others
  bool points = false;                    // primitives that the vertex stage makes for the rasterizer have one vertex
  bool lines = false, triangles = false;  // likewise, if they are not points
  bool polygons_are_points = true;        // triangles may be drawn as points
  std::optional<std::uint32_t> patch_vertices;  // that the tessellation control stage reads
  std::optional<std::uint32_t> view;            // the only value of ViewIndex
  std::set<std::uint32_t> instance_attributes;  // locations: the same for all vertices of a primitive
  // Location and component of 32-bit vertex attributes that are not there: 0, and the fourth is 1.
  std::set<std::pair<std::uint32_t, std::uint32_t>> missing_attributes;
  // Range of the 32-bit number that a location and component of the vertex attributes has, lowest and highest.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<double, double>> attribute_ranges;
  // By location of the fragment output: an attachment takes something of it. Behind the end none does.
  std::optional<std::vector<bool>> targets;
  // Location and component of fragment outputs that a mask or a format leaves out, though the attachment takes others.
  std::set<std::pair<std::uint32_t, std::uint32_t>> left_out;
  bool alpha_counts = true;  // that of location 0, for coverage, even if no attachment takes it
  // Resources of the pipeline layout, and the stages that get them: bindings by set and binding, and ranges of push
  // constants in bytes. Empty: nothing is known of the layout.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<Stage>> bindings;
  struct PushConstantRange {
    std::uint32_t offset = 0, size = 0;
    std::set<Stage> stages;
  };
  std::vector<PushConstantRange> push_constants;

  bool reaches_attachment(std::uint32_t location, std::uint32_t component) const {
    if (!targets || (alpha_counts && location == 0 && component == 3)) return true;
    return location < targets->size() && (*targets)[location];
  }
};

}  // namespace varylink::prove
