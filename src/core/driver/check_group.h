// The link verifier, on results before they are written, against the input.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/group_records.h"
#include "link/model/pipeline.h"
#include "link/rules/interface_model.h"

namespace varylink::driver {

// Checks modules and pairs once, however many pipelines they are in.
class ResultChecker {
 public:
  // `modules` have their results; they and `options` must outlive this.
  ResultChecker(const std::vector<ModuleRecord>& modules, const link::LinkOptions& options)
      : records_(modules), options_(options) {}

  // Violations in the results of one pipeline, given by its modules in pipeline order. Errors are of kind
  // verification_failed.
  Diagnostics check(const std::vector<std::size_t>& modules);
  // Size of the outputs that a checked module's result declares for the stage behind it.
  link::InterfaceSize outputs_of(std::size_t module);

 private:
  struct Both {
    std::shared_ptr<const spirv::Module> written;  // `result` looks into it
    link::StageView original, result;
  };
  static Result<Both> read(const ModuleRecord& module);
  const Result<Both>& both(std::size_t module);
  // Facts that differ from pipeline to pipeline.
  struct Role {
    std::size_t module = 0;
    bool last_pre_rasterization = false;
    std::vector<std::string> shared_spec_constants;
    friend auto operator<=>(const Role&, const Role&) = default;
  };
  const Diagnostics& contract_of(const Role& role);
  const Diagnostics& pair(std::size_t producer, std::size_t consumer);
  // Rules of Vulkan that the results break and the input does not.
  const Diagnostics& rules_of(std::size_t module);
  Diagnostics rules_among(const std::vector<std::size_t>& modules);

  const std::vector<ModuleRecord>& records_;
  const link::LinkOptions& options_;
  std::map<std::size_t, Result<Both>> modules_;
  std::map<Role, Diagnostics> contracts_;
  std::map<std::size_t, Diagnostics> broken_rules_;
  std::map<std::pair<std::size_t, std::size_t>, Diagnostics> pairs_;
};

}  // namespace varylink::driver
