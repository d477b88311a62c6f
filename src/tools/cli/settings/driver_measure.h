// Statistics of a Vulkan driver's compiler for the commands: options, one pipeline after the other, lines, JSON and the
// exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "link/model/pipeline.h"
#include "measure/measurement.h"

namespace varylink::cli {

// A stage got worse: exit status of --fail-above.
constexpr int kStatusWorse = 6;

struct MeasureOptions {
  std::optional<double> fail_above;  // percent
  double time_limit_s = 60;          // for one pipeline
  bool lists_pipelines = false;      // in json()
};

// Adds --fail-above.
void declare_fail_above(CLI::App& app, std::optional<double>& percent, const char* group);

class DriverMeasure {
 public:
  // Starts the process of the driver; call it before there are threads.
  // Error (usage): no driver with statistics, or a build without Vulkan; the status is kStatusNoDriver.
  static Result<DriverMeasure> start(const MeasureOptions& options);
  DriverMeasure(DriverMeasure&&) noexcept;
  DriverMeasure& operator=(DriverMeasure&&) noexcept;
  ~DriverMeasure();

  struct Measured {
    measure::Measurement measurement;
    std::vector<std::string> lines;  // one for each executable, or one that says why there is none
    bool worse = false;              // one of them is worse by more than is allowed, or there is none
  };
  // Compiles both sides. `state`: of both.
  Measured measure(const std::string& name, const state::PipelineState& state,
                   const std::vector<link::StageInput>& original, const std::vector<link::StageInput>& linked);

  const std::string& device() const;  // in words
  int status() const;                 // worst so far
  std::string summary() const;        // sums of all figures and the stages that got worse, with line breaks
  std::string json() const;           // everything, with a line break at the end

 private:
  struct State;
  explicit DriverMeasure(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace varylink::cli
