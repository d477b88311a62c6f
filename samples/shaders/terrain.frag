// The low quality setting: two layers and the nearest cascade are enough, and no normal map is read.
#version 450

layout(set = 2, binding = 0) uniform sampler2DArray layer_maps;
layout(set = 2, binding = 1) uniform sampler2DShadow shadow_map;

layout(location = 0) in mat3 basis;
layout(location = 3) in vec4 shadow_coordinate[4];
layout(location = 7) in vec2 layer_uv[4];
layout(location = 11) in vec4 layer_weights;
layout(location = 12) in float view_depth;

layout(location = 0) out vec4 target;

void main() {
  vec3 albedo = vec3(0.0);
  float total = layer_weights[0] + layer_weights[1];
  for (int i = 0; i < 2; ++i) albedo += texture(layer_maps, vec3(layer_uv[i], float(i))).rgb * layer_weights[i] / total;
  vec3 projected = shadow_coordinate[0].xyz / shadow_coordinate[0].w;
  float lit = texture(shadow_map, vec3(projected.xy * 0.5 + 0.5, projected.z));
  float facing = max(normalize(basis[2]).y, 0.0);
  target = vec4(albedo * (0.3 + 0.7 * lit * facing), 1.0);
}
