vec3 light(vec3 normal) {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < LIGHTS; ++i) sum += max(dot(normal, vec3(0.0, 1.0, float(i))), 0.0) * vec3(0.5);
  return sum;
}
