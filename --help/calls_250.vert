#version 450
layout(location = 0) in vec4 p;
layout(location = 1) in ivec4 q;
layout(location = 0) out vec4 v;
vec4 f0(vec4 x) { return x; }
vec4 f1(vec4 x) { return f0(x * 1.5); }
vec4 f2(vec4 x) { return f1(x * 2.5); }
vec4 f3(vec4 x) { return f2(x * 3.5); }
vec4 f4(vec4 x) { return f3(x * 4.5); }
vec4 f5(vec4 x) { return f4(x * 5.5); }
vec4 f6(vec4 x) { return f5(x * 6.5); }
vec4 f7(vec4 x) { return f6(x * 7.5); }
vec4 f8(vec4 x) { return f7(x * 8.5); }
vec4 f9(vec4 x) { return f8(x * 9.5); }
vec4 f10(vec4 x) { return f9(x * 10.5); }
vec4 f11(vec4 x) { return f10(x * 11.5); }
vec4 f12(vec4 x) { return f11(x * 12.5); }
vec4 f13(vec4 x) { return f12(x * 13.5); }
vec4 f14(vec4 x) { return f13(x * 14.5); }
vec4 f15(vec4 x) { return f14(x * 15.5); }
vec4 f16(vec4 x) { return f15(x * 16.5); }
vec4 f17(vec4 x) { return f16(x * 17.5); }
vec4 f18(vec4 x) { return f17(x * 18.5); }
vec4 f19(vec4 x) { return f18(x * 19.5); }
vec4 f20(vec4 x) { return f19(x * 20.5); }
vec4 f21(vec4 x) { return f20(x * 21.5); }
vec4 f22(vec4 x) { return f21(x * 22.5); }
vec4 f23(vec4 x) { return f22(x * 23.5); }
vec4 f24(vec4 x) { return f23(x * 24.5); }
vec4 f25(vec4 x) { return f24(x * 25.5); }
vec4 f26(vec4 x) { return f25(x * 26.5); }
vec4 f27(vec4 x) { return f26(x * 27.5); }
vec4 f28(vec4 x) { return f27(x * 28.5); }
vec4 f29(vec4 x) { return f28(x * 29.5); }
vec4 f30(vec4 x) { return f29(x * 30.5); }
vec4 f31(vec4 x) { return f30(x * 31.5); }
vec4 f32(vec4 x) { return f31(x * 32.5); }
vec4 f33(vec4 x) { return f32(x * 33.5); }
vec4 f34(vec4 x) { return f33(x * 34.5); }
vec4 f35(vec4 x) { return f34(x * 35.5); }
vec4 f36(vec4 x) { return f35(x * 36.5); }
vec4 f37(vec4 x) { return f36(x * 37.5); }
vec4 f38(vec4 x) { return f37(x * 38.5); }
vec4 f39(vec4 x) { return f38(x * 39.5); }
vec4 f40(vec4 x) { return f39(x * 40.5); }
vec4 f41(vec4 x) { return f40(x * 41.5); }
vec4 f42(vec4 x) { return f41(x * 42.5); }
vec4 f43(vec4 x) { return f42(x * 43.5); }
vec4 f44(vec4 x) { return f43(x * 44.5); }
vec4 f45(vec4 x) { return f44(x * 45.5); }
vec4 f46(vec4 x) { return f45(x * 46.5); }
vec4 f47(vec4 x) { return f46(x * 47.5); }
vec4 f48(vec4 x) { return f47(x * 48.5); }
vec4 f49(vec4 x) { return f48(x * 49.5); }
void main() {
  gl_Position = p;
  v = p;
  v = f49(p);
}
