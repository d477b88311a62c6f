// A capture of GFXReconstruct, from the lines of JSON that gfxrecon-convert makes of it.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/gfxreconstruct/captured_objects.h"
#include "formats/gfxreconstruct/captured_pipeline.h"

namespace varylink::formats::gfxreconstruct {

// The code of the module with that handle, of `size` bytes; null if it cannot be had.
using ReadCode = std::function<std::shared_ptr<const Words>(Handle handle, std::uint64_t size)>;

struct Capture {
  std::vector<CapturedPipeline> pipelines;  // in the order in which they were created, each time that they were
  std::map<Handle, std::shared_ptr<const Words>> modules;  // null: code that is not known
  // Modules of compute and ray tracing pipelines, and those whose identifier was asked.
  std::set<Handle> used_otherwise;
  spirv::ValidatorOptions last_target;  // of the device that was made last
};

// Reads the lines in their order. Versions 0.9.18 and 1.0 of the converter differ in the name of the member that has a
// call ("vkFunc", "function"), and in that masks are numbers or texts.
class CaptureReader {
 public:
  CaptureReader(std::string file, ReadCode read_code) : file_(std::move(file)), read_code_(std::move(read_code)) {}

  // Error (usage): a call that matters here is no JSON, or has another form.
  Result<void> add(std::string_view line);
  // Everything that the lines said. Error (usage): no converter writes such lines.
  Result<Capture> finish();

 private:
  void read_call(const std::string& name, const StrictJson& arguments);
  void read_instance(const StrictJson& arguments);
  void read_version(const StrictJson& arguments);
  void read_device(const StrictJson& arguments);
  void read_module(const StrictJson& arguments);
  void read_pipelines(const StrictJson& arguments);

  std::string file_;
  ReadCode read_code_;
  std::size_t line_ = 0;
  bool has_header_ = false;
  std::uint32_t instance_version_ = 0;
  std::map<Handle, std::uint32_t> instance_versions_;  // of physical devices
  std::map<Handle, std::uint32_t> device_versions_;    // of physical devices
  std::map<Handle, spirv::ValidatorOptions> targets_;  // of devices
  CapturedObjects objects_;
  Capture capture_;
};

}  // namespace varylink::formats::gfxreconstruct
