#include "prove/observables.h"

#include <array>

#include "prove/terms/unsupported.h"

namespace varylink::prove {
namespace {

#define VARYLINK_DECORATION(name) \
  { static_cast<std::uint32_t>(spv::Decoration::name), #name }
#define VARYLINK_EXECUTIONMODE(name) \
  { static_cast<std::uint32_t>(spv::ExecutionMode::name), #name }
#define VARYLINK_BUILTIN(name) \
  { static_cast<std::uint32_t>(spv::BuiltIn::name), #name }

constexpr ObservableName kPlaces[] = {
    VARYLINK_DECORATION(Location),
    VARYLINK_DECORATION(Component),
    VARYLINK_DECORATION(Index),
    VARYLINK_DECORATION(BuiltIn),
    VARYLINK_DECORATION(DescriptorSet),
    VARYLINK_DECORATION(Binding),
    VARYLINK_DECORATION(InputAttachmentIndex),
    VARYLINK_DECORATION(SpecId),
};
constexpr ObservableName kLayouts[] = {
    VARYLINK_DECORATION(Offset),   VARYLINK_DECORATION(ArrayStride), VARYLINK_DECORATION(MatrixStride),
    VARYLINK_DECORATION(RowMajor), VARYLINK_DECORATION(ColMajor),
};
constexpr ObservableName kKinds[] = {
    VARYLINK_DECORATION(Block),
    VARYLINK_DECORATION(BufferBlock),
};
constexpr ObservableName kInterpolations[] = {
    VARYLINK_DECORATION(Flat),   VARYLINK_DECORATION(NoPerspective), VARYLINK_DECORATION(Centroid),
    VARYLINK_DECORATION(Sample), VARYLINK_DECORATION(Patch),         VARYLINK_DECORATION(PerPrimitiveEXT),
};
constexpr ObservableName kCaptures[] = {
    VARYLINK_DECORATION(XfbBuffer),
    VARYLINK_DECORATION(XfbStride),
    VARYLINK_DECORATION(Stream),
};
constexpr ObservableName kExact[] = {
    VARYLINK_DECORATION(NoContraction),
    VARYLINK_DECORATION(FPRoundingMode),
};
constexpr ObservableName kNonUniform[] = {
    VARYLINK_DECORATION(NonUniform),
};
constexpr ObservableName kMemory[] = {
    VARYLINK_DECORATION(Aliased),     VARYLINK_DECORATION(Coherent), VARYLINK_DECORATION(NonReadable),
    VARYLINK_DECORATION(NonWritable), VARYLINK_DECORATION(Restrict), VARYLINK_DECORATION(Volatile),
};
constexpr ObservableName kInvariant[] = {
    VARYLINK_DECORATION(Invariant),
};
constexpr ObservableName kPermissions[] = {
    VARYLINK_DECORATION(RelaxedPrecision),
    VARYLINK_DECORATION(NoSignedWrap),
    VARYLINK_DECORATION(NoUnsignedWrap),
    VARYLINK_DECORATION(FPFastMathMode),
};
constexpr ObservableName kNames[] = {
    VARYLINK_DECORATION(UserSemantic), VARYLINK_DECORATION(UserTypeGOOGLE), VARYLINK_DECORATION(CounterBuffer),
    VARYLINK_DECORATION(GLSLShared),   VARYLINK_DECORATION(GLSLPacked),
};
constexpr ObservableName kOtherInputs[] = {
    VARYLINK_DECORATION(PerVertexKHR),       VARYLINK_DECORATION(ExplicitInterpAMD),
    VARYLINK_DECORATION(OverrideCoverageNV), VARYLINK_DECORATION(PassthroughNV),
    VARYLINK_DECORATION(ViewportRelativeNV), VARYLINK_DECORATION(SecondaryViewportRelativeNV),
    VARYLINK_DECORATION(PerViewNV),          VARYLINK_DECORATION(PerTaskNV),
};
constexpr ObservableName kPointers[] = {
    VARYLINK_DECORATION(RestrictPointer),
    VARYLINK_DECORATION(AliasedPointer),
    VARYLINK_DECORATION(HitObjectShaderRecordBufferNV),
    VARYLINK_DECORATION(BindlessSamplerNV),
    VARYLINK_DECORATION(BindlessImageNV),
    VARYLINK_DECORATION(BoundSamplerNV),
    VARYLINK_DECORATION(BoundImageNV),
};
constexpr ObservableName kUniformity[] = {
    VARYLINK_DECORATION(Uniform),
    VARYLINK_DECORATION(UniformId),
};
constexpr ObservableName kKernels[] = {
    VARYLINK_DECORATION(CPacked),
    VARYLINK_DECORATION(Constant),
    VARYLINK_DECORATION(SaturatedConversion),
    VARYLINK_DECORATION(FuncParamAttr),
    VARYLINK_DECORATION(LinkageAttributes),
    VARYLINK_DECORATION(Alignment),
    VARYLINK_DECORATION(MaxByteOffset),
    VARYLINK_DECORATION(AlignmentId),
    VARYLINK_DECORATION(MaxByteOffsetId),
    VARYLINK_DECORATION(SIMTCallINTEL),
    VARYLINK_DECORATION(ReferencedIndirectlyINTEL),
    VARYLINK_DECORATION(ClobberINTEL),
    VARYLINK_DECORATION(SideEffectsINTEL),
    VARYLINK_DECORATION(VectorComputeVariableINTEL),
    VARYLINK_DECORATION(FuncParamIOKindINTEL),
    VARYLINK_DECORATION(VectorComputeFunctionINTEL),
    VARYLINK_DECORATION(StackCallINTEL),
    VARYLINK_DECORATION(GlobalVariableOffsetINTEL),
    VARYLINK_DECORATION(FunctionRoundingModeINTEL),
    VARYLINK_DECORATION(FunctionDenormModeINTEL),
    VARYLINK_DECORATION(RegisterINTEL),
    VARYLINK_DECORATION(MemoryINTEL),
    VARYLINK_DECORATION(NumbanksINTEL),
    VARYLINK_DECORATION(BankwidthINTEL),
    VARYLINK_DECORATION(MaxPrivateCopiesINTEL),
    VARYLINK_DECORATION(SinglepumpINTEL),
    VARYLINK_DECORATION(DoublepumpINTEL),
    VARYLINK_DECORATION(MaxReplicatesINTEL),
    VARYLINK_DECORATION(SimpleDualPortINTEL),
    VARYLINK_DECORATION(MergeINTEL),
    VARYLINK_DECORATION(BankBitsINTEL),
    VARYLINK_DECORATION(ForcePow2DepthINTEL),
    VARYLINK_DECORATION(BurstCoalesceINTEL),
    VARYLINK_DECORATION(CacheSizeINTEL),
    VARYLINK_DECORATION(DontStaticallyCoalesceINTEL),
    VARYLINK_DECORATION(PrefetchINTEL),
    VARYLINK_DECORATION(StallEnableINTEL),
    VARYLINK_DECORATION(FuseLoopsInFunctionINTEL),
    VARYLINK_DECORATION(MathOpDSPModeINTEL),
    VARYLINK_DECORATION(AliasScopeINTEL),
    VARYLINK_DECORATION(NoAliasINTEL),
    VARYLINK_DECORATION(InitiationIntervalINTEL),
    VARYLINK_DECORATION(MaxConcurrencyINTEL),
    VARYLINK_DECORATION(PipelineEnableINTEL),
    VARYLINK_DECORATION(BufferLocationINTEL),
    VARYLINK_DECORATION(IOPipeStorageINTEL),
    VARYLINK_DECORATION(FunctionFloatingPointModeINTEL),
    VARYLINK_DECORATION(SingleElementVectorINTEL),
    VARYLINK_DECORATION(VectorComputeCallableFunctionINTEL),
    VARYLINK_DECORATION(MediaBlockIOINTEL),
};
constexpr ObservableName kVertexModes[] = {
    VARYLINK_EXECUTIONMODE(Invocations),
    VARYLINK_EXECUTIONMODE(SpacingEqual),
    VARYLINK_EXECUTIONMODE(SpacingFractionalEven),
    VARYLINK_EXECUTIONMODE(SpacingFractionalOdd),
    VARYLINK_EXECUTIONMODE(VertexOrderCw),
    VARYLINK_EXECUTIONMODE(VertexOrderCcw),
    VARYLINK_EXECUTIONMODE(PointMode),
    VARYLINK_EXECUTIONMODE(InputPoints),
    VARYLINK_EXECUTIONMODE(InputLines),
    VARYLINK_EXECUTIONMODE(InputLinesAdjacency),
    VARYLINK_EXECUTIONMODE(Triangles),
    VARYLINK_EXECUTIONMODE(InputTrianglesAdjacency),
    VARYLINK_EXECUTIONMODE(Quads),
    VARYLINK_EXECUTIONMODE(Isolines),
    VARYLINK_EXECUTIONMODE(OutputVertices),
    VARYLINK_EXECUTIONMODE(OutputPoints),
    VARYLINK_EXECUTIONMODE(OutputLineStrip),
    VARYLINK_EXECUTIONMODE(OutputTriangleStrip),
    VARYLINK_EXECUTIONMODE(OutputLinesEXT),
    VARYLINK_EXECUTIONMODE(OutputPrimitivesEXT),
    VARYLINK_EXECUTIONMODE(OutputTrianglesEXT),
    VARYLINK_EXECUTIONMODE(Xfb),
};
constexpr ObservableName kFragmentModes[] = {
    VARYLINK_EXECUTIONMODE(PixelCenterInteger),
    VARYLINK_EXECUTIONMODE(OriginUpperLeft),
    VARYLINK_EXECUTIONMODE(OriginLowerLeft),
    VARYLINK_EXECUTIONMODE(EarlyFragmentTests),
    VARYLINK_EXECUTIONMODE(DepthReplacing),
    VARYLINK_EXECUTIONMODE(DepthGreater),
    VARYLINK_EXECUTIONMODE(DepthLess),
    VARYLINK_EXECUTIONMODE(DepthUnchanged),
    VARYLINK_EXECUTIONMODE(PostDepthCoverage),
    VARYLINK_EXECUTIONMODE(EarlyAndLateFragmentTestsAMD),
    VARYLINK_EXECUTIONMODE(StencilRefReplacingEXT),
    VARYLINK_EXECUTIONMODE(StencilRefUnchangedFrontAMD),
    VARYLINK_EXECUTIONMODE(StencilRefGreaterFrontAMD),
    VARYLINK_EXECUTIONMODE(StencilRefLessFrontAMD),
    VARYLINK_EXECUTIONMODE(StencilRefUnchangedBackAMD),
    VARYLINK_EXECUTIONMODE(StencilRefGreaterBackAMD),
    VARYLINK_EXECUTIONMODE(StencilRefLessBackAMD),
    VARYLINK_EXECUTIONMODE(PixelInterlockOrderedEXT),
    VARYLINK_EXECUTIONMODE(PixelInterlockUnorderedEXT),
    VARYLINK_EXECUTIONMODE(SampleInterlockOrderedEXT),
    VARYLINK_EXECUTIONMODE(SampleInterlockUnorderedEXT),
    VARYLINK_EXECUTIONMODE(ShadingRateInterlockOrderedEXT),
    VARYLINK_EXECUTIONMODE(ShadingRateInterlockUnorderedEXT),
};
constexpr ObservableName kWorkgroupModes[] = {
    VARYLINK_EXECUTIONMODE(LocalSize),
    VARYLINK_EXECUTIONMODE(LocalSizeId),
    VARYLINK_EXECUTIONMODE(SubgroupUniformControlFlowKHR),
    VARYLINK_EXECUTIONMODE(DerivativeGroupQuadsNV),
    VARYLINK_EXECUTIONMODE(DerivativeGroupLinearNV),
};
constexpr ObservableName kFloatModes[] = {
    VARYLINK_EXECUTIONMODE(DenormPreserve),           VARYLINK_EXECUTIONMODE(DenormFlushToZero),
    VARYLINK_EXECUTIONMODE(SignedZeroInfNanPreserve), VARYLINK_EXECUTIONMODE(RoundingModeRTE),
    VARYLINK_EXECUTIONMODE(RoundingModeRTZ),
};
constexpr ObservableName kKernelModes[] = {
    VARYLINK_EXECUTIONMODE(LocalSizeHint),
    VARYLINK_EXECUTIONMODE(VecTypeHint),
    VARYLINK_EXECUTIONMODE(ContractionOff),
    VARYLINK_EXECUTIONMODE(Initializer),
    VARYLINK_EXECUTIONMODE(Finalizer),
    VARYLINK_EXECUTIONMODE(SubgroupSize),
    VARYLINK_EXECUTIONMODE(SubgroupsPerWorkgroup),
    VARYLINK_EXECUTIONMODE(SubgroupsPerWorkgroupId),
    VARYLINK_EXECUTIONMODE(LocalSizeHintId),
    VARYLINK_EXECUTIONMODE(SharedLocalMemorySizeINTEL),
    VARYLINK_EXECUTIONMODE(RoundingModeRTPINTEL),
    VARYLINK_EXECUTIONMODE(RoundingModeRTNINTEL),
    VARYLINK_EXECUTIONMODE(FloatingPointModeALTINTEL),
    VARYLINK_EXECUTIONMODE(FloatingPointModeIEEEINTEL),
    VARYLINK_EXECUTIONMODE(MaxWorkgroupSizeINTEL),
    VARYLINK_EXECUTIONMODE(MaxWorkDimINTEL),
    VARYLINK_EXECUTIONMODE(NoGlobalOffsetINTEL),
    VARYLINK_EXECUTIONMODE(NumSIMDWorkitemsINTEL),
    VARYLINK_EXECUTIONMODE(SchedulerTargetFmaxMhzINTEL),
    VARYLINK_EXECUTIONMODE(StreamingInterfaceINTEL),
    VARYLINK_EXECUTIONMODE(NamedBarrierCountINTEL),
};
constexpr ObservableName kOutputs[] = {
    VARYLINK_BUILTIN(Position),
    VARYLINK_BUILTIN(PointSize),
    VARYLINK_BUILTIN(ClipDistance),
    VARYLINK_BUILTIN(CullDistance),
    VARYLINK_BUILTIN(PrimitiveId),
    VARYLINK_BUILTIN(Layer),
    VARYLINK_BUILTIN(ViewportIndex),
    VARYLINK_BUILTIN(TessLevelOuter),
    VARYLINK_BUILTIN(TessLevelInner),
    VARYLINK_BUILTIN(SampleMask),
    VARYLINK_BUILTIN(FragDepth),
    VARYLINK_BUILTIN(FragStencilRefEXT),
    VARYLINK_BUILTIN(PrimitiveShadingRateKHR),
    VARYLINK_BUILTIN(CullPrimitiveEXT),
    VARYLINK_BUILTIN(PrimitivePointIndicesEXT),
    VARYLINK_BUILTIN(PrimitiveLineIndicesEXT),
    VARYLINK_BUILTIN(PrimitiveTriangleIndicesEXT),
};
constexpr ObservableName kShared[] = {
    VARYLINK_BUILTIN(InstanceIndex), VARYLINK_BUILTIN(BaseInstance), VARYLINK_BUILTIN(BaseVertex),
    VARYLINK_BUILTIN(DrawIndex),     VARYLINK_BUILTIN(ViewIndex),    VARYLINK_BUILTIN(DeviceIndex),
};
constexpr ObservableName kGiven[] = {
    VARYLINK_BUILTIN(VertexIndex),
    VARYLINK_BUILTIN(InvocationId),
    VARYLINK_BUILTIN(TessCoord),
    VARYLINK_BUILTIN(PatchVertices),
    VARYLINK_BUILTIN(FragCoord),
    VARYLINK_BUILTIN(PointCoord),
    VARYLINK_BUILTIN(FrontFacing),
    VARYLINK_BUILTIN(SampleId),
    VARYLINK_BUILTIN(SamplePosition),
    VARYLINK_BUILTIN(HelperInvocation),
    VARYLINK_BUILTIN(NumWorkgroups),
    VARYLINK_BUILTIN(WorkgroupId),
    VARYLINK_BUILTIN(LocalInvocationId),
    VARYLINK_BUILTIN(GlobalInvocationId),
    VARYLINK_BUILTIN(LocalInvocationIndex),
    VARYLINK_BUILTIN(SubgroupSize),
    VARYLINK_BUILTIN(NumSubgroups),
    VARYLINK_BUILTIN(SubgroupId),
    VARYLINK_BUILTIN(SubgroupLocalInvocationId),
    VARYLINK_BUILTIN(SubgroupEqMask),
    VARYLINK_BUILTIN(SubgroupGeMask),
    VARYLINK_BUILTIN(SubgroupGtMask),
    VARYLINK_BUILTIN(SubgroupLeMask),
    VARYLINK_BUILTIN(SubgroupLtMask),
    VARYLINK_BUILTIN(ShadingRateKHR),
    VARYLINK_BUILTIN(FullyCoveredEXT),
    VARYLINK_BUILTIN(FragSizeEXT),
    VARYLINK_BUILTIN(FragInvocationCountEXT),
    VARYLINK_BUILTIN(BaryCoordKHR),
    VARYLINK_BUILTIN(BaryCoordNoPerspKHR),
};
constexpr ObservableName kWorkgroupSize[] = {
    VARYLINK_BUILTIN(WorkgroupSize),
};
constexpr ObservableName kMultiview[] = {
    VARYLINK_BUILTIN(BaryCoordNoPerspAMD),
    VARYLINK_BUILTIN(BaryCoordNoPerspCentroidAMD),
    VARYLINK_BUILTIN(BaryCoordNoPerspSampleAMD),
    VARYLINK_BUILTIN(BaryCoordSmoothAMD),
    VARYLINK_BUILTIN(BaryCoordSmoothCentroidAMD),
    VARYLINK_BUILTIN(BaryCoordSmoothSampleAMD),
    VARYLINK_BUILTIN(BaryCoordPullModelAMD),
    VARYLINK_BUILTIN(ViewportMaskNV),
    VARYLINK_BUILTIN(SecondaryPositionNV),
    VARYLINK_BUILTIN(SecondaryViewportMaskNV),
    VARYLINK_BUILTIN(PositionPerViewNV),
    VARYLINK_BUILTIN(ViewportMaskPerViewNV),
    VARYLINK_BUILTIN(TaskCountNV),
    VARYLINK_BUILTIN(PrimitiveCountNV),
    VARYLINK_BUILTIN(PrimitiveIndicesNV),
    VARYLINK_BUILTIN(ClipDistancePerViewNV),
    VARYLINK_BUILTIN(CullDistancePerViewNV),
    VARYLINK_BUILTIN(LayerPerViewNV),
    VARYLINK_BUILTIN(MeshViewCountNV),
    VARYLINK_BUILTIN(MeshViewIndicesNV),
    VARYLINK_BUILTIN(WarpsPerSMNV),
    VARYLINK_BUILTIN(SMCountNV),
    VARYLINK_BUILTIN(WarpIDNV),
    VARYLINK_BUILTIN(SMIDNV),
    VARYLINK_BUILTIN(CoreIDARM),
    VARYLINK_BUILTIN(CoreCountARM),
    VARYLINK_BUILTIN(CoreMaxIDARM),
    VARYLINK_BUILTIN(WarpIDARM),
    VARYLINK_BUILTIN(WarpMaxIDARM),
};
constexpr ObservableName kKernelBuiltIns[] = {
    VARYLINK_BUILTIN(VertexId),
    VARYLINK_BUILTIN(InstanceId),
    VARYLINK_BUILTIN(WorkDim),
    VARYLINK_BUILTIN(GlobalSize),
    VARYLINK_BUILTIN(EnqueuedWorkgroupSize),
    VARYLINK_BUILTIN(GlobalOffset),
    VARYLINK_BUILTIN(GlobalLinearId),
    VARYLINK_BUILTIN(SubgroupMaxSize),
    VARYLINK_BUILTIN(NumEnqueuedSubgroups),
    VARYLINK_BUILTIN(LaunchIdNV),
    VARYLINK_BUILTIN(LaunchSizeNV),
    VARYLINK_BUILTIN(WorldRayOriginNV),
    VARYLINK_BUILTIN(WorldRayDirectionNV),
    VARYLINK_BUILTIN(ObjectRayOriginNV),
    VARYLINK_BUILTIN(ObjectRayDirectionNV),
    VARYLINK_BUILTIN(RayTminNV),
    VARYLINK_BUILTIN(RayTmaxNV),
    VARYLINK_BUILTIN(InstanceCustomIndexNV),
    VARYLINK_BUILTIN(ObjectToWorldNV),
    VARYLINK_BUILTIN(WorldToObjectNV),
    VARYLINK_BUILTIN(HitTNV),
    VARYLINK_BUILTIN(HitKindNV),
    VARYLINK_BUILTIN(CurrentRayTimeNV),
    VARYLINK_BUILTIN(IncomingRayFlagsNV),
    VARYLINK_BUILTIN(RayGeometryIndexKHR),
    VARYLINK_BUILTIN(CullMaskKHR),
};

#undef VARYLINK_DECORATION
#undef VARYLINK_EXECUTIONMODE
#undef VARYLINK_BUILTIN

constexpr Observables kObservables[] = {
    {Observed::decoration, Treatment::compared, "name an input, output, resource or constant in terms", kPlaces},
    {Observed::decoration, Treatment::compared, "say which byte of a buffer, or of what is captured, is accessed",
     kLayouts},
    {Observed::decoration, Treatment::compared, "kind of a resource", kKinds},
    {Observed::decoration, Treatment::compared,
     "of inputs, and Patch and PerPrimitive of outputs: class of interpolation and rate of each component, also of "
     "members, in whatever arrays they stand",
     kInterpolations},
    {Observed::decoration, Treatment::compared, "name what is captured", kCaptures},
    {Observed::decoration, Treatment::compared,
     "the operation equals only itself, with operands in their order; NoContraction may be added", kExact},
    {Observed::decoration, Treatment::compared,
     "part of the descriptor's term: what is chosen per invocation equals only what is chosen so", kNonUniform},
    {Observed::decoration, Treatment::compared,
     "of variables and members of blocks: each resource that the linked stage reaches has those of the original; what "
     "is volatile has no reading besides",
     kMemory},
    {Observed::decoration, Treatment::compared, "of built-ins and of outputs of fragment stages: may not be lost",
     kInvariant},
    {Observed::decoration, Treatment::permission,
     "terms know nothing of them, since exact numbers have no precision; which values have them is held by rules R-2.2 "
     "and R-4.53 and their tests",
     kPermissions},
    {Observed::decoration, Treatment::no_effect, "names for tools, and layouts that Offset and the strides spell out",
     kNames},
    {Observed::decoration, Treatment::refused,
     "values of several vertices in one input, and extensions of rasterization", kOtherInputs},
    {Observed::decoration, Treatment::refused, "of pointers and handles that have no reading", kPointers},
    {Observed::decoration, Treatment::refused, "promises about values", kUniformity},
    {Observed::decoration, Treatment::refused, "not for graphics pipelines", kKernels},
    {Observed::execution_mode, Treatment::compared,
     "one row of all of them, with their literals and the values of their operands", kVertexModes},
    {Observed::execution_mode, Treatment::compared, "likewise", kFragmentModes},
    {Observed::execution_mode, Treatment::compared, "likewise", kWorkgroupModes},
    {Observed::execution_mode, Treatment::compared,
     "likewise; besides, operations that must be exact equal only those under the same modes of their width",
     kFloatModes},
    {Observed::execution_mode, Treatment::refused, "not for graphics pipelines", kKernelModes},
    {Observed::built_in, Treatment::compared,
     "as outputs: each element as a term, and the declared number of elements; as inputs: a symbol of the stage, or "
     "what the stage before stores",
     kOutputs},
    {Observed::built_in, Treatment::compared, "a symbol that all stages share", kShared},
    {Observed::built_in, Treatment::compared, "a symbol of the stage; a fragment stage declares neither more nor fewer",
     kGiven},
    {Observed::built_in, Treatment::compared, "compared with the execution modes, which it replaces", kWorkgroupSize},
    {Observed::built_in, Treatment::refused, "of extensions without a reading", kMultiview},
    {Observed::built_in, Treatment::refused, "not for graphics pipelines of Vulkan", kKernelBuiltIns},
};

// By kind and number: it has a reading. Numbers behind the end have none.
constexpr std::size_t kNumbers = 8192;
using Readings = std::array<std::array<bool, kNumbers>, 3>;

const Readings& readings() {
  static const Readings kReadings = [] {
    Readings result = {};
    for (const Observables& row : kObservables)
      for (const ObservableName& each : row.names)
        result[static_cast<std::size_t>(row.kind)].at(each.number) = row.treatment != Treatment::refused;
    return result;
  }();
  return kReadings;
}

std::string name_of(Observed kind, std::uint32_t number) {
  std::string name = std::to_string(number);
  for (const Observables& row : kObservables)
    for (const ObservableName& each : row.names)
      if (row.kind == kind && each.number == number) name = each.name;
  switch (kind) {
    case Observed::decoration: return "the decoration " + name;
    case Observed::execution_mode: return "the execution mode " + name;
    case Observed::built_in: break;
  }
  return "the built-in " + name;
}

void require(Observed kind, std::uint32_t number) {
  if (number >= kNumbers || !readings()[static_cast<std::size_t>(kind)][number])
    throw Unsupported{name_of(kind, number) + " has no reading"};
}

}  // namespace

std::span<const Observables> observables() { return kObservables; }
std::span<const ObservableName> memory_qualifiers() { return kMemory; }
std::span<const ObservableName> permissions() { return kPermissions; }

void require_readable(const spirv::Module& module, const spirv::EntryPoint& entry) {
  for (const spirv::InstRef ref : module.annotations) {
    const auto operands = module.operands(ref);
    const spv::Op op = module[ref].op;
    if (op == spv::Op::OpDecorationGroup) continue;
    const bool of_member = op == spv::Op::OpMemberDecorate || op == spv::Op::OpMemberDecorateString;
    const std::size_t at = of_member ? 2 : 1;
    if (operands.size() <= at) continue;
    const std::uint32_t what = operands[at].word;
    require(Observed::decoration, what);
    if (what == static_cast<std::uint32_t>(spv::Decoration::BuiltIn) && operands.size() > at + 1)
      require(Observed::built_in, operands[at + 1].word);
  }
  for (const spirv::InstRef ref : module.execution_modes)
    if (module.operand(ref, 0).word == entry.function) require(Observed::execution_mode, module.operand(ref, 1).word);
}

}  // namespace varylink::prove
