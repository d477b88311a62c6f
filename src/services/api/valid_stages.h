// Words that validated before, as the modules of one pipeline remember them. Linking asks this one object.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "spirv/tools/valid_words.h"

namespace varylink::api {

// For one thread, and one run of the linker. Of a stage without a module of its own nothing is kept.
class ValidStages : public spirv::ValidWords {
 public:
  using Kept = std::pair<Stage, std::shared_ptr<spirv::KeptValidWords>>;
  // `kept` must outlive it.
  explicit ValidStages(std::span<const Kept> kept) : kept_(kept) {}

  bool knows(Stage stage, const std::string& key) override;
  void add(Stage stage, const std::string& key) override;

 private:
  spirv::KeptValidWords* of(Stage stage) const;

  std::span<const Kept> kept_;
};

}  // namespace varylink::api
