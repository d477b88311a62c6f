// Resolves #include of GLSL and remembers what was read.
#pragma once

#include <glslang/Public/ShaderLang.h>

#include <memory>
#include <string>
#include <vector>

namespace varylink::frontend {

// "name" is looked for in the folder of the including file, then in the -I folders in order; <name> in the -I folders
// only. Includes deeper than 64 levels fail, which ends a file that includes itself.
class Includer : public glslang::TShader::Includer {
 public:
  explicit Includer(const std::vector<std::string>& include_dirs) : include_dirs_(include_dirs) {}

  IncludeResult* includeLocal(const char* header, const char* includer, size_t depth) override;
  IncludeResult* includeSystem(const char* header, const char* includer, size_t depth) override;
  void releaseInclude(IncludeResult* result) override;

  // Paths of the files that were included, in order of first reading.
  const std::vector<std::string>& files() const { return files_; }

 private:
  IncludeResult* open(const std::string& path);

  const std::vector<std::string>& include_dirs_;
  std::vector<std::string> files_;
};

}  // namespace varylink::frontend
