// Values of the C interface <-> ours.
#pragma once

#include <varylink/varylink.h>

#include <optional>

#include "analysis/cost_profile.h"
#include "api/handles.h"
#include "base/result.h"
#include "check/check.h"
#include "link/model/pipeline.h"

namespace varylink::api {

varylink_status status_of(ErrorKind kind);
varylink_stage to_c(std::optional<Stage> stage);
varylink_fate to_c(link::Outcome outcome);
// Points into `found`, which has to outlive it.
varylink_diagnostic to_c(const varylink_result::Found& found);

// None for VARYLINK_STAGE_UNKNOWN. Error (usage): not a stage.
Result<std::optional<Stage>> stage_from_c(varylink_stage stage);

// The request of varylink_link.
struct LinkRequest {
  link::LinkOptions options;  // the dump callback is in it
  std::optional<analysis::CostProfile> profile;
  varylink_prove prove = VARYLINK_PROVE_NOTHING;
  bool has_report = true;
};

// Errors (usage): an unknown enumerator, flag or pass, malformed limits or cost profile. NULL stands for the defaults.
Result<LinkRequest> options_from_c(const varylink_link_options* options);
Result<check::CheckOptions> options_from_c(const varylink_check_options* options);

// An error about wrong use of the interface.
Diagnostic misuse(std::string message);

// Empty for NULL.
inline std::string text_of(const char* text) { return text == nullptr ? std::string() : std::string(text); }

}  // namespace varylink::api
