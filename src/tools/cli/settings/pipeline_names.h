// Names of the pipelines of one run. Each becomes a folder of results below the output folder.
#pragma once

#include <map>
#include <string>

namespace varylink::cli {

class PipelineNames {
 public:
  // Takes a name, and `own_file`, a file of the output folder that the pipeline writes besides its modules. `place`
  // says in messages where the name stands: "on line 3". Returns the reason to refuse a name that would lead out of the
  // output folder, has characters that no file should have, is taken, or has a folder where another pipeline has a
  // file; empty for others.
  std::string take(const std::string& name, const std::string& place, const std::string& own_file = {});

 private:
  using Places = std::map<std::string, std::string>;  // by name, as names can be compared

  // Names that are taken, own files, and names whose files would stand where a name that is taken needs a folder.
  Places taken_, own_files_, in_the_way_;
};

}  // namespace varylink::cli
