// The results of one run by key, so that equal pipelines are linked once, and which of their modules are valid, so that
// a module of several pipelines is validated once. Memory holds the keys, a scratch file the results.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "cli/files/scratch_file.h"
#include "spirv/tools/valid_words.h"

namespace varylink::cli {

class RunMemo {
 public:
  // The right to make the result of a key, which other threads wait for. It goes back unless a result is stored.
  class Claim {
   public:
    Claim(RunMemo& memo, std::string key) : memo_(&memo), key_(std::move(key)) {}
    Claim(Claim&& other) noexcept : memo_(other.memo_), key_(std::move(other.key_)) { other.memo_ = nullptr; }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    Claim& operator=(Claim&&) = delete;
    ~Claim();
    // A result that cannot be kept is made again by the next thread that asks.
    void store(const std::string& bytes);

   private:
    RunMemo* memo_;
    std::string key_;
  };

  struct Answer {
    std::optional<std::string> bytes;  // stored under the key
    std::optional<Claim> claim;        // else: the caller's to make
  };

  // Waits while another thread has the claim. A thread that has one must not ask for another.
  Answer load_or_claim(const std::string& key);

  spirv::KeptValidWords& valid_words() { return valid_words_; }

 private:
  void release(const std::string& key, std::optional<ScratchFile::Place> place);

  std::mutex mutex_;
  std::condition_variable released_;
  std::map<std::string, std::optional<ScratchFile::Place>> places_;  // no place: claimed
  ScratchFile file_;
  spirv::KeptValidWords valid_words_;
};

}  // namespace varylink::cli
