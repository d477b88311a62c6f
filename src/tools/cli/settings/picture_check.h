// The oracle as the commands use it: options, one comparison after the other, lines, JSON and the exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "link/model/pipeline.h"

namespace varylink::cli {

// Exit statuses beside those of exit_status(ErrorKind).
constexpr int kStatusDifferent = 6;
constexpr int kStatusNotCovered = 7;
constexpr int kStatusNoDriver = 8;

// The worse of two exit statuses: a failure to load or link, then a different picture, then one that proves nothing.
int worse_status(int a, int b);

struct PictureOptions {
  std::uint64_t seed = 1;
  std::uint32_t runs = 6;
  std::uint32_t size = 64;  // pixels, width and height
  double time_limit_s = 30;
  std::string png_folder;
};

// Adds --seed, --runs, --size, --time-limit and --png.
void declare_pictures(CLI::App& app, PictureOptions& options, const char* group);

class PictureCheck {
 public:
  // Starts the drawing process; call it before there are threads.
  // Error (usage): no usable driver, or a build without Vulkan; the status is kStatusNoDriver.
  static Result<PictureCheck> start(const PictureOptions& options);
  PictureCheck(PictureCheck&&) noexcept;
  PictureCheck& operator=(PictureCheck&&) noexcept;
  ~PictureCheck();

  // Draws and compares; returns the line for this pipeline, without its name. `state`: of both. `level`: that `linked`
  // was linked at, which decides the tolerance.
  std::string compare(const std::string& name, const state::PipelineState& state, link::Level level,
                      const std::vector<link::StageInput>& original, const std::vector<link::StageInput>& linked);

  int status() const;           // worst so far
  std::string summary() const;  // "3 identical, 1 within tolerance on <device>"
  std::string json() const;     // everything, with a line break at the end

 private:
  struct State;
  explicit PictureCheck(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The stages of a linked pipeline with the entry points of the original.
std::vector<link::StageInput> linked_stages(const link::LinkedPipeline& linked, const link::PipelineInput& original);

}  // namespace varylink::cli
