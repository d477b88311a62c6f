// Code shared by varyings that stand for something else until placement: proxies of built-ins and proxies of captured
// outputs.
#pragma once

#include <cstdint>
#include <string_view>

#include "link/model/link.h"

namespace varylink::driver {

// Behind all varyings of both sides of an interface with one producer and one consumer.
std::uint32_t first_free_location(const link::Link& link);

// The pass that remarks about an outcome name.
std::string_view pass_behind(link::Outcome outcome);

}  // namespace varylink::driver
