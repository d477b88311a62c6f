#version 450
layout(location = 0) in vec4 p;
layout(location = 1) in ivec4 q;
layout(location = 0) out vec4 v;
void main() {
  gl_Position = p;
  v = p;
  switch (q.x + 0) { case 1: v.y = p.x * 0.5; break; case 2: v.z = p.x * 0.5; break; case 3: v.w = p.x * 0.5; break; case 4: v.x = p.x * 0.5; break; case 5: v.y = p.x * 0.5; break; }
  switch (q.y + 1) { case 1: v.z = p.x * 1.5; break; case 2: v.w = p.x * 1.5; break; case 3: v.x = p.x * 1.5; break; case 4: v.y = p.x * 1.5; break; case 5: v.z = p.x * 1.5; break; }
  switch (q.z + 2) { case 1: v.w = p.x * 2.5; break; case 2: v.x = p.x * 2.5; break; case 3: v.y = p.x * 2.5; break; case 4: v.z = p.x * 2.5; break; case 5: v.w = p.x * 2.5; break; }
  switch (q.w + 3) { case 1: v.x = p.x * 3.5; break; case 2: v.y = p.x * 3.5; break; case 3: v.z = p.x * 3.5; break; case 4: v.w = p.x * 3.5; break; case 5: v.x = p.x * 3.5; break; }
  switch (q.x + 4) { case 1: v.y = p.x * 4.5; break; case 2: v.z = p.x * 4.5; break; case 3: v.w = p.x * 4.5; break; case 4: v.x = p.x * 4.5; break; case 5: v.y = p.x * 4.5; break; }
  switch (q.y + 5) { case 1: v.z = p.x * 5.5; break; case 2: v.w = p.x * 5.5; break; case 3: v.x = p.x * 5.5; break; case 4: v.y = p.x * 5.5; break; case 5: v.z = p.x * 5.5; break; }
  switch (q.z + 6) { case 1: v.w = p.x * 6.5; break; case 2: v.x = p.x * 6.5; break; case 3: v.y = p.x * 6.5; break; case 4: v.z = p.x * 6.5; break; case 5: v.w = p.x * 6.5; break; }
  switch (q.w + 7) { case 1: v.x = p.x * 7.5; break; case 2: v.y = p.x * 7.5; break; case 3: v.z = p.x * 7.5; break; case 4: v.w = p.x * 7.5; break; case 5: v.x = p.x * 7.5; break; }
  switch (q.x + 8) { case 1: v.y = p.x * 8.5; break; case 2: v.z = p.x * 8.5; break; case 3: v.w = p.x * 8.5; break; case 4: v.x = p.x * 8.5; break; case 5: v.y = p.x * 8.5; break; }
  switch (q.y + 9) { case 1: v.z = p.x * 9.5; break; case 2: v.w = p.x * 9.5; break; case 3: v.x = p.x * 9.5; break; case 4: v.y = p.x * 9.5; break; case 5: v.z = p.x * 9.5; break; }
  switch (q.z + 10) { case 1: v.w = p.x * 10.5; break; case 2: v.x = p.x * 10.5; break; case 3: v.y = p.x * 10.5; break; case 4: v.z = p.x * 10.5; break; case 5: v.w = p.x * 10.5; break; }
  switch (q.w + 11) { case 1: v.x = p.x * 11.5; break; case 2: v.y = p.x * 11.5; break; case 3: v.z = p.x * 11.5; break; case 4: v.w = p.x * 11.5; break; case 5: v.x = p.x * 11.5; break; }
  switch (q.x + 12) { case 1: v.y = p.x * 12.5; break; case 2: v.z = p.x * 12.5; break; case 3: v.w = p.x * 12.5; break; case 4: v.x = p.x * 12.5; break; case 5: v.y = p.x * 12.5; break; }
  switch (q.y + 13) { case 1: v.z = p.x * 13.5; break; case 2: v.w = p.x * 13.5; break; case 3: v.x = p.x * 13.5; break; case 4: v.y = p.x * 13.5; break; case 5: v.z = p.x * 13.5; break; }
  switch (q.z + 14) { case 1: v.w = p.x * 14.5; break; case 2: v.x = p.x * 14.5; break; case 3: v.y = p.x * 14.5; break; case 4: v.z = p.x * 14.5; break; case 5: v.w = p.x * 14.5; break; }
  switch (q.w + 15) { case 1: v.x = p.x * 15.5; break; case 2: v.y = p.x * 15.5; break; case 3: v.z = p.x * 15.5; break; case 4: v.w = p.x * 15.5; break; case 5: v.x = p.x * 15.5; break; }
  switch (q.x + 16) { case 1: v.y = p.x * 16.5; break; case 2: v.z = p.x * 16.5; break; case 3: v.w = p.x * 16.5; break; case 4: v.x = p.x * 16.5; break; case 5: v.y = p.x * 16.5; break; }
  switch (q.y + 17) { case 1: v.z = p.x * 17.5; break; case 2: v.w = p.x * 17.5; break; case 3: v.x = p.x * 17.5; break; case 4: v.y = p.x * 17.5; break; case 5: v.z = p.x * 17.5; break; }
  switch (q.z + 18) { case 1: v.w = p.x * 18.5; break; case 2: v.x = p.x * 18.5; break; case 3: v.y = p.x * 18.5; break; case 4: v.z = p.x * 18.5; break; case 5: v.w = p.x * 18.5; break; }
  switch (q.w + 19) { case 1: v.x = p.x * 19.5; break; case 2: v.y = p.x * 19.5; break; case 3: v.z = p.x * 19.5; break; case 4: v.w = p.x * 19.5; break; case 5: v.x = p.x * 19.5; break; }
  switch (q.x + 20) { case 1: v.y = p.x * 20.5; break; case 2: v.z = p.x * 20.5; break; case 3: v.w = p.x * 20.5; break; case 4: v.x = p.x * 20.5; break; case 5: v.y = p.x * 20.5; break; }
  switch (q.y + 21) { case 1: v.z = p.x * 21.5; break; case 2: v.w = p.x * 21.5; break; case 3: v.x = p.x * 21.5; break; case 4: v.y = p.x * 21.5; break; case 5: v.z = p.x * 21.5; break; }
  switch (q.z + 22) { case 1: v.w = p.x * 22.5; break; case 2: v.x = p.x * 22.5; break; case 3: v.y = p.x * 22.5; break; case 4: v.z = p.x * 22.5; break; case 5: v.w = p.x * 22.5; break; }
  switch (q.w + 23) { case 1: v.x = p.x * 23.5; break; case 2: v.y = p.x * 23.5; break; case 3: v.z = p.x * 23.5; break; case 4: v.w = p.x * 23.5; break; case 5: v.x = p.x * 23.5; break; }
  switch (q.x + 24) { case 1: v.y = p.x * 24.5; break; case 2: v.z = p.x * 24.5; break; case 3: v.w = p.x * 24.5; break; case 4: v.x = p.x * 24.5; break; case 5: v.y = p.x * 24.5; break; }
  switch (q.y + 25) { case 1: v.z = p.x * 25.5; break; case 2: v.w = p.x * 25.5; break; case 3: v.x = p.x * 25.5; break; case 4: v.y = p.x * 25.5; break; case 5: v.z = p.x * 25.5; break; }
  switch (q.z + 26) { case 1: v.w = p.x * 26.5; break; case 2: v.x = p.x * 26.5; break; case 3: v.y = p.x * 26.5; break; case 4: v.z = p.x * 26.5; break; case 5: v.w = p.x * 26.5; break; }
  switch (q.w + 27) { case 1: v.x = p.x * 27.5; break; case 2: v.y = p.x * 27.5; break; case 3: v.z = p.x * 27.5; break; case 4: v.w = p.x * 27.5; break; case 5: v.x = p.x * 27.5; break; }
  switch (q.x + 28) { case 1: v.y = p.x * 28.5; break; case 2: v.z = p.x * 28.5; break; case 3: v.w = p.x * 28.5; break; case 4: v.x = p.x * 28.5; break; case 5: v.y = p.x * 28.5; break; }
  switch (q.y + 29) { case 1: v.z = p.x * 29.5; break; case 2: v.w = p.x * 29.5; break; case 3: v.x = p.x * 29.5; break; case 4: v.y = p.x * 29.5; break; case 5: v.z = p.x * 29.5; break; }
  switch (q.z + 30) { case 1: v.w = p.x * 30.5; break; case 2: v.x = p.x * 30.5; break; case 3: v.y = p.x * 30.5; break; case 4: v.z = p.x * 30.5; break; case 5: v.w = p.x * 30.5; break; }
  switch (q.w + 31) { case 1: v.x = p.x * 31.5; break; case 2: v.y = p.x * 31.5; break; case 3: v.z = p.x * 31.5; break; case 4: v.w = p.x * 31.5; break; case 5: v.x = p.x * 31.5; break; }
  switch (q.x + 32) { case 1: v.y = p.x * 32.5; break; case 2: v.z = p.x * 32.5; break; case 3: v.w = p.x * 32.5; break; case 4: v.x = p.x * 32.5; break; case 5: v.y = p.x * 32.5; break; }
  switch (q.y + 33) { case 1: v.z = p.x * 33.5; break; case 2: v.w = p.x * 33.5; break; case 3: v.x = p.x * 33.5; break; case 4: v.y = p.x * 33.5; break; case 5: v.z = p.x * 33.5; break; }
  switch (q.z + 34) { case 1: v.w = p.x * 34.5; break; case 2: v.x = p.x * 34.5; break; case 3: v.y = p.x * 34.5; break; case 4: v.z = p.x * 34.5; break; case 5: v.w = p.x * 34.5; break; }
  switch (q.w + 35) { case 1: v.x = p.x * 35.5; break; case 2: v.y = p.x * 35.5; break; case 3: v.z = p.x * 35.5; break; case 4: v.w = p.x * 35.5; break; case 5: v.x = p.x * 35.5; break; }
  switch (q.x + 36) { case 1: v.y = p.x * 36.5; break; case 2: v.z = p.x * 36.5; break; case 3: v.w = p.x * 36.5; break; case 4: v.x = p.x * 36.5; break; case 5: v.y = p.x * 36.5; break; }
  switch (q.y + 37) { case 1: v.z = p.x * 37.5; break; case 2: v.w = p.x * 37.5; break; case 3: v.x = p.x * 37.5; break; case 4: v.y = p.x * 37.5; break; case 5: v.z = p.x * 37.5; break; }
  switch (q.z + 38) { case 1: v.w = p.x * 38.5; break; case 2: v.x = p.x * 38.5; break; case 3: v.y = p.x * 38.5; break; case 4: v.z = p.x * 38.5; break; case 5: v.w = p.x * 38.5; break; }
  switch (q.w + 39) { case 1: v.x = p.x * 39.5; break; case 2: v.y = p.x * 39.5; break; case 3: v.z = p.x * 39.5; break; case 4: v.w = p.x * 39.5; break; case 5: v.x = p.x * 39.5; break; }
  switch (q.x + 40) { case 1: v.y = p.x * 40.5; break; case 2: v.z = p.x * 40.5; break; case 3: v.w = p.x * 40.5; break; case 4: v.x = p.x * 40.5; break; case 5: v.y = p.x * 40.5; break; }
  switch (q.y + 41) { case 1: v.z = p.x * 41.5; break; case 2: v.w = p.x * 41.5; break; case 3: v.x = p.x * 41.5; break; case 4: v.y = p.x * 41.5; break; case 5: v.z = p.x * 41.5; break; }
  switch (q.z + 42) { case 1: v.w = p.x * 42.5; break; case 2: v.x = p.x * 42.5; break; case 3: v.y = p.x * 42.5; break; case 4: v.z = p.x * 42.5; break; case 5: v.w = p.x * 42.5; break; }
  switch (q.w + 43) { case 1: v.x = p.x * 43.5; break; case 2: v.y = p.x * 43.5; break; case 3: v.z = p.x * 43.5; break; case 4: v.w = p.x * 43.5; break; case 5: v.x = p.x * 43.5; break; }
  switch (q.x + 44) { case 1: v.y = p.x * 44.5; break; case 2: v.z = p.x * 44.5; break; case 3: v.w = p.x * 44.5; break; case 4: v.x = p.x * 44.5; break; case 5: v.y = p.x * 44.5; break; }
  switch (q.y + 45) { case 1: v.z = p.x * 45.5; break; case 2: v.w = p.x * 45.5; break; case 3: v.x = p.x * 45.5; break; case 4: v.y = p.x * 45.5; break; case 5: v.z = p.x * 45.5; break; }
  switch (q.z + 46) { case 1: v.w = p.x * 46.5; break; case 2: v.x = p.x * 46.5; break; case 3: v.y = p.x * 46.5; break; case 4: v.z = p.x * 46.5; break; case 5: v.w = p.x * 46.5; break; }
  switch (q.w + 47) { case 1: v.x = p.x * 47.5; break; case 2: v.y = p.x * 47.5; break; case 3: v.z = p.x * 47.5; break; case 4: v.w = p.x * 47.5; break; case 5: v.x = p.x * 47.5; break; }
  switch (q.x + 48) { case 1: v.y = p.x * 48.5; break; case 2: v.z = p.x * 48.5; break; case 3: v.w = p.x * 48.5; break; case 4: v.x = p.x * 48.5; break; case 5: v.y = p.x * 48.5; break; }
  switch (q.y + 49) { case 1: v.z = p.x * 49.5; break; case 2: v.w = p.x * 49.5; break; case 3: v.x = p.x * 49.5; break; case 4: v.y = p.x * 49.5; break; case 5: v.z = p.x * 49.5; break; }
}
