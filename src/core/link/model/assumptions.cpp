#include "link/model/assumptions.h"

#include <nlohmann/json.hpp>

#include "base/sha256.h"

namespace varylink::link {

bool Assumptions::empty() const { return state == state::PipelineState{} && !layout && specialization.empty(); }

std::string to_json(const Assumptions& assumptions) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [stage, values] : assumptions.specialization)
    for (const auto& [id, value] : values)
      json["specialization"][std::string(short_name(stage))][std::to_string(id)] = value;
  if (assumptions.layout) json["layout"] = text(*assumptions.layout);
  if (assumptions.state != state::PipelineState{})
    json["state"] = nlohmann::ordered_json::parse(state::to_json(assumptions.state));
  return json.dump();
}

std::string hash_of(const Assumptions& assumptions) {
  Sha256 hash;
  hash.add(to_json(assumptions));
  return hash.hex();
}

}  // namespace varylink::link
