// The link verifier, on what is about to be written against what came in.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/group_records.h"
#include "link/conformance/interface_model.h"
#include "link/model/pipeline.h"

namespace varylink::driver {

// Checks modules and pairs once, however many pipelines they are in.
class ResultChecker {
 public:
  // `modules` have their results; they and `options` must outlive this.
  ResultChecker(const std::vector<ModuleRecord>& modules, const link::LinkOptions& options)
      : records_(modules), options_(options) {}

  // What is wrong with the results of one pipeline, given by its modules in pipeline order. Errors are of kind
  // verification_failed.
  Diagnostics check(const std::vector<std::size_t>& modules);

 private:
  struct Both {
    std::shared_ptr<const spirv::Module> written;  // `result` looks into it
    link::StageView original, result;
  };
  static Result<Both> read(const ModuleRecord& module);
  const Result<Both>& both(std::size_t module);
  // What may differ from pipeline to pipeline.
  struct Role {
    std::size_t module = 0;
    bool last_pre_rasterization = false;
    std::vector<std::string> shared_spec_constants;
    friend auto operator<=>(const Role&, const Role&) = default;
  };
  const Diagnostics& contract_of(const Role& role);
  const Diagnostics& pair(std::size_t producer, std::size_t consumer);

  const std::vector<ModuleRecord>& records_;
  const link::LinkOptions& options_;
  std::map<std::size_t, Result<Both>> modules_;
  std::map<Role, Diagnostics> contracts_;
  std::map<std::pair<std::size_t, std::size_t>, Diagnostics> pairs_;
};

}  // namespace varylink::driver
