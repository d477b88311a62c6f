// A pipeline as the linker receives it and as it returns it. There are no files and no GLSL here: modules are words.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/cost_profile.h"
#include "base/diagnostic.h"
#include "link/model/assumptions.h"
#include "link/model/pipeline_layout.h"
#include "link/model/report_model.h"
#include "spirv/ir/stage.h"
#include "spirv/tools/specialize.h"
#include "spirv/tools/tools.h"
#include "state/pipeline_state.h"

namespace varylink::link {

struct StageInput {
  Stage stage = Stage::vertex;
  std::string file;                  // name in messages, usually the path as the user wrote it
  std::vector<std::uint32_t> words;  // SPIR-V in host byte order
  std::string entry_point;           // empty: the only one of that stage
  // If specialization constants have become constants: the words before, and the given values.
  std::vector<std::uint32_t> unspecialized = {};
  spirv::SpecializationValues specialization = {};
  // `words` as spirv::read_with_foreign() gives them, from who needed that before linking; nullptr: linking reads them.
  // Who changes `words` takes it away.
  std::shared_ptr<const spirv::Module> read = {};
  bool read_is_valid = false;  // the validator took the words that were read, with the options of the link
};

// The module of a stage, which messages call `file`. Error: invalid_spirv (does not read).
Result<spirv::Module> module_of(const StageInput& input, const FileRef& file);

struct PipelineInput {
  std::string name;
  std::vector<StageInput> stages;  // any order, at most one per stage
  state::PipelineState state;
  std::optional<PipelineLayout> layout;  // none: that of the options
};

enum class Level { check = 0, exact = 1, motion = 2, discontinuous = 3 };  // -O0 to -O3

struct LinkOptions {
  Level level = Level::motion;
  spirv::ValidatorOptions validator;
  std::vector<std::string> passes;       // registry names in order; empty: those of the level
  std::optional<std::uint64_t> fuel;     // at most so many rewrites; none: no limit
  bool strip_unused_resources = false;   // also remove declarations of unused resources
  bool strip_unused_attributes = false;  // also remove unread vertex inputs
  bool pack_beside_arrays = false;       // use components that array elements leave free (rule)
  bool portable = false;                 // one variable in a location, as spirv-cross needs for HLSL and Metal
  bool allow_discontinuous = false;      // as Level::discontinuous, at any level
  std::optional<PipelineLayout> layout;  // none: a stage can read the buffers that it reads already
  analysis::CostProfile profile = analysis::default_profile();  // weighs all trades of code
  bool no_costlier_stage = false;   // each stage costs no more by the profile, not only all together (rule)
  bool strict = false;              // refuse pipelines that break the letter of the matching rules
  bool keep_spec_ids = false;       // frozen specialization constants stay declared, without a use
  bool tells_positions = false;     // whether positions are computed as before: LinkedPipeline::keeps_positions
  bool validate_each_pass = false;  // run the SPIR-V validator after every pass (always on in Debug builds)
  // Asked between steps, from the thread that links: true ends the work with ErrorKind::interrupted. May be empty.
  std::function<bool()> interrupted;
  // Modules that the validator accepted before. Changes run time only, no result. Not owned; may be nullptr.
  spirv::ValidWords* valid_words = nullptr;
  // Called after a pass that changed something: its name, the stage, the words of that stage then. May be empty.
  std::function<void(const std::string& pass, Stage stage, const std::vector<std::uint32_t>& words)> dump;

  // Whether interpolated arithmetic may move in front of an operation whose result jumps (rule ).
  bool moves_discontinuous() const { return allow_discontinuous || level >= Level::discontinuous; }
};

struct StageOutput {
  Stage stage = Stage::vertex;
  std::vector<std::uint32_t> words;  // the linked module
};

struct LinkedPipeline {
  std::vector<StageOutput> stages;          // in pipeline order; empty if `failure` is set
  std::vector<InterfaceReport> interfaces;  // in pipeline order
  std::vector<Remark> remarks;
  Assumptions assumptions;  // of the modules above
  Diagnostics diagnostics;  // warnings, and the errors when it failed
  // With LinkOptions::tells_positions: the vertex stage, in front of no other than a fragment stage, stores what its
  // instructions computed before to built-in outputs. False is no answer: share/position_code.h compares all code.
  bool keeps_positions = false;
  std::string unchecked;                // passed through: the feature that this build does not know; else empty
  ErrorKind failure = ErrorKind::none;  // why the pipeline was not written; none on success
};

}  // namespace varylink::link
