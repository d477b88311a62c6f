// The shapes of varyings that the SPIR-V templates are made of.
#pragma once

#include <string>
#include <vector>

#include "fuzz/assembly.h"
#include "fuzz/random.h"

namespace varylink::fuzz {

// What the vertex stage can store and what the fragment stage has read.
struct VertexValues {
  std::string a, b;  // two vec4 attributes
  std::string n;     // a uint that differs between vertices
  std::string flag;  // a bool that differs between vertices
};

// A varying: how the producer writes it and how the consumer reads it.
struct Shape {
  const char* name;
  int locations;
  // Declares and writes the outputs at `location`.
  void (*write)(Assembly& out, Random& random, int location, const VertexValues& values);
  // Declares and reads the inputs; returns a vec4.
  std::string (*read)(Assembly& in, Random& random, int location);
  // Has operations with permissions, or that may be fused; what they compute does not show in the picture.
  bool has_liberties = false;
};

// The last one has varyings of 16 bits, which few drivers draw.
const std::vector<Shape>& shapes();

// Of these: pairs of equal operations that differ in one permission, products that are compared behind the interface,
// indices outside of arrays, constants of which an operation is undefined (spirv_liberties.cpp).
std::vector<Shape> liberty_shapes();

}  // namespace varylink::fuzz
