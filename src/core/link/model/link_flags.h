// The options of LinkOptions that are said or not, in one list: the command, the library, reports and cases are made of
// it, so that all of them know the same options.
#pragma once

#include <span>
#include <string_view>

#include "link/model/pipeline.h"

namespace varylink::link {

struct LinkFlag {
  const char* option;  // of the command; the C interface has a bit, and reports a name, after it
  bool LinkOptions::*member;
  const char* help;
  bool decides_results = true;          // false: only the checks on the way
  const char* former_option = nullptr;  // its spelling before, which the command takes until version 0.2
};

// In the order in which reports name them.
std::span<const LinkFlag> link_flags();

// By its spelling now or before; nullptr if there is none.
const LinkFlag* find_link_flag(std::string_view option);

}  // namespace varylink::link
