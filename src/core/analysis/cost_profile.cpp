#include "analysis/cost_profile.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace varylink::analysis {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, kOpClassCount> kNames = {"free",
                                                                "basic",
                                                                "integer_multiply",
                                                                "integer_divide",
                                                                "float_divide",
                                                                "float_modulo",
                                                                "special",
                                                                "power",
                                                                "wide",
                                                                "wide_divide",
                                                                "wide_special",
                                                                "uniform_load",
                                                                "memory_load",
                                                                "memory_store",
                                                                "input_load",
                                                                "interpolated_load",
                                                                "output_store",
                                                                "texture",
                                                                "branch",
                                                                "other",
                                                                "constant_store",
                                                                "copied_store",
                                                                "repeated_store",
                                                                "passed_load",
                                                                "fetched_load",
                                                                "split_coordinate",
                                                                "computed_coordinate",
                                                                "shared_coordinate",
                                                                "attribute",
                                                                "input_location",
                                                                "output_location",
                                                                "stage"};

// Sources of all numbers: docs/cost-profiles.md.
CostProfile generic() {
  CostProfile profile;
  profile.name = "generic";
  profile.description = "operation costs as cross-stage optimizers use them, short latencies";
  profile.classes = {{
      {0, 0},    // free
      {1, 1},    // basic
      {4, 1},    // integer_multiply
      {40, 1},   // integer_divide
      {5, 4},    // float_divide
      {8, 4},    // float_modulo
      {4, 4},    // special
      {9, 4},    // power
      {16, 4},   // wide
      {80, 4},   // wide_divide
      {32, 4},   // wide_special
      {2, 4},    // uniform_load
      {4, 40},   // memory_load
      {4, 0},    // memory_store
      {1, 1},    // input_load
      {3, 2},    // interpolated_load
      {1, 0},    // output_store
      {4, 40},   // texture
      {2, 0},    // branch
      {2, 1},    // other
      {0.5, 0},  // constant_store
      {0, 0},    // copied_store
      {0, 0},    // repeated_store
      {3, 2},    // passed_load
      {1.5, 0},  // fetched_load
      {0.5, 0},  // split_coordinate
      {0, 0},    // computed_coordinate
      {0, 0},    // shared_coordinate
      {2, 0},    // attribute
      {0.5, 0},  // input_location
      {2, 0},    // output_location
      {20, 0},   // stage
  }};
  profile.fragments_per_vertex = 8;
  profile.register_budget = 64;
  profile.uniform_limit = 24;
  profile.uniform_share = 0.25;
  return profile;
}

CostProfile tiler() {
  CostProfile profile = generic();
  profile.name = "tiler";
  profile.description = "varyings go through memory between the vertex and the fragment work of a frame";
  profile[OpClass::integer_multiply] = {2.5, 1};
  profile[OpClass::integer_divide] = {25, 1};
  profile[OpClass::float_divide] = {1.75, 4};
  profile[OpClass::float_modulo] = {6.5, 4};
  profile[OpClass::special] = {1.25, 4};
  profile[OpClass::power] = {7.75, 4};
  profile[OpClass::uniform_load] = {0, 4};
  profile[OpClass::memory_load] = {3, 40};
  profile[OpClass::input_load] = {1, 4};
  profile[OpClass::interpolated_load] = {0, 4};
  profile[OpClass::output_store] = {3, 0};
  profile[OpClass::texture] = {5.75, 40};
  profile[OpClass::branch] = {5.5, 0};
  profile[OpClass::other] = {2.5, 1};
  profile[OpClass::constant_store] = {0.5, 0};
  profile[OpClass::copied_store] = {2.5, 0};
  profile[OpClass::repeated_store] = {3, 0};
  profile[OpClass::passed_load] = {0, 4};
  profile[OpClass::fetched_load] = {0.25, 0};
  profile[OpClass::split_coordinate] = {1, 0};
  profile[OpClass::computed_coordinate] = {5, 0};
  profile[OpClass::shared_coordinate] = {2, 0};
  profile[OpClass::attribute] = {3.75, 0};
  profile[OpClass::input_location] = {0.75, 0};
  profile[OpClass::output_location] = {3.25, 0};
  profile[OpClass::stage] = {0.75, 0};
  profile.fragments_per_vertex = 4;
  profile.register_budget = 32;
  profile.uniform_limit = 24;
  profile.uniform_share = 0.95;
  return profile;
}

CostProfile immediate() {
  CostProfile profile = generic();
  profile.name = "immediate";
  profile.description = "varyings stay on the chip; wide SIMD with a scalar unit for uniform values";
  profile[OpClass::basic] = {1, 4};
  profile[OpClass::integer_multiply] = {2.5, 4};
  profile[OpClass::integer_divide] = {20, 1};
  profile[OpClass::float_divide] = {5, 4};
  profile[OpClass::float_modulo] = {6.5, 4};
  profile[OpClass::special] = {3, 7};
  profile[OpClass::power] = {6, 4};
  profile[OpClass::wide] = {16, 6};
  profile[OpClass::uniform_load] = {1.25, 29};
  profile[OpClass::memory_load] = {3, 317};
  profile[OpClass::memory_store] = {1, 0};
  profile[OpClass::input_load] = {2, 4};
  profile[OpClass::interpolated_load] = {3.75, 4};
  profile[OpClass::output_store] = {0.75, 0};
  profile[OpClass::texture] = {8, 315};
  profile[OpClass::branch] = {5.25, 0};
  profile[OpClass::other] = {2.5, 1};
  profile[OpClass::constant_store] = {0, 0};
  profile[OpClass::passed_load] = {3.75, 4};
  profile[OpClass::fetched_load] = {3, 0};
  profile[OpClass::split_coordinate] = {0, 0};
  profile[OpClass::input_location] = {0.2, 0};
  profile[OpClass::output_location] = {0.25, 0};
  profile[OpClass::stage] = {38, 0};
  profile.fragments_per_vertex = 16;
  profile.register_budget = 64;
  profile.uniform_share = 1;
  return profile;
}

CostProfile scalar_inorder() {
  CostProfile profile = generic();
  profile.name = "scalar-inorder";
  profile.description = "one scalar instruction after the other, in the manner of Adreno a3xx";
  profile[OpClass::basic] = {1, 3};
  profile[OpClass::integer_multiply] = {3, 3};
  profile[OpClass::float_divide] = {1.25, 10};
  profile[OpClass::float_modulo] = {5, 10};
  profile[OpClass::special] = {3, 10};
  profile[OpClass::power] = {6, 10};
  profile[OpClass::uniform_load] = {0, 0};
  profile[OpClass::memory_load] = {1, 84};
  profile[OpClass::memory_store] = {1, 0};
  profile[OpClass::input_load] = {0, 0};
  profile[OpClass::interpolated_load] = {0.75, 3};
  profile[OpClass::output_store] = {0.75, 0};
  profile[OpClass::texture] = {3.75, 38};
  profile[OpClass::branch] = {5, 0};
  profile[OpClass::other] = {2.5, 3};
  profile[OpClass::constant_store] = {0.5, 0};
  profile[OpClass::copied_store] = {0.5, 0};
  profile[OpClass::repeated_store] = {0.5, 0};
  profile[OpClass::passed_load] = {0.5, 3};
  profile[OpClass::fetched_load] = {0, 0};
  profile[OpClass::split_coordinate] = {0, 0};
  profile[OpClass::computed_coordinate] = {6, 0};
  profile[OpClass::shared_coordinate] = {1, 0};
  profile[OpClass::attribute] = {2, 0};
  profile[OpClass::input_location] = {0.25, 0};
  profile[OpClass::output_location] = {0.25, 0};
  profile[OpClass::stage] = {7.75, 0};
  profile.uniform_limit = 200;
  profile.uniform_share = 0.05;
  profile.delay_into_slow_units = 6;
  profile.register_budget = 256;
  return profile;
}

constexpr double kLargestCost = 1e6;

class ProfileReader {
 public:
  explicit ProfileReader(const std::string& file) : file_(file) {}
  Result<CostProfile> read(const Json& root);

 private:
  Diagnostic error(const std::string& message) const { return make_error(ErrorKind::usage, file_, message); }
  Result<void> read_number(const Json& value, const std::string& name, double& number) const;
  Result<void> read_count(const Json& value, const std::string& name, std::uint32_t& number) const;
  Result<void> read_text(const Json& value, const std::string& name, std::string& text) const;
  Result<void> read_class(const std::string& name, const Json& value, CostProfile& profile) const;
  Result<void> read_operations(const Json& value, CostProfile& profile) const;
  Result<void> read_member(const std::string& name, const Json& value, CostProfile& profile) const;

  const std::string& file_;
};

Result<void> ProfileReader::read_number(const Json& value, const std::string& name, double& number) const {
  if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > kLargestCost)
    return error(name + " is not a number from 0 to 1000000");
  number = value.get<double>();
  return {};
}

Result<void> ProfileReader::read_count(const Json& value, const std::string& name, std::uint32_t& number) const {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(kLargestCost))
    return error(name + " is not a whole number from 0 to 1000000");
  number = value.get<std::uint32_t>();
  return {};
}

Result<void> ProfileReader::read_text(const Json& value, const std::string& name, std::string& text) const {
  if (!value.is_string()) return error(name + " is not a string");
  text = value.get<std::string>();
  return {};
}

Result<void> ProfileReader::read_class(const std::string& name, const Json& value, CostProfile& profile) const {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end() || *found == "free") return error("there is no operation class '" + name + "'");
  if (!value.is_object()) return error(name + " is not an object with cost and delay");
  ClassCost& cost = profile.classes[static_cast<std::size_t>(found - kNames.begin())];
  for (const auto& [member, number] : value.items()) {
    const std::string path = name + "." + member;
    const Result<void> read = member == "cost"    ? read_number(number, path, cost.cost)
                              : member == "delay" ? read_count(number, path, cost.delay)
                                                  : Result<void>(error(path + " is not known"));
    if (!read) return read;
  }
  return {};
}

Result<void> ProfileReader::read_operations(const Json& value, CostProfile& profile) const {
  if (!value.is_object()) return error("operations is not an object");
  for (const auto& [name, cost] : value.items())
    if (Result<void> read = read_class(name, cost, profile); !read) return read;
  return {};
}

Result<void> ProfileReader::read_member(const std::string& name, const Json& value, CostProfile& profile) const {
  if (name == "based_on") return {};
  if (name == "name") return read_text(value, name, profile.name);
  if (name == "description") return read_text(value, name, profile.description);
  if (name == "fragments_per_vertex") return read_number(value, name, profile.fragments_per_vertex);
  if (name == "uniform_limit") return read_number(value, name, profile.uniform_limit);
  if (name == "uniform_share") return read_number(value, name, profile.uniform_share);
  if (name == "register_budget") return read_count(value, name, profile.register_budget);
  if (name == "delay_into_slow_units") return read_count(value, name, profile.delay_into_slow_units);
  if (name == "operations") return read_operations(value, profile);
  return error(name + " is not known");
}

Result<CostProfile> ProfileReader::read(const Json& root) {
  if (!root.is_object()) return error("is not a JSON object that describes a cost profile");
  CostProfile profile = default_profile();
  if (const auto base = root.find("based_on"); base != root.end()) {
    const CostProfile* found = base->is_string() ? find_profile(base->get<std::string>()) : nullptr;
    if (found == nullptr) return error("based_on does not name a built-in profile");
    profile = *found;
  }
  profile.name = "custom";
  profile.description.clear();
  for (const auto& [name, value] : root.items())
    if (Result<void> read = read_member(name, value, profile); !read) return read.error();
  return profile;
}

}  // namespace

std::string_view name_of(OpClass op_class) { return kNames[static_cast<std::size_t>(op_class)]; }

std::span<const CostProfile> built_in_profiles() {
  static const std::array<CostProfile, 4> profiles = {generic(), tiler(), immediate(), scalar_inorder()};
  return profiles;
}

const CostProfile* find_profile(std::string_view name) {
  for (const CostProfile& profile : built_in_profiles())
    if (profile.name == name) return &profile;
  return nullptr;
}

const CostProfile& default_profile() { return built_in_profiles().front(); }

Result<CostProfile> parse_profile(std::string_view json, const std::string& file) {
  return ProfileReader(file).read(Json::parse(json, nullptr, false));
}

}  // namespace varylink::analysis
