#version 450
layout(constant_id = 0) const int kBands = 4;
layout(location = 0) in vec4 color;
layout(location = 1) in vec4 tint;
layout(location = 2) in vec2 place;
layout(location = 3) in vec2 place_again;
layout(location = 0) out vec4 result;
void main() {
  float band = fract(place.x * float(kBands)) * place_again.y;
  result = vec4(color.rgb * tint.rgb + band * 0.25, color.a);
}
