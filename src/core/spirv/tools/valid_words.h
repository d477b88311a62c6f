// Words that the validator accepted before. Its verdict is a pure function of the words and its options, so it stays
// right for any time and in any place. The caller of the linker decides where verdicts are kept.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_set>

#include "spirv/ir/stage.h"

namespace varylink::spirv {

class ValidWords {
 public:
  virtual ~ValidWords() = default;
  // Whether the words with this key were added before. `stage` is whose words they are. Called from the thread that
  // links.
  virtual bool knows(Stage stage, const std::string& key) = 0;
  virtual void add(Stage stage, const std::string& key) = 0;
};

// Words of a stage, and who knows about them; that may be nobody.
struct WordsOfStage {
  ValidWords* known = nullptr;
  Stage stage = Stage::vertex;
};

// In memory, about hundred bytes for each module. Any number of threads may use one.
class KeptValidWords : public ValidWords {
 public:
  bool knows(Stage stage, const std::string& key) override;
  void add(Stage stage, const std::string& key) override;

  struct Use {
    std::size_t asked = 0, known = 0;  // calls of knows, and those that said yes
  };
  Use use() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_set<std::string> keys_;
  Use use_;
};

}  // namespace varylink::spirv
