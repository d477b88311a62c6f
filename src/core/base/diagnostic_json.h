// Diagnostics as JSON for this same build to read again: results that are kept, and answers of child processes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/diagnostic.h"

namespace varylink {

nlohmann::json kept_json(const FileMention& mention);
nlohmann::json kept_json(const Diagnostic& diagnostic);
// The way back. They throw nlohmann::json::exception if it is not what kept_json made.
FileMention mention_of(const nlohmann::json& json);
Diagnostic diagnostic_of(const nlohmann::json& json);

}  // namespace varylink
