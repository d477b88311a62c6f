// Resolves #include of GLSL and remembers the files that were read.
#pragma once

#include <glslang/Public/ShaderLang.h>

#include <memory>
#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace varylink::frontend {

// "name" is looked for in the folder of the including file, then in the -I folders in order; <name> in the -I folders
// only. Includes deeper than 64 levels fail, which ends a file that includes itself.
class Includer : public glslang::TShader::Includer {
 public:
  // Keeps a reference to the options: include_dirs and read_include.
  explicit Includer(const CompileOptions& options) : options_(options) {}

  IncludeResult* includeLocal(const char* header, const char* includer, size_t depth) override;
  IncludeResult* includeSystem(const char* header, const char* includer, size_t depth) override;
  void releaseInclude(IncludeResult* result) override;

  // Paths of the files that were included, in order of first reading.
  const std::vector<std::string>& files() const { return files_; }

 private:
  IncludeResult* open(const std::string& path);

  const CompileOptions& options_;
  std::vector<std::string> files_;
};

}  // namespace varylink::frontend
