// Pipelines as files: what the program made, for `varylink link --manifest`, and what that gave.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "manifest_file.h"
#include "outcome.h"
#include "subject.h"
#include "target.h"

namespace varylink::layer {

// A manifest that grows by a line for each distinct pipeline. Modules are there before the line that names them, so
// that the manifest is whole whenever the program ends. For any number of threads, and any number of recorders and
// processes with one folder.
class Recorder {
 public:
  explicit Recorder(std::string folder);

  // Beside the manifest is a file of options for a command line (@FILE): what the devices take that made pipelines,
  // `target` among them. Programs make devices to look at, too. Gives why it could not be recorded; empty if it was,
  // now or before.
  std::string record(const std::string& key, const Subject& subject, const Target& target);

 private:
  std::string keep_module(const Words& words, Stage stage, std::string& name);
  std::string keep_options(const Target& target);
  std::string add_line(const std::string& key, const link::PipelineDescription& description, const Target& target);

  std::string folder_, problem_;
  std::mutex mutex_;
  ManifestFile manifest_;
  std::set<std::string> modules_;
};

// The modules that `varylink link --manifest -o folder` wrote for the pipeline with this key, if they are there and
// valid.
LinkedModules load_linked(const std::string& folder, const std::string& key, const Subject& subject,
                          const Target& target);

}  // namespace varylink::layer
