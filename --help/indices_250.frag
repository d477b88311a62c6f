#version 450
layout(location = 0) in vec4 v[5];
layout(push_constant) uniform P { int a[250]; };
layout(location = 0) out vec4 o;
void main() {
  int i = 0;
  switch (a[0]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[1]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[2]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[3]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[4]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[5]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[6]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[7]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[8]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[9]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[10]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[11]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[12]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[13]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[14]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[15]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[16]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[17]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[18]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[19]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[20]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[21]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[22]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[23]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[24]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[25]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[26]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[27]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[28]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[29]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[30]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[31]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[32]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[33]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[34]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[35]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[36]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[37]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[38]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[39]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[40]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[41]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[42]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[43]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[44]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[45]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[46]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[47]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[48]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  switch (a[49]) { case 0: i = i + 0; break; case 1: i = i + 1; break; case 2: i = i + 2; break; case 3: i = i + 3; break; case 4: i = i + 4; break; }
  o = v[i];
}
