#include "cli/cached_link.h"

#include <charconv>
#include <optional>
#include <system_error>

#include "base/sha256.h"
#include "base/version.h"
#include "cli/group_codec.h"
#include "driver/link_group.h"
#include "report/run_options.h"

namespace varylink::cli {
namespace {

// Stands for the name of a module's file while it is linked, so that results do not depend on names.
constexpr char kMark = '\x01';

std::string stand_in(std::size_t module) { return kMark + std::to_string(module) + kMark; }

// The module that the text between two marks stands for; none if something else happens to stand there.
std::optional<std::size_t> module_of(std::string_view digits, const link::GroupInput& group) {
  std::size_t module = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), module);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  return is_number && module < group.modules.size() ? std::optional(module) : std::nullopt;
}

void name_files(std::string& text, const link::GroupInput& group) {
  for (std::size_t start = text.find(kMark); start != std::string::npos; start = text.find(kMark, start)) {
    const std::size_t end = text.find(kMark, start + 1);
    if (end == std::string::npos) return;
    const auto module = module_of(std::string_view(text).substr(start + 1, end - start - 1), group);
    if (!module) {
      start = end;
      continue;
    }
    const std::string& file = group.modules[*module].file;
    text.replace(start, end + 1 - start, file);
    start += file.size();
  }
}

void name_files(link::LinkedPipeline& pipeline, const link::GroupInput& group) {
  for (Diagnostic& diagnostic : pipeline.diagnostics) {
    name_files(diagnostic.file, group);
    name_files(diagnostic.message, group);
  }
  for (link::Remark& remark : pipeline.remarks) name_files(remark.message, group);
  for (link::InterfaceReport& interface : pipeline.interfaces)
    for (link::ComponentRecord& record : interface.components) name_files(record.reason, group);
}

link::LinkedGroup link_or_load(const link::GroupInput& group, const link::LinkOptions& options,
                               const LinkCache* cache) {
  // Dumps are made while linking.
  if (!cache || options.dump) return driver::link_group(group, options);
  const std::string key = cache_key(group, options);
  if (const auto bytes = cache->load(key))
    if (auto known = decode(*bytes);
        known && known->modules.size() == group.modules.size() && known->pipelines.size() == group.pipelines.size()) {
      restore_stages(*known, group);
      return std::move(*known);
    }
  link::LinkedGroup linked = driver::link_group(group, options);
  cache->store(key, encode(linked));
  return linked;
}

}  // namespace

std::string cache_key(const link::GroupInput& group, const link::LinkOptions& options) {
  Sha256 hash;
  const auto add_text = [&](std::string_view text) {
    hash.add(std::uint64_t{text.size()});
    hash.add(text);
  };
  add_text(kVersion);
  add_text(kGitHash);
  add_text(spirv::tools_version());
  const auto named = report::options_that_matter(options);
  hash.add(std::uint64_t{named.size()});
  for (const auto& [name, value] : named) {
    add_text(name);
    add_text(value);
  }
  hash.add(std::uint64_t{group.modules.size()});
  for (const link::StageInput& module : group.modules) {
    add_text(short_name(module.stage));
    add_text(module.entry_point);
    hash.add(std::uint64_t{module.words.size()});
    hash.add(std::span(module.words));
  }
  hash.add(std::uint64_t{group.pipelines.size()});
  for (const link::GroupPipeline& pipeline : group.pipelines) {
    hash.add(std::uint64_t{pipeline.no_fragment ? 1u : 0u});
    hash.add(std::uint64_t{pipeline.modules.size()});
    for (const std::size_t module : pipeline.modules) hash.add(std::uint64_t{module});
  }
  return hash.hex();
}

link::LinkedGroup link_by_cache(const link::GroupInput& group, const link::LinkOptions& options,
                                const LinkCache* cache) {
  link::GroupInput nameless = group;
  for (std::size_t i = 0; i < nameless.modules.size(); ++i) nameless.modules[i].file = stand_in(i);
  link::LinkedGroup linked = link_or_load(nameless, options, cache);
  for (link::LinkedPipeline& pipeline : linked.pipelines) name_files(pipeline, group);
  return linked;
}

}  // namespace varylink::cli
