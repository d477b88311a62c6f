"""GLSL of the pipelines that tests of formats write: every fact of a description changes what linking makes of them."""
VERT = """#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 tint;
layout(location = 1) centroid out vec4 other;
layout(location = 2) out vec4 third;
void main() { gl_Position = position; tint = color; other = color * position; third = sqrt(position); }
"""
FRAG = """#version 450
layout(constant_id = 3) const int kind = 0;
layout(constant_id = 7) const float scale = 2.0;
layout(location = 0) in vec4 tint;
layout(location = 1) centroid in vec4 other;
layout(location = 2) in vec4 third;
layout(location = 0) out vec4 o;
layout(location = 1) out vec4 p;
void main() { o = kind == 4 ? tint.wxyz * scale : vec4(other.x); p = third; }
"""
# Draws points where polygons or primitives are points.
SIZED_VERT = VERT.replace("void main() {", "void main() { gl_PointSize = position.w;")
