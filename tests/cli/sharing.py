"""A manifest whose pipelines share one vertex shader, for the tests of --share, --cache and --shard."""

import json

# Not linear: what one component carries cannot be computed from another, nor on the other side.
VERT = """#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
layout(location = 2) out vec4 c;
layout(location = 3) out vec4 nobody;
layout(location = 4) out vec4 two;
void main() {
  a = exp2(position * 2.0);
  b = sin(position * 3.0);
  c = position.wzyx;
  nobody = position * 5.0;
  two = vec4(2.0);
  gl_Position = position;
}
"""

# Name -> what the fragment shader reads.
READS = {
    "xy": "vec4(a.xy, 0.0, 1.0)",
    "sum": "a * a + b * two.x",
    "b": "vec4(b.xyz, 1.0)",
    "swapped": "c * two",
    "first": "vec4(a.x)",
    "last": "vec4(b.w, c.w, 0.0, 1.0)",
}


def fragment(expression):
    inputs = "".join(f"layout(location = {location}) in vec4 {name};\n"
                     for location, name in enumerate(["a", "b", "c", "nobody", "two"]))
    return f"#version 450\n{inputs}layout(location = 0) out vec4 result;\nvoid main() {{ result = {expression}; }}\n"


def write_manifest(test, reads=None, vertex=VERT):
    """Writes the shaders and pipelines.jsonl into the scratch folder of a CliTest."""
    reads = READS if reads is None else reads
    test.write("shared.vert", vertex)
    lines = []
    for name, expression in reads.items():
        test.write(f"{name}.frag", fragment(expression))
        lines.append(json.dumps({"name": name, "stages": {"vert": "shared.vert", "frag": f"{name}.frag"}}))
    return test.write("pipelines.jsonl", "\n".join(lines) + "\n")
