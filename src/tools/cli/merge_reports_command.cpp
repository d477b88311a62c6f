#include <cstdio>

#include "cli/command.h"
#include "cli/files/input_files.h"
#include "cli/files/output_files.h"
#include "cli/messages.h"
#include "frontend/read_file.h"
#include "report/merge_reports.h"

namespace varylink::cli {
namespace {

class MergeReportsCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("REPORTS", inputs_, "the reports of all shards of a manifest (varylink link --shard I/N --report)")
        ->required()
        ->type_name("");
    app.add_option("-o", output_, "file for the report of the whole manifest; without it, standard output")
        ->type_name("FILE");
  }

  int run() override {
    InputFiles read;
    for (const std::string& path : inputs_) read.add(path);
    if (const Result<void> safe = read.check_result(output_, "-o"); !safe) return report_failure(safe.error());
    std::vector<report::ReportFile> files;
    for (const std::string& path : inputs_) {
      Result<std::string> text = frontend::read_file(path);
      if (!text) return report_failure(text.error());
      files.push_back({path, std::move(*text)});
    }
    const Result<std::string> merged = report::merge_reports(files);
    if (!merged) return report_failure(merged.error());
    if (output_.empty()) {
      std::fputs(merged->c_str(), stdout);
      return 0;
    }
    const OutputFile file{output_, *merged};
    const Result<void> written = write_files({&file, 1});
    return written ? 0 : report_failure(written.error());
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> make_merge_reports_command() { return std::make_unique<MergeReportsCommand>(); }

}  // namespace varylink::cli
