// Puts the reports of a sharded run together.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace varylink::report {

struct ReportFile {
  std::string path;  // for messages
  std::string text;
};

// The report that one process would have written for the whole manifest, byte by byte. The shards may come in any
// order. Errors (usage): a file that is no report of a shard; shards of different runs, versions or options; one that
// is missing or there twice.
Result<std::string> merge_reports(const std::vector<ReportFile>& files);

}  // namespace varylink::report
