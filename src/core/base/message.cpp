#include "base/message.h"

namespace varylink {

FileRef FileRef::of_module(std::size_t position) {
  FileRef file;
  file.module_ = position;
  return file;
}

Message::Message(const FileRef& file) : text(file.name()) {
  if (file.module()) mentions.push_back({0, *file.module()});
}

Message operator+(Message first, const Message& second) {
  for (const FileMention& mention : second.mentions)
    first.mentions.push_back({first.text.size() + mention.at, mention.module});
  first.text += second.text;
  return first;
}

void name_files(std::string& text, FileMentions& mentions, const std::vector<std::string>& names) {
  for (auto mention = mentions.rbegin(); mention != mentions.rend(); ++mention)
    if (mention->at <= text.size() && mention->module < names.size()) text.insert(mention->at, names[mention->module]);
  mentions.clear();
}

}  // namespace varylink
