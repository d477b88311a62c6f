// Either a value or the Diagnostic that says why there is none. Used for everything that input can cause.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "base/diagnostic.h"

namespace varylink {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Diagnostic error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }

  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  const Diagnostic& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Diagnostic> state_;
};

// Success without a value.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Diagnostic error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }
  const Diagnostic& error() const { return *error_; }

 private:
  std::optional<Diagnostic> error_;
};

}  // namespace varylink
