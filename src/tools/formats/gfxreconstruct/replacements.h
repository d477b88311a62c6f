// Which modules of a capture are replaced. A replay replaces a module wherever it is used, so all pipelines have to
// come out right: each with all of its linked modules, or with all of its own.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "formats/gfxreconstruct/capture.h"

namespace varylink::formats::gfxreconstruct {

// Results of linking by key: words by stage. A pipeline that is not in it was not linked.
using LinkedPipelines = std::map<std::string, std::map<Stage, std::shared_ptr<const Words>>>;

struct Replacements {
  std::map<Handle, std::shared_ptr<const Words>> modules;  // that are other than before
  std::map<std::string, std::size_t> kept;                 // modules that linking changed and that stay, by reason
};

Replacements replacements_of(const Capture& capture, const LinkedPipelines& linked);

}  // namespace varylink::formats::gfxreconstruct
