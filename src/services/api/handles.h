// The objects behind the opaque handles of the C interface.
#pragma once

#include <varylink/varylink.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "frontend/frontend.h"
#include "link/model/report_model.h"
#include "report/report_entry.h"
#include "share/shared_link.h"
#include "spirv/tools/valid_words.h"

struct varylink_context {
  varylink_message_callback message = nullptr;
  void* message_user = nullptr;
  std::string error;  // see varylink_context_error
};

struct varylink_module {
  varylink::frontend::SourceText source;  // with its stage
  std::shared_ptr<varylink::spirv::KeptValidWords> valid_words;
};

struct varylink_pipeline {
  varylink_context* context = nullptr;
  std::string name;
  varylink::state::PipelineState state;
  std::optional<varylink::link::PipelineLayout> layout;
  varylink::frontend::CompileOptions compile;  // the target environment comes with the options of link and check
  std::vector<varylink::frontend::SourceText> sources;
  std::vector<std::pair<varylink::Stage, std::shared_ptr<varylink::spirv::KeptValidWords>>>
      kept;                      // of varylink_modules
  bool tells_positions = false;  // LinkOptions::tells_positions
};

struct varylink_result {
  struct Module {
    varylink::Stage stage = varylink::Stage::vertex;
    std::vector<std::uint32_t> words;
    std::string entry_point, name;
  };
  struct Found {
    varylink::Diagnostic diagnostic;
    std::optional<varylink::Stage> stage;
    const char* rule = "";  // static
  };

  varylink_status status = VARYLINK_SUCCESS;
  std::vector<Module> modules;
  std::vector<Found> found;
  std::vector<varylink::link::InterfaceReport> interfaces;
  std::optional<varylink::report::ProofRecord> proof;
  bool keeps_positions = false;  // LinkedPipeline::keeps_positions
  std::vector<varylink::link::UnusedDeclaration> unused;
  std::vector<varylink::link::InterfaceSize> bounds;  // by interface, of varylink_analyze
  std::string report;
};

struct varylink_group {
  varylink_context* context = nullptr;
  varylink::share::SharedRequest request;
  std::vector<varylink_pipeline> pipelines;
};

struct varylink_group_result {
  varylink_status status = VARYLINK_SUCCESS;
  std::vector<std::unique_ptr<varylink_result>> results;
  std::string report;
};
