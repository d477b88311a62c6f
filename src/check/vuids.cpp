#include "check/vuids.h"

#include <array>

namespace varylink::check {
namespace {

constexpr std::array kVuids = {
    VuidRow{"VUID-PrimitiveId-Fragment-04331", "1.3.239"},
    VuidRow{"VUID-PrimitiveId-Fragment-04332", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-Location-06272", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-MeshEXT-07115", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-MeshEXT-07116", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-MeshEXT-07295", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-MeshEXT-07296", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-MeshEXT-07297", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-MeshEXT-07298", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-MeshEXT-12380", "1.4.344"},
    VuidRow{"VUID-RuntimeSpirv-None-10980", "1.4.325"},
    VuidRow{"VUID-RuntimeSpirv-Offset-06308", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-OpEmitStreamVertex-06310", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-OpEntryPoint-07754", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-OpEntryPoint-08743", "1.3.248"},
    VuidRow{"VUID-RuntimeSpirv-OpVariable-08746", "1.3.248"},
    VuidRow{"VUID-RuntimeSpirv-Stream-06312", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-TaskEXT-07291", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-TaskEXT-07292", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-TaskEXT-07293", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-TaskEXT-07294", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-XfbBuffer-06309", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-XfbStride-06313", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-maintenance4-06817", "1.3.239"},
    VuidRow{"VUID-RuntimeSpirv-maxTaskPayloadSize-08758", "1.3.267"},
    VuidRow{"VUID-RuntimeSpirv-storageInputOutput16-11162", "1.4.329"},
    VuidRow{"VUID-RuntimeSpirv-transformFeedbackStreamsLinesTriangles-06311", "1.3.239"},
    VuidRow{"VUID-StandaloneSpirv-Component-04924", "1.3.239"},
    VuidRow{"VUID-StandaloneSpirv-Flat-04744", "1.3.239"},
    VuidRow{"VUID-StandaloneSpirv-Input-09557", "1.3.277"},
    VuidRow{"VUID-StandaloneSpirv-Input-10604", "1.4.344"},
    VuidRow{"VUID-StandaloneSpirv-MeshEXT-07107", "1.3.239"},
    VuidRow{"VUID-StandaloneSpirv-Offset-04687", "1.3.239"},
    VuidRow{"VUID-StandaloneSpirv-Offset-04691", "1.3.239"},
    VuidRow{"VUID-StandaloneSpirv-Offset-04692", "1.3.239"},
    VuidRow{"VUID-StandaloneSpirv-Offset-04716", "1.3.239"},
    VuidRow{"VUID-StandaloneSpirv-Offset-12509", "1.4.361"},
    VuidRow{"VUID-StandaloneSpirv-OpEntryPoint-08721", "1.3.250"},
    VuidRow{"VUID-StandaloneSpirv-OpEntryPoint-08722", "1.3.250"},
    VuidRow{"VUID-StandaloneSpirv-OpEntryPoint-09658", "1.3.285"},
    VuidRow{"VUID-StandaloneSpirv-OpEntryPoint-09659", "1.3.285"},
    VuidRow{"VUID-StandaloneSpirv-PhysicalStorageBuffer64-06314", "1.4.325"},
    VuidRow{"VUID-StandaloneSpirv-Stream-04694", "1.3.239"},
    VuidRow{"VUID-StandaloneSpirv-XfbBuffer-04693", "1.3.239"},
    VuidRow{"VUID-StandaloneSpirv-XfbBuffer-04696", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-pStages-00729", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-pStages-00730", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-pStages-00732", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-pStages-00733", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-pStages-00734", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-pStages-00735", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-pStages-00739", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-pStages-02095", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-pStages-02317", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-pStages-02318", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-stage-02096", "1.3.239"},
    VuidRow{"VUID-VkGraphicsPipelineCreateInfo-stage-06897", "1.3.239"},
    VuidRow{"VUID-VkPipelineShaderStageCreateInfo-maxSampleMaskWords-00711", "1.3.239"},
    VuidRow{"VUID-VkPipelineShaderStageCreateInfo-stage-00713", "1.3.239"},
    VuidRow{"VUID-VkPipelineShaderStageCreateInfo-stage-00714", "1.3.239"},
    VuidRow{"VUID-VkPipelineShaderStageCreateInfo-stage-00715", "1.3.239"},
    VuidRow{"VUID-VkShaderModuleCreateInfo-pCode-08737", "1.3.263"},
    VuidRow{"VUID-vkCmdDraw-storageBuffers-06936", "1.3.239"},
    VuidRow{"VUID-vkCmdDraw-uniformBuffers-06935", "1.3.239"},
};

}  // namespace

std::span<const VuidRow> vuid_table() { return kVuids; }

}  // namespace varylink::check
