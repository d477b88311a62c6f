// The report as JSON. docs/report.md describes it, docs/report.schema.json is its schema.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/report_entry.h"
#include "report/report_sums.h"

namespace varylink::report {

// A part of a manifest that one of several processes links.
struct ShardRecord {
  std::size_t index = 0;  // from 0
  std::size_t count = 1;
  std::size_t total = 0;  // pipelines of the manifest
  // In the manifest, of the pipelines in this report; none in a report that is begun before they are known.
  std::optional<std::vector<std::size_t>> positions;
};

// Facts about the whole run.
struct RunRecord {
  std::string version;                                       // of varylink
  std::string validator;                                     // "SPIRV-Tools v2023.1", which judged the modules
  std::vector<std::pair<std::string, std::string>> options;  // option and value, in a fixed order
  bool lists_modules = false;                                // modules are shared: say who uses which result
  std::optional<ShardRecord> shard;
};

// A report that is made while pipelines are linked: its text is begin, then add of each pipeline in order, then end.
class JsonReport {
 public:
  // `lists_modules`: RunRecord::lists_modules of the run.
  explicit JsonReport(bool lists_modules, ReportForm form = ReportForm::document) : text_(lists_modules, form) {}
  std::string begin(const RunRecord& run) const;
  std::string add(const ReportEntry& pipeline);
  std::string end() const { return text_.end(); }

 private:
  ReportText text_;
};

// One JSON object with a final line break. Same records, same text: there are no times (unless the records have them),
// no machine names, and no paths other than those in the records. Bytes that are not UTF-8 become U+FFFD.
std::string json_report(const RunRecord& run, std::span<const ReportEntry> pipelines);

}  // namespace varylink::report
