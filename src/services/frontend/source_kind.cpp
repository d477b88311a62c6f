#include "frontend/source_kind.h"

#include <array>
#include <cctype>
#include <utility>

#include "frontend/read_file.h"

namespace varylink::frontend {
namespace {

constexpr std::array<std::string_view, 4> kLanguageSuffixes = {".glsl", ".spv", ".spvasm", ".hlsl"};

// Of the names in front of .hlsl, as the profiles of DXC begin.
std::optional<Stage> stage_from_profile(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Stage>, 7> kProfiles = {{{"vs", Stage::vertex},
                                                                            {"hs", Stage::tess_control},
                                                                            {"ds", Stage::tess_eval},
                                                                            {"gs", Stage::geometry},
                                                                            {"as", Stage::task},
                                                                            {"ms", Stage::mesh},
                                                                            {"ps", Stage::fragment}}};
  for (const auto& [profile, stage] : kProfiles)
    if (name == profile) return stage;
  return std::nullopt;
}

bool has_magic_number(std::string_view bytes) {
  using namespace std::string_view_literals;
  return bytes.starts_with("\x03\x02\x23\x07"sv) || bytes.starts_with("\x07\x23\x02\x03"sv);
}

// "%name =" at the start of the text
bool starts_with_result_id(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
  const std::size_t next = text.find_first_not_of(" \t", end);
  return end > 1 && next != std::string_view::npos && text[next] == '=';
}

// GLSL cannot begin like this: its first token is a directive, a comment or a declaration.
bool looks_like_assembly(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  const std::string_view text = bytes.substr(first);
  if (text[0] == ';') return true;
  if (text[0] == '%') return starts_with_result_id(text);
  return text.size() > 2 && text.starts_with("Op") && std::isupper(static_cast<unsigned char>(text[2]));
}

// Of the name in front of the suffixes of languages: "vert" of "x.vert.spv", empty if there is none.
std::string_view last_part(std::string_view path) {
  const std::string_view name = base_name(path);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

// "a compute shader" for the parts of names that glslang and DXC know and that are stages of no graphics pipeline.
std::string_view other_kind_of_shader(std::string_view part) {
  if (part == "comp" || part == "cs") return "a compute shader";
  for (const std::string_view ray : {"rgen", "rint", "rahit", "rchit", "rmiss", "rcall"})
    if (part == ray) return "a ray tracing shader";
  return {};
}

}  // namespace

SourceKind source_kind(std::string_view path, std::string_view bytes) {
  if (has_magic_number(bytes)) return SourceKind::spirv_binary;
  if (path.ends_with(".spvasm") || looks_like_assembly(bytes)) return SourceKind::spirv_assembly;
  return path.ends_with(".spv") ? SourceKind::spirv_binary : SourceKind::glsl;
}

std::string_view base_name(std::string_view path) {
  path.remove_prefix(path.find_last_of('/') + 1);
  for (const std::string_view suffix : kLanguageSuffixes)
    if (path.size() > suffix.size() && path.ends_with(suffix)) return path.substr(0, path.size() - suffix.size());
  return path;
}

std::optional<Stage> stage_from_path(std::string_view path) {
  const std::string_view part = last_part(path);
  const std::optional<Stage> stage = stage_from_short_name(part);
  return stage || !path.ends_with(".hlsl") ? stage : stage_from_profile(part);
}

std::string no_stage_message(std::string_view path) {
  if (const std::string_view other = other_kind_of_shader(last_part(path)); !other.empty())
    return std::string(other) + " is no stage of a graphics pipeline (vert, tesc, tese, geom, task, mesh, frag)";
  const std::string_view example = path.ends_with(".hlsl") ? "x.vs.hlsl" : "x.vert";
  return "cannot tell the shader stage: name the file like " + std::string(example) +
         ", or write vert=" + std::string(path);
}

}  // namespace varylink::frontend
