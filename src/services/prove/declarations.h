// Declarations of a stage that the outside has to serve: resources, push constants, attributes, render targets. A
// linked stage may declare fewer than the original one, never more or others.
#pragma once

#include <set>
#include <span>
#include <string>

#include "prove/pipeline_facts.h"
#include "spirv/ir/module.h"
#include "spirv/ir/stage.h"

namespace varylink::prove {

// A stage of a pipeline. The module and the entry point outlive it.
struct DeclaringStage {
  Stage stage = Stage::vertex;
  const spirv::Module* module = nullptr;
  const spirv::EntryPoint* entry = nullptr;
};

// One clause about the first thing that the linked stage declares otherwise than the same stage of `original`, which is
// the whole pipeline: the layout may give to a stage what another one declares. Empty if there is none. Of resources,
// only those that the entry points reach count. Throws Unsupported.
std::string declared_otherwise(std::span<const DeclaringStage> original, const DeclaringStage& linked,
                               const PipelineFacts& facts);

// One clause about the first capability, extension, version or name of an entry point that the linked stages have and
// no original one has; empty if there is none. Both have the same stages in the same order.
std::string asks_for_more(std::span<const DeclaringStage> original, std::span<const DeclaringStage> linked);

// Names of the decorations that let an implementation compute something else than the module says.
std::set<std::string> permissions_of(const spirv::Module& module);

}  // namespace varylink::prove
