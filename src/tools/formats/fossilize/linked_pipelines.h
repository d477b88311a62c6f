// Which pipeline of a database that LinkedDatabase wrote stands for which one of the original.
#pragma once

#include <cstdint>
#include <map>

#include "formats/fossilize/recording.h"

namespace varylink::formats::fossilize {

// Hashes of linked pipelines by those of the original ones. A pipeline that changed has another hash, which does not
// tell what it was made of; but only modules of it are others, and entries keep their order.
// Missing are pipelines that `linked` does not have, and such that could stand for several: of pipelines that differ
// only in modules, some but not all came out equal.
std::map<std::uint64_t, std::uint64_t> linked_pipelines(const Recording& original, const Recording& linked);

}  // namespace varylink::formats::fossilize
