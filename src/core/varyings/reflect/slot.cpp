#include "varyings/reflect/slot.h"

namespace varylink::varyings {

std::string text(const Interpolation& interpolation) {
  if (interpolation.per_vertex) return "pervertex";
  std::string out = interpolation.flat ? "flat" : interpolation.no_perspective ? "noperspective" : "smooth";
  if (interpolation.centroid) out += " centroid";
  if (interpolation.sample) out += " sample";
  return out;
}

std::string text(ScalarType type) {
  switch (type.kind) {
    case ScalarKind::boolean: return "bool";
    case ScalarKind::floating:
      if (type.width == 32) return "float";
      return type.width == 64 ? "double" : "float" + std::to_string(type.width);
    case ScalarKind::sint: return type.width == 32 ? "int" : "int" + std::to_string(type.width);
    case ScalarKind::uint: return type.width == 32 ? "uint" : "uint" + std::to_string(type.width);
  }
  return "unknown";
}

}  // namespace varylink::varyings
