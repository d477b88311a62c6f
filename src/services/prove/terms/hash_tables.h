// Tables of numbers of terms that lie in one piece of memory each: nearly all the time of a proof goes into
// finding terms that were made already.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "prove/terms/mix.h"

namespace varylink::prove {

// Terms by their hash. Terms with one hash are told apart by who asks.
class TermIndex {
 public:
  // The term with that hash for which `is_it` holds; kNone if there is none.
  template <typename IsIt>
  std::uint32_t find(std::uint64_t hash, const IsIt& is_it) const {
    if (slots_.empty()) return kNone;
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      const std::uint32_t term = slots_[at];
      if (term == kNone || (hashes_[term] == hash && is_it(term))) return term;
    }
  }
  // `term` is the number of terms added before it.
  void add(std::uint64_t hash, std::uint32_t term) {
    hashes_.push_back(hash);
    if (hashes_.size() * 2 > slots_.size()) return grow();
    put(term);
  }

  static constexpr std::uint32_t kNone = 0xffffffffu;

 private:
  std::size_t mask() const { return slots_.size() - 1; }
  void put(std::uint32_t term) {
    std::size_t at = hashes_[term] & mask();
    while (slots_[at] != kNone) at = (at + 1) & mask();
    slots_[at] = term;
  }
  void grow() {
    slots_.assign(slots_.empty() ? 256 : slots_.size() * 2, kNone);
    for (std::uint32_t term = 0; term < hashes_.size(); ++term) put(term);
  }

  std::vector<std::uint64_t> hashes_;  // by term
  std::vector<std::uint32_t> slots_;   // a power of two of them, at most half of them in use
};

// Results by triples of terms.
class TripleMemo {
 public:
  struct Key {
    std::uint32_t a = 0, b = 0, c = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };

  // kNone if nothing was noted.
  std::uint32_t find(const Key& key) const {
    if (slots_.empty()) return kNone;
    for (std::size_t at = hash_of(key) & mask();; at = (at + 1) & mask())
      if (slots_[at].second == kNone || slots_[at].first == key) return slots_[at].second;
  }
  // `key` must not be noted yet, and `value` not be kNone.
  void add(const Key& key, std::uint32_t value) {
    if (++count_ * 2 > slots_.size()) grow();
    put(key, value);
  }
  void clear() {
    slots_.clear();
    count_ = 0;
  }

  static constexpr std::uint32_t kNone = 0xffffffffu;

 private:
  using Slot = std::pair<Key, std::uint32_t>;
  static std::uint64_t hash_of(const Key& key) { return mix(mix(key.a, std::uint64_t{key.b}), std::uint64_t{key.c}); }
  std::size_t mask() const { return slots_.size() - 1; }
  void put(const Key& key, std::uint32_t value) {
    std::size_t at = hash_of(key) & mask();
    while (slots_[at].second != kNone) at = (at + 1) & mask();
    slots_[at] = {key, value};
  }
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 64 : old.size() * 2, Slot{{}, kNone});
    for (const Slot& slot : old)
      if (slot.second != kNone) put(slot.first, slot.second);
  }

  std::vector<Slot> slots_;  // a power of two of them, at most half of them in use
  std::size_t count_ = 0;
};

// Results by term in one walk over terms. Forgetting them costs nothing, so that many walks may use one memo.
class WalkMemo {
 public:
  // kNone if nothing was noted since the last clear().
  std::uint32_t find(std::uint32_t term) const {
    return term < notes_.size() && notes_[term].walk == walk_ ? notes_[term].value : kNone;
  }
  void add(std::uint32_t term, std::uint32_t value) {
    if (term >= notes_.size()) notes_.resize(term + term / 2 + 1);
    notes_[term] = {walk_, value};
  }
  void clear() { ++walk_; }

  static constexpr std::uint32_t kNone = 0xffffffffu;

 private:
  struct Note {
    std::uint64_t walk = 0;
    std::uint32_t value = kNone;
  };
  std::vector<Note> notes_;  // by term
  std::uint64_t walk_ = 1;
};

}  // namespace varylink::prove
