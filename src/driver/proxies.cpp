#include "driver/proxies.h"

#include <algorithm>

namespace varylink::driver {

std::uint32_t first_free_location(const link::Link& link) {
  std::uint32_t end = 0;
  const auto add = [&](const link::LinkedStage& stage, varyings::Direction direction) {
    for (const auto& variable : varyings::interface_variables(stage.module, stage.entry, direction))
      end = std::max(end, variable.location + variable.location_count);
  };
  add(*link.producers.front(), varyings::Direction::output);
  add(*link.consumers.front(), varyings::Direction::input);
  return end;
}

std::string_view pass_behind(link::Outcome outcome) {
  switch (outcome) {
    case link::Outcome::constant: return "propagate-constants";
    case link::Outcome::uniform: return "propagate-uniforms";
    case link::Outcome::duplicate: return "dedup-outputs";
    default: return "remove-dead-built-ins";
  }
}

}  // namespace varylink::driver
