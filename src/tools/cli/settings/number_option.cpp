#include "cli/settings/number_option.h"

#include <charconv>
#include <cstdio>
#include <string_view>
#include <system_error>

namespace varylink::cli {
namespace {

template <typename Number, typename... Form>
std::optional<Number> parsed(std::string_view text, Form... form) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, form...);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> parsed_whole(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return parsed<std::uint64_t>(text.substr(2), 16);
  return parsed<std::uint64_t>(text, 10);
}

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", number);
  return text;
}

std::string in_range(const std::string& type, const std::string& least, const std::string& most) {
  return type + " in [" + least + " - " + most + "]";
}

}  // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most, bool is_said) {
  const std::string first = std::to_string(least), last = std::to_string(most);
  const auto check = [=](std::string& text) {
    const std::optional<std::uint64_t> number = parsed_whole(text);
    if (!number || *number < least || *number > most)
      return "'" + text + "' is not a whole number from " + first + " to " + last;
    text = std::to_string(*number);  // the option parser takes "010" for octal
    return std::string();
  };
  return {check, is_said ? in_range("INT", first, last) : std::string()};
}

CLI::Validator real_number(double least, double most) {
  const std::string first = text_of(least), last = text_of(most);
  const auto check = [=](std::string& text) {
    const std::optional<double> number = parsed<double>(text);
    const bool is_taken = number && *number >= least && *number <= most;  // which "nan" is not
    return is_taken ? std::string() : "'" + text + "' is not a number from " + first + " to " + last;
  };
  return {check, in_range("FLOAT", first, last)};
}

}  // namespace varylink::cli
