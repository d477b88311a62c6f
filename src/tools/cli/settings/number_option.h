// Options that take a number: the only definition of a valid one.
//
// The option parser alone reads "-1" as the largest number, and so one that is larger than that; it puts "nan" into
// every range, and takes an empty text for no value.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace varylink::cli {

// Their errors say the given and the valid values. `is_said`: the help says the range.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most, bool is_said);
CLI::Validator real_number(double least, double most);

// The number type of an option: that of the element for optional ones and lists.
template <typename Value>
struct NumberIn {
  using type = Value;
};
template <typename Number>
struct NumberIn<std::optional<Number>> {
  using type = Number;
};
template <typename Number>
struct NumberIn<std::vector<Number>> {
  using type = Number;
};

// Both ends are valid.
template <typename Number>
struct NumberRange {
  Number least = 0, most = std::numeric_limits<Number>::max();
};

// Adds an option that takes numbers in decimal digits, whole ones in hexadecimal digits behind "0x" as well.
template <typename Value, typename Number = typename NumberIn<Value>::type>
CLI::Option* add_number(CLI::App& app, const std::string& name, Value& value, const std::string& description,
                        std::optional<NumberRange<std::type_identity_t<Number>>> range = std::nullopt) {
  const auto [least, most] = range.value_or(NumberRange<Number>());
  CLI::Option* option = app.add_option(name, value, description);
  if constexpr (std::is_floating_point_v<Number>)
    return option->transform(real_number(least, most));
  else
    return option->transform(
        whole_number(static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most), range.has_value()));
}

}  // namespace varylink::cli
