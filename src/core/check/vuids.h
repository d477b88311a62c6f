// All valid-usage ids that the source names, with the version of the Vulkan specification that they are taken from:
// ids are given up and replaced, and a layer of another age calls the same rule by another one.
#pragma once

#include <span>

namespace varylink::check {

struct VuidRow {
  const char* id;
  const char* version;  // the oldest one known to have it, none older than 1.3.239
};

// In alphabetical order. docs/check.md shows it, and a test holds source, table and manual to each other.
std::span<const VuidRow> vuid_table();

}  // namespace varylink::check
