#include "verify/wire.h"

#include <chrono>
#include <cstring>
#include <type_traits>

namespace varylink::verify {
namespace {

using Bytes = std::vector<std::byte>;

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

void walk_values(Writer& archive, const spirv::SpecializationValues& values) {
  std::vector<std::pair<std::uint32_t, std::string>> list(values.begin(), values.end());
  archive.list(list, [&](const auto& each) {
    archive.plain(each.first);
    archive.text(each.second);
  });
}

void walk_values(Reader& archive, spirv::SpecializationValues& values) {
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

void walk_state(Writer& archive, const analysis::PipelineState& state) { archive.text(analysis::to_json(state)); }

void walk_state(Reader& archive, analysis::PipelineState& state) {
  std::string json;
  archive.text(json);
  if (Result<analysis::PipelineState> read = analysis::parse_pipeline_state(json, {})) state = std::move(*read);
}

template <typename Archive, typename Options>
void walk_options(Archive& archive, Options& options) {
  archive.plain(options.seed);
  archive.plain(options.runs);
  archive.plain(options.turn);
  archive.plain(options.width);
  archive.plain(options.height);
  archive.plain(options.level);
  walk_state(archive, options.state);
  archive.text(options.name);
  archive.text(options.png_folder);
  archive.plain(options.time_limit_s);
  archive.plain(options.always_probe);
}

template <typename Archive, typename Run>
void walk_run(Archive& archive, Run& run) {
  archive.text(run.strategy);
  archive.plain(run.verdict);
  archive.plain(run.informative);
  archive.plain(run.pixels);
  archive.plain(run.added_pixels);
  archive.plain(run.differing_pixels);
  archive.plain(run.beyond_tolerance);
  archive.plain(run.at_discontinuity);
  archive.plain(run.unstable_pixels);
  archive.plain(run.nan_pixels);
  archive.plain(run.largest_absolute);
  archive.plain(run.largest_relative);
  walk_strings(archive, run.differing_buffers);
  walk_strings(archive, run.nondeterministic);
  archive.plain(run.affine);
}

template <typename Archive, typename Value>
void walk_request(Archive& archive, Value& request) {
  walk_stages(archive, request.original);
  walk_stages(archive, request.linked);
  walk_options(archive, request.options);
}

template <typename Archive, typename Value>
void walk_comparison(Archive& archive, Value& comparison) {
  archive.plain(comparison.verdict);
  archive.text(comparison.reason);
  archive.list(comparison.runs, [&](auto& run) { walk_run(archive, run); });
  walk_strings(archive, comparison.pictures);
  walk_strings(archive, comparison.validation_messages);
}

}  // namespace

Bytes encode(const Request& request) {
  Writer writer;
  walk_request(writer, request);
  return std::move(writer.bytes);
}

Bytes encode(const Comparison& comparison) {
  Writer writer;
  walk_comparison(writer, comparison);
  return std::move(writer.bytes);
}

std::optional<Request> decode_request(const Bytes& bytes) {
  Reader reader(bytes);
  Request request;
  walk_request(reader, request);
  return reader.complete() ? std::optional<Request>(std::move(request)) : std::nullopt;
}

std::optional<Comparison> decode_comparison(const Bytes& bytes) {
  Reader reader(bytes);
  Comparison comparison;
  walk_comparison(reader, comparison);
  return reader.complete() ? std::optional<Comparison>(std::move(comparison)) : std::nullopt;
}

bool send_message(platform::Channel& channel, const Bytes& bytes) {
  const std::uint64_t size = bytes.size();
  return channel.send(reinterpret_cast<const std::byte*>(&size), sizeof size) &&
         channel.send(bytes.data(), bytes.size());
}

Receipt receive_message(platform::Channel& channel, double seconds, Bytes& bytes) {
  using Clock = platform::Channel::Clock;
  std::optional<Clock::time_point> deadline;
  if (seconds >= 0)
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::uint64_t size = 0;
  const Receipt receipt = channel.receive(reinterpret_cast<std::byte*>(&size), sizeof size, deadline);
  if (receipt != Receipt::complete) return receipt;
  bytes.resize(size);
  return channel.receive(bytes.data(), bytes.size(), deadline);
}

}  // namespace varylink::verify
