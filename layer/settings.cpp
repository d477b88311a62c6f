#include "settings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <system_error>

#include "chain.h"
#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::layer {
namespace {

constexpr const char* kFilePrefix = "varylink_link.";         // of keys in vk_layer_settings.txt
constexpr const char* kVariablePrefix = "VK_VARYLINK_LINK_";  // of variables of the environment
constexpr const char* kSettingsFile = "vk_layer_settings.txt";

// VK_EXT_layer_settings, which the headers of Debian 12 lack.
constexpr std::uint32_t kLayerSettingsCreateInfo = 1000496000;
struct LayerSetting {
  const char* layer;
  const char* name;
  std::uint32_t type;  // 0: VkBool32, 1 and 3: 32 bits, 2 and 4: 64 bits, 7: text
  std::uint32_t count;
  const void* values;
};
struct LayerSettingsCreateInfo {
  VkStructureType sType;
  const void* pNext;
  std::uint32_t count;
  const LayerSetting* settings;
};

using Texts = std::map<std::string, std::string>;  // by name of the setting

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string settings_file() {
  const char* given = std::getenv("VK_LAYER_SETTINGS_PATH");
  if (given == nullptr || *given == '\0') return kSettingsFile;
  return platform::is_folder(given) ? platform::joined(given, kSettingsFile) : given;
}

// "varylink_link.mode = link", "#" begins a comment.
void read_file(const std::string& name, Texts& texts) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(platform::open_for_reading(name), std::fclose);
  if (!file) return;
  std::string line;
  for (int c = 0; c != EOF;) {
    c = std::fgetc(file.get());
    if (c != EOF && c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    const std::string content = trimmed(line.substr(0, line.find('#')));
    const auto equals = content.find('=');
    if (content.starts_with(kFilePrefix) && equals != std::string::npos)
      texts[trimmed(content.substr(std::char_traits<char>::length(kFilePrefix),
                                   equals - std::char_traits<char>::length(kFilePrefix)))] =
          trimmed(content.substr(equals + 1));
    line.clear();
  }
}

std::optional<std::string> text_of(const LayerSetting& setting) {
  if (setting.count != 1 || setting.values == nullptr) return std::nullopt;
  switch (setting.type) {
    case 0: return *static_cast<const VkBool32*>(setting.values) != VK_FALSE ? "true" : "false";
    case 1: return std::to_string(*static_cast<const std::int32_t*>(setting.values));
    case 2: return std::to_string(*static_cast<const std::int64_t*>(setting.values));
    case 3: return std::to_string(*static_cast<const std::uint32_t*>(setting.values));
    case 4: return std::to_string(*static_cast<const std::uint64_t*>(setting.values));
    case 7: return *static_cast<const char* const*>(setting.values);
    default: return std::nullopt;
  }
}

void read_chain(const void* chain, Texts& texts) {
  const auto* given = find_in_chain<LayerSettingsCreateInfo>(chain, kLayerSettingsCreateInfo);
  if (given == nullptr) return;
  for (std::uint32_t i = 0; i < given->count; ++i) {
    const LayerSetting& setting = given->settings[i];
    if (std::string(kLayerName) != setting.layer) continue;
    if (const auto text = text_of(setting)) texts[setting.name] = *text;
  }
}

void read_environment(const std::string& setting, Texts& texts) {
  std::string variable = kVariablePrefix + setting;
  std::transform(variable.begin(), variable.end(), variable.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (const char* value = std::getenv(variable.c_str())) texts[setting] = value;
}

constexpr std::pair<const char*, Mode> kModes[] = {
    {"off", Mode::off}, {"record", Mode::record}, {"use", Mode::use}, {"link", Mode::link}};

// Takes the texts of the settings one by one. What means nothing leaves the setting as it is.
class Parser {
 public:
  Parser(const Texts& texts, Settings& settings) : texts_(texts), settings_(settings) {}

  void text(const char* name, std::string& to) const {
    if (const auto found = texts_.find(name); found != texts_.end()) to = found->second;
  }
  void flag(const char* name, bool& to) {
    std::string value;
    text(name, value);
    const bool is_true = value == "true" || value == "1";
    if (is_true || value == "false" || value == "0")
      to = is_true;
    else if (!value.empty())
      complain(name, value);
  }
  void number(const char* name, std::optional<std::uint64_t>& to) {
    std::string value;
    text(name, value);
    if (value.empty()) return;
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size())
      to = number;
    else
      complain(name, value);
  }
  void mode(const char* name, Mode& to) {
    std::string value;
    text(name, value);
    const auto found =
        std::find_if(std::begin(kModes), std::end(kModes), [&](auto& each) { return each.first == value; });
    if (found != std::end(kModes))
      to = found->second;
    else if (!value.empty())
      complain(name, value);
  }
  void level(const char* name, int& to) {
    std::string value;
    text(name, value);
    if (value.size() == 1 && value[0] >= '0' && value[0] <= '3')
      to = value[0] - '0';
    else if (!value.empty())
      complain(name, value);
  }

 private:
  void complain(const char* name, const std::string& value) {
    settings_.problems.push_back("setting " + std::string(name) + ": '" + value + "' means nothing");
  }

  const Texts& texts_;
  Settings& settings_;
};

}  // namespace

Settings read_settings(const void* instance_chain) {
  Texts texts;
  read_file(settings_file(), texts);
  read_chain(instance_chain, texts);
  for (const char* name :
       {"mode", "folder", "level", "assume_single_pass", "hide_libraries", "cache", "budget", "details", "journal"})
    read_environment(name, texts);
  Settings settings;
  Parser parser(texts, settings);
  parser.mode("mode", settings.mode);
  parser.text("folder", settings.folder);
  parser.level("level", settings.level);
  parser.flag("assume_single_pass", settings.assume_single_pass);
  parser.flag("hide_libraries", settings.hide_libraries);
  parser.text("cache", settings.cache);
  parser.number("budget", settings.budget);
  parser.flag("details", settings.details);
  parser.text("journal", settings.journal);
  if (settings.folder.empty() && (settings.mode == Mode::record || settings.mode == Mode::use)) {
    settings.problems.push_back("setting mode: record and use need a setting folder");
    settings.mode = Mode::off;
  }
  return settings;
}

}  // namespace varylink::layer
