// What the outside has to provide for a stage: resources, push constants, attributes, render targets. A linked stage
// may need less of it than the original one declares, never more or something else.
#pragma once

#include <set>
#include <string>

#include "prove/pipeline_facts.h"
#include "spirv/ir/module.h"
#include "spirv/ir/stage.h"

namespace varylink::prove {

// One clause about the first thing that the linked stage declares otherwise; empty if there is none. Of the linked
// stage, only what its entry point reaches counts. Throws NotUnderstood.
std::string declared_otherwise(Stage stage, const spirv::Module& original, const spirv::EntryPoint& original_entry,
                               const spirv::Module& linked, const spirv::EntryPoint& linked_entry,
                               const PipelineFacts& facts);

// Names of the decorations that let an implementation compute something else than the module says.
std::set<std::string> permissions_of(const spirv::Module& module);

}  // namespace varylink::prove
