#include "report/merge_reports.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "report/report_sums.h"

namespace varylink::report {
namespace {

using Json = nlohmann::ordered_json;

Diagnostic usage(const std::string& path, std::string message) {
  return make_error(ErrorKind::usage, path, std::move(message));
}

// Everything of a report that all shards of a run have in common.
Json head_of(const Json& report) {
  Json head = Json::object();
  for (const auto& [name, value] : report.items()) {
    if (name == "pipelines") break;
    if (name != "shard") head[name] = value;
  }
  return head;
}

class Merger {
 public:
  Result<void> add(const ReportFile& file) {
    try {
      const Json report = Json::parse(file.text, nullptr, false);
      if (report.is_discarded() || !report.is_object() || !report.contains("shard"))
        return usage(file.path, "this is not the report of a shard (varylink link --shard ... --report ...)");
      return add(file.path, report);
    } catch (const Json::exception&) {
      return usage(file.path, "this report is damaged");
    }
  }

  Result<std::string> text() {
    std::size_t present = 0;
    for (const auto& [position, pipeline] : pipelines_) present += position == present ? 1 : 0;
    if (present != total_)
      return usage("", "pipeline " + std::to_string(present + 1) + " of the manifest is in none of the reports");
    try {
      ReportText report(lists_modules_);
      std::string text = report.begin(*head_);
      for (auto& [position, pipeline] : pipelines_) text += report.add(std::move(pipeline));
      return text + report.end();
    } catch (const Json::exception&) {
      return usage("", "a report is damaged");
    }
  }

 private:
  Result<void> add(const std::string& path, const Json& report) {
    const Json& shard = report.at("shard");
    const Json& pipelines = report.at("pipelines");
    const Json& positions = shard.at("positions");
    if (!head_) {
      head_ = head_of(report);
      lists_modules_ = report.contains("modules");
      total_ = shard.at("total").get<std::size_t>();
    }
    if (head_of(report) != *head_ || report.contains("modules") != lists_modules_ ||
        shard.at("total").get<std::size_t>() != total_)
      return usage(path, "this report is of another run: manifest, options or version differ");
    if (positions.size() != pipelines.size()) return usage(path, "this report is damaged");
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto position = positions[i].get<std::size_t>();
      if (position >= total_) return usage(path, "this report is damaged");
      if (!pipelines_.emplace(position, pipelines[i]).second)
        return usage(path, "pipeline " + pipelines[i].at("name").get<std::string>() + " is in two reports");
    }
    return {};
  }

  std::optional<Json> head_;
  bool lists_modules_ = false;
  std::size_t total_ = 0;
  std::map<std::size_t, Json> pipelines_;  // by position in the manifest
};

}  // namespace

Result<std::string> merge_reports(const std::vector<ReportFile>& files) {
  if (files.empty()) return usage("", "no reports to merge");
  Merger merger;
  for (const ReportFile& file : files)
    if (Result<void> added = merger.add(file); !added) return added.error();
  return merger.text();
}

}  // namespace varylink::report
