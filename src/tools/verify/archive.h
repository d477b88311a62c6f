// Values as bytes and back. Both ends are the same build, so there is no version and no byte order to care about.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "link/model/pipeline.h"
#include "platform/child_process.h"

namespace varylink::verify {

using platform::Bytes;

// One list of members serves both directions: Writer appends them, Reader takes them back in the same order.
class Writer {
 public:
  template <typename T>
  void plain(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
  }
  void text(const std::string& value) {
    plain(value.size());
    const auto* first = reinterpret_cast<const std::byte*>(value.data());
    bytes.insert(bytes.end(), first, first + value.size());
  }
  template <typename T, typename Each>
  void list(const std::vector<T>& values, Each each) {
    plain(values.size());
    for (const T& value : values) each(value);
  }
  Bytes bytes;
};

class Reader {
 public:
  explicit Reader(const Bytes& bytes) : bytes_(bytes) {}

  template <typename T>
  void plain(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!has(sizeof value)) return;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
  }
  void text(std::string& value) {
    std::size_t size = 0;
    plain(size);
    if (!has(size)) return;
    value.assign(reinterpret_cast<const char*>(bytes_.data() + at_), size);
    at_ += size;
  }
  template <typename T, typename Each>
  void list(std::vector<T>& values, Each each) {
    std::size_t size = 0;
    plain(size);
    if (!has(size)) return;  // every element takes at least one byte
    values.resize(size);
    for (T& value : values) each(value);
  }
  bool complete() const { return ok_ && at_ == bytes_.size(); }

 private:
  bool has(std::size_t size) { return ok_ = ok_ && size <= bytes_.size() - at_; }
  const Bytes& bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

template <typename Archive, typename Strings>
void walk_strings(Archive& archive, Strings& strings) {
  archive.list(strings, [&](auto& text) { archive.text(text); });
}

inline void walk_values(Writer& archive, const spirv::SpecializationValues& values) {
  std::vector<std::pair<std::uint32_t, std::string>> list(values.begin(), values.end());
  archive.list(list, [&](const auto& each) {
    archive.plain(each.first);
    archive.text(each.second);
  });
}

inline void walk_values(Reader& archive, spirv::SpecializationValues& values) {
  std::vector<std::pair<std::uint32_t, std::string>> list;
  archive.list(list, [&](auto& each) {
    archive.plain(each.first);
    archive.text(each.second);
  });
  values.insert(list.begin(), list.end());
}

template <typename Archive, typename Stages>
void walk_stages(Archive& archive, Stages& stages) {
  archive.list(stages, [&](auto& stage) {
    archive.plain(stage.stage);
    archive.text(stage.file);
    archive.text(stage.entry_point);
    archive.list(stage.words, [&](auto& word) { archive.plain(word); });
    archive.list(stage.unspecialized, [&](auto& word) { archive.plain(word); });
    walk_values(archive, stage.specialization);
  });
}

inline void walk_state(Writer& archive, const state::PipelineState& state) { archive.text(state::to_json(state)); }

inline void walk_state(Reader& archive, state::PipelineState& state) {
  std::string json;
  archive.text(json);
  if (Result<state::PipelineState> read = state::parse_pipeline_state(json, {})) state = std::move(*read);
}

// The bytes of a value that `walk(archive, value)` goes through.
template <typename T, typename Walk>
Bytes encode_by(const T& value, Walk walk) {
  Writer writer;
  walk(writer, value);
  return std::move(writer.bytes);
}

// None if the bytes are not what encode_by makes.
template <typename T, typename Walk>
std::optional<T> decode_by(const Bytes& bytes, Walk walk) {
  Reader reader(bytes);
  T value;
  walk(reader, value);
  return reader.complete() ? std::optional<T>(std::move(value)) : std::nullopt;
}

}  // namespace varylink::verify
