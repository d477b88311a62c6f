// The parts of a JSON report that follow from its pipelines, so that a merged report has them like any other. Pipelines
// are added one after the other and need not stay in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace varylink::report {

enum class ReportForm : std::uint8_t {
  document,  // one JSON object
  lines,     // an object a line: the head, each pipeline, the rest
};

// The text of a report is the text of begin, then that of add for each pipeline, then that of end.
class ReportText {
 public:
  // With `lists_modules` also which pipelines use which result of each module.
  explicit ReportText(bool lists_modules, ReportForm form = ReportForm::document);

  // `head` is the part in front of the pipelines; not empty.
  std::string begin(const nlohmann::ordered_json& head) const;
  // A pipeline that has the same result as an earlier one, from the same modules, is given its name as `same_as`.
  // Throws Json::exception if this is no pipeline of a report.
  std::string add(nlohmann::ordered_json pipeline);
  std::string end() const;

 private:
  using Json = nlohmann::ordered_json;
  void name_first_of_equals(Json& pipeline);
  void add_sizes(const Json& pipeline);
  void add_modules(const Json& pipeline);

  bool lists_modules_;
  ReportForm form_;
  std::size_t count_ = 0, linked_ = 0, repeated_ = 0, unchecked_ = 0;
  Json before_, after_;                       // sums of sizes
  std::map<std::string, std::string> first_;  // pipelines by identity: the name of the first one
  Json modules_ = Json::array();              // in the order in which pipelines first use them, variants likewise
  std::map<std::string, std::size_t> places_, variant_places_;
};

}  // namespace varylink::report
