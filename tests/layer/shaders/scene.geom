#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 1) in vec4 tint[];
layout(location = 2) in vec2 place[];
layout(location = 3) in vec2 place_again[];
layout(location = 0) out vec4 color_out;
layout(location = 1) out vec4 tint_out;
layout(location = 2) out vec2 place_out;
layout(location = 3) out vec2 place_again_out;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    color_out = color[i];
    tint_out = tint[i];
    place_out = place[i];
    place_again_out = place_again[i];
    EmitVertex();
  }
}
