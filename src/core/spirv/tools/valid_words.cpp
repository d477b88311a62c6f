#include "spirv/tools/valid_words.h"

namespace varylink::spirv {

bool KeptValidWords::knows(Stage, const std::string& key) {
  const std::lock_guard lock(mutex_);
  ++use_.asked;
  const bool known = keys_.count(key) != 0;
  if (known) ++use_.known;
  return known;
}

void KeptValidWords::add(Stage, const std::string& key) {
  const std::lock_guard lock(mutex_);
  keys_.insert(key);
}

KeptValidWords::Use KeptValidWords::use() const {
  const std::lock_guard lock(mutex_);
  return use_;
}

}  // namespace varylink::spirv
