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
varylink_fate to_c(link::Fate fate);
// Points into `found`, which has to outlive it.
varylink_diagnostic to_c(const varylink_result::Found& found);

// None for VARYLINK_STAGE_UNKNOWN. Error (usage): not a stage.
Result<std::optional<Stage>> stage_from_c(varylink_stage stage);

// What varylink_link is to do.
struct LinkRequest {
  link::LinkOptions options;  // the dump callback is in it
  std::optional<analysis::CostProfile> profile;
  varylink_prove prove = VARYLINK_PROVE_NOTHING;
};

// Errors (usage): a value that is not one of the enumeration, a flag that does not exist, a pass that does not exist,
// limits or a cost profile that are not such. NULL stands for the defaults.
Result<LinkRequest> options_from_c(const varylink_link_options* options);
Result<check::CheckOptions> options_from_c(const varylink_check_options* options);

// An error that says that the caller did something wrong.
Diagnostic misuse(std::string message);

// Empty for NULL.
inline std::string text_of(const char* text) { return text == nullptr ? std::string() : std::string(text); }

}  // namespace varylink::api
