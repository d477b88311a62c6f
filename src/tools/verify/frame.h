// Results of one draw of one pipeline.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "verify/bindings.h"
#include "verify/formats.h"

namespace varylink::verify {

// One render target: four 32-bit components per pixel (depth: one), row by row, layer by layer. Components of
// attachments with smaller ones are converted to 32 bits.
struct Plane {
  std::string name;  // "location 0", "depth"
  varyings::ScalarKind kind = varyings::ScalarKind::floating;
  std::uint32_t width = 0, height = 0, layers = 1;
  std::uint32_t components = 4;
  std::vector<std::uint32_t> words;
  std::array<std::uint32_t, 4> clear = {};  // a pixel that nothing wrote
  std::array<Step, 4> steps = {};           // how finely the attachment stores each component

  std::uint32_t pixel_count() const { return width * height * layers; }
  // Whether the draw wrote the pixel: it no longer holds the clear value.
  bool covered(std::uint32_t pixel) const;
};

struct Frame {
  std::vector<Plane> planes;   // the color targets, then depth if it could be read
  bool has_color = false;      // planes[0] is a color target
  std::vector<Dump> buffers;   // storage buffers and images
  std::vector<Dump> feedback;  // transform feedback buffers
};

}  // namespace varylink::verify
