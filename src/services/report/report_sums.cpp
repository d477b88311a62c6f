#include "report/report_sums.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace varylink::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kSizes = {"components", "locations", "highest_location", "not_counted", "bytes_per_vertex"};

void add_size(Json& sum, const Json& size) {
  for (const char* member : kSizes) {
    const auto value = size.at(member).get<std::uint64_t>(), so_far = sum.at(member).get<std::uint64_t>();
    sum[member] = member == std::string_view("highest_location") ? std::max(value, so_far) : value + so_far;
  }
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// With line breaks and one blank per level.
std::string laid_out(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace); }

// Everything that a pipeline is made of and that becomes of it, but for names; empty if it was not linked.
std::string identity_of(const Json& pipeline) {
  const auto key = pipeline.find("cache_key");
  if (pipeline.at("status") != "linked" || key == pipeline.end() || !key->is_string()) return {};
  std::string identity = key->get<std::string>();
  for (const Json& stage : pipeline.at("stages")) identity += " " + text_of(stage.at("content"));
  return identity;
}

}  // namespace

ReportText::ReportText(bool lists_modules, ReportForm form) : lists_modules_(lists_modules), form_(form) {
  for (const char* member : kSizes) before_[member] = after_[member] = 0;
}

std::string ReportText::begin(const Json& head) const {
  if (form_ == ReportForm::lines) return text_of(head) + "\n";
  std::string text = laid_out(head);
  text.resize(text.size() - std::string_view("\n}").size());
  return text + ",\n \"pipelines\": [";
}

void ReportText::name_first_of_equals(Json& pipeline) {
  pipeline.erase("same_as");
  const std::string identity = identity_of(pipeline);
  if (identity.empty()) return;
  const auto [first, is_new] = first_.emplace(identity, pipeline.at("name").get<std::string>());
  if (is_new) return;
  pipeline["same_as"] = first->second;
  ++repeated_;
}

void ReportText::add_sizes(const Json& pipeline) {
  for (const Json& interface : pipeline.at("interfaces")) {
    add_size(before_, interface.at("before"));
    add_size(after_, interface.at("after"));
  }
}

void ReportText::add_modules(const Json& pipeline) {
  for (const Json& stage : pipeline.at("stages")) {
    Json module = {{"stage", stage.at("stage")}, {"file", stage.at("file")}, {"entry_point", stage.at("entry_point")}};
    Json variant = {{"content", stage.at("content")}, {"bytes", stage.at("bytes")}, {"output", stage.at("output")}};
    const std::string name = text_of(module), variant_name = name + text_of(variant);
    const auto [place, is_new] = places_.emplace(name, modules_.size());
    if (is_new) {
      module["variants"] = Json::array();
      modules_.push_back(std::move(module));
    }
    Json& variants = modules_[place->second]["variants"];
    const auto [variant_place, is_new_variant] = variant_places_.emplace(variant_name, variants.size());
    if (is_new_variant) variants.push_back(std::move(variant));
    variants[variant_place->second]["pipelines"].push_back(pipeline.at("name"));
  }
}

std::string ReportText::add(Json pipeline) {
  name_first_of_equals(pipeline);
  if (pipeline.at("status") == "linked") {
    ++linked_;
    if (pipeline.contains("unchecked")) ++unchecked_;
    add_sizes(pipeline);
    if (lists_modules_) add_modules(pipeline);
  }
  ++count_;
  if (form_ == ReportForm::lines) return text_of(pipeline) + "\n";
  std::string text = count_ == 1 ? "\n  " : ",\n  ";
  for (const char c : laid_out(pipeline)) {
    text += c;
    if (c == '\n') text += "  ";  // line breaks inside strings are escaped
  }
  return text;
}

std::string ReportText::end() const {
  Json tail = Json::object();
  if (lists_modules_) tail["modules"] = modules_;
  tail["summary"] = {{"pipelines", count_},   {"linked", linked_},       {"failed", count_ - linked_},
                     {"repeated", repeated_}, {"unchecked", unchecked_}, {"before", before_},
                     {"after", after_}};
  if (form_ == ReportForm::lines) return text_of(tail) + "\n";
  const std::string text = laid_out(tail);
  return (count_ == 0 ? "],\n" : "\n ],\n") + text.substr(std::string_view("{\n").size()) + "\n";
}

}  // namespace varylink::report
