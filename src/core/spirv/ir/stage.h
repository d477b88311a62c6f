// The stages of a Vulkan graphics pipeline, in pipeline order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace varylink {

enum class Stage : std::uint8_t { vertex, tess_control, tess_eval, geometry, task, mesh, fragment };

constexpr int kStageCount = 7;

// Short name, also the file suffix and the manifest key: vert tesc tese geom task mesh frag.
std::string_view short_name(Stage stage);

// The stage with that short name, none if there is no such stage.
std::optional<Stage> stage_from_short_name(std::string_view name);

// SPIR-V execution model number <-> stage (SPIR-V 3.3). Compute, ray tracing and NV mesh models have no stage here.
std::optional<Stage> stage_from_execution_model(std::uint32_t model);
std::uint32_t execution_model(Stage stage);

}  // namespace varylink
