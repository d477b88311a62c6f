#include "cli/installed_layers.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/read_file.h"
#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::cli {
namespace {

using LayerPlaces = std::vector<std::string>;
using ManifestJson = nlohmann::json;

std::string variable(const char* name, const std::string& otherwise = {}) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

// Those of a list with colons, each with `behind`.
void add(LayerPlaces& names, const std::string& list, const char* behind) {
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ':');)
    if (!word.empty()) names.push_back(behind[0] == '\0' ? word : platform::joined(word, behind));
}

// Folders, and manifests themselves.
LayerPlaces places() {
  LayerPlaces names;
  if (const std::string only = variable("VK_LAYER_PATH"); !only.empty()) {
    add(names, only, "");
    return names;
  }
  constexpr const char* kFolder = "vulkan/explicit_layer.d";
  const std::string home = variable("HOME");
  const auto at_home = [&](const char* folder) { return home.empty() ? "" : platform::joined(home, folder); };
  add(names, variable("VK_ADD_LAYER_PATH"), "");
  add(names, variable("XDG_CONFIG_HOME", at_home(".config")), kFolder);
  add(names, variable("XDG_CONFIG_DIRS", "/etc/xdg"), kFolder);
  add(names, "/usr/local/etc:/etc", kFolder);
  add(names, variable("XDG_DATA_HOME", at_home(".local/share")), kFolder);
  add(names, variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share"), kFolder);
  return names;
}

bool is_name(const ManifestJson& layer, std::string_view name) {
  const auto found = layer.is_object() ? layer.find("name") : layer.end();
  return found != layer.end() && found->is_string() && found->get_ref<const std::string&>() == name;
}

bool names_layer(const std::string& manifest, std::string_view name) {
  if (!manifest.ends_with(".json")) return false;
  const Result<std::string> text = frontend::read_file(manifest);
  const ManifestJson json = text ? ManifestJson::parse(*text, nullptr, false) : ManifestJson();
  if (!json.is_object()) return false;
  const ManifestJson& several = json.value("layers", ManifestJson::array());
  return is_name(json.value("layer", ManifestJson()), name) ||
         std::any_of(several.begin(), several.end(), [&](const ManifestJson& each) { return is_name(each, name); });
}

}  // namespace

bool is_layer_installed(std::string_view name) {
  const LayerPlaces all = places();
  return std::any_of(all.begin(), all.end(), [&](const std::string& place) {
    if (!platform::is_folder(place)) return names_layer(place, name);
    const std::vector<platform::FileEntry> files = platform::files_in(place, false);
    return std::any_of(files.begin(), files.end(),
                       [&](const platform::FileEntry& file) { return names_layer(file.name, name); });
  });
}

}  // namespace varylink::cli
