#include "frontend/entry_points.h"

#include <algorithm>

#include "frontend/read_file.h"
#include "frontend/source_kind.h"

namespace varylink::frontend {
namespace {

std::vector<EntryChoice> graphics_entries(const spirv::Module& module) {
  std::vector<EntryChoice> entries;
  for (const spirv::EntryPoint& entry : module.entries())
    if (const std::optional<Stage> stage = stage_from_execution_model(static_cast<std::uint32_t>(entry.model)))
      entries.push_back({*stage, entry.name});
  return entries;
}

std::string listed(const std::vector<EntryChoice>& entries) {
  std::string text;
  for (const EntryChoice& entry : entries)
    text += (text.empty() ? "" : ", ") + std::string(short_name(entry.stage)) + "=" + entry.name;
  return text;
}

bool has_stage(const std::vector<EntryChoice>& entries, Stage stage) {
  return std::any_of(entries.begin(), entries.end(), [&](const EntryChoice& entry) { return entry.stage == stage; });
}

// What the user asked for and did not get.
std::string not_found(const SourceFile& file, const std::vector<EntryChoice>& entries, const CompileOptions& options) {
  std::string name = file.stage ? wanted_entry_point(file, *file.stage, options) : std::string();
  for (const EntryChoice& entry : entries)
    if (!file.stage && name.empty()) name = wanted_entry_point(file, entry.stage, options);
  const std::string what = "entry point" + (name.empty() ? "" : " '" + name + "'") + " not found";
  return file.stage ? what + " for stage " + std::string(short_name(*file.stage)) : what;
}

}  // namespace

std::string wanted_entry_point(const SourceFile& file, Stage stage, const CompileOptions& options) {
  if (!file.entry_point.empty()) return file.entry_point;
  const auto found = options.entry_points.find(stage);
  return found == options.entry_points.end() ? std::string() : found->second;
}

Result<std::vector<EntryChoice>> choose_entry_points(const spirv::Module& module, const SourceFile& file,
                                                     const CompileOptions& options) {
  const std::string name = display_name(file.path);
  if (module.entries().empty()) return make_error(ErrorKind::invalid_spirv, name, "the module has no entry point");
  const std::vector<EntryChoice> all = graphics_entries(module);
  if (all.empty()) return make_error(ErrorKind::usage, name, "the module has no entry point for a graphics stage");

  std::vector<EntryChoice> fitting;
  for (const EntryChoice& entry : all) {
    const std::string wanted = wanted_entry_point(file, entry.stage, options);
    if ((!file.stage || entry.stage == *file.stage) && (wanted.empty() || entry.name == wanted))
      fitting.push_back(entry);
  }
  if (fitting.empty())
    return make_error(ErrorKind::usage, name, not_found(file, all, options) + "; the module has " + listed(all));

  // The suffix only breaks a tie: what the module says about itself counts more.
  const std::optional<Stage> hint = stage_from_path(file.path);
  if (!file.stage && hint && has_stage(fitting, *hint))
    std::erase_if(fitting, [&](const EntryChoice& entry) { return entry.stage != *hint; });
  for (std::size_t i = 0; i + 1 < fitting.size(); ++i)
    if (std::any_of(fitting.begin() + static_cast<std::ptrdiff_t>(i) + 1, fitting.end(),
                    [&](const EntryChoice& entry) { return entry.stage == fitting[i].stage; }))
      return make_error(ErrorKind::usage, name,
                        "the module has several entry points (" + listed(fitting) + "): choose one with -e STAGE=NAME");
  return fitting;
}

}  // namespace varylink::frontend
