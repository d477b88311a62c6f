// The outcome of a varying component, in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "report/report_entry.h"

namespace varylink::report {

// Which components are asked about: one, or all of a location.
struct ComponentQuery {
  std::uint32_t location = 0;
  std::optional<std::uint32_t> component;
};

// "4.x" or "4". Error (usage): anything else.
Result<ComponentQuery> parse_query(const std::string& text);

// For each component of the pipeline's interfaces that `query` matches (all of them if there is none): its name, its
// outcome and the reason, and the remarks about it. Several lines each; empty if nothing matches.
std::string explain(const ReportEntry& pipeline, const std::optional<ComponentQuery>& query);

// "vert→frag declares 0.xyzw 1.xy": the components there are, a line per interface.
std::string declared_components(const ReportEntry& pipeline);

}  // namespace varylink::report
