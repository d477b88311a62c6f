#include "spirv/tools/names.h"

#include <spirv-tools/libspirv.h>

#include <array>
#include <string_view>

namespace varylink::spirv {
namespace {

// GLSL.std.450 from number 1 on, in the order of its specification.
constexpr std::array<std::string_view, 81> kGlsl = {"Round",
                                                    "RoundEven",
                                                    "Trunc",
                                                    "FAbs",
                                                    "SAbs",
                                                    "FSign",
                                                    "SSign",
                                                    "Floor",
                                                    "Ceil",
                                                    "Fract",
                                                    "Radians",
                                                    "Degrees",
                                                    "Sin",
                                                    "Cos",
                                                    "Tan",
                                                    "Asin",
                                                    "Acos",
                                                    "Atan",
                                                    "Sinh",
                                                    "Cosh",
                                                    "Tanh",
                                                    "Asinh",
                                                    "Acosh",
                                                    "Atanh",
                                                    "Atan2",
                                                    "Pow",
                                                    "Exp",
                                                    "Log",
                                                    "Exp2",
                                                    "Log2",
                                                    "Sqrt",
                                                    "InverseSqrt",
                                                    "Determinant",
                                                    "MatrixInverse",
                                                    "Modf",
                                                    "ModfStruct",
                                                    "FMin",
                                                    "UMin",
                                                    "SMin",
                                                    "FMax",
                                                    "UMax",
                                                    "SMax",
                                                    "FClamp",
                                                    "UClamp",
                                                    "SClamp",
                                                    "FMix",
                                                    "IMix",
                                                    "Step",
                                                    "SmoothStep",
                                                    "Fma",
                                                    "Frexp",
                                                    "FrexpStruct",
                                                    "Ldexp",
                                                    "PackSnorm4x8",
                                                    "PackUnorm4x8",
                                                    "PackSnorm2x16",
                                                    "PackUnorm2x16",
                                                    "PackHalf2x16",
                                                    "PackDouble2x32",
                                                    "UnpackSnorm2x16",
                                                    "UnpackUnorm2x16",
                                                    "UnpackHalf2x16",
                                                    "UnpackSnorm4x8",
                                                    "UnpackUnorm4x8",
                                                    "UnpackDouble2x32",
                                                    "Length",
                                                    "Distance",
                                                    "Cross",
                                                    "Normalize",
                                                    "FaceForward",
                                                    "Reflect",
                                                    "Refract",
                                                    "FindILsb",
                                                    "FindSMsb",
                                                    "FindUMsb",
                                                    "InterpolateAtCentroid",
                                                    "InterpolateAtSample",
                                                    "InterpolateAtOffset",
                                                    "NMin",
                                                    "NMax",
                                                    "NClamp"};

}  // namespace

std::string name_of(spv::Op op) { return spvOpcodeString(static_cast<std::uint32_t>(op)); }

std::string glsl_name(std::uint32_t number) {
  if (number == 0 || number > kGlsl.size()) return "GLSL " + std::to_string(number);
  return std::string(kGlsl[number - 1]);
}

}  // namespace varylink::spirv
