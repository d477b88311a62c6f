#include "verify/wire.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
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

using Clock = std::chrono::steady_clock;

// Reads exactly `size` bytes before `deadline` (none: waits for ever).
Receipt receive_exactly(int file, std::byte* to, std::size_t size, const std::optional<Clock::time_point>& deadline) {
  while (size > 0) {
    int wait_ms = -1;
    if (deadline) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      if (left <= 0) return Receipt::timed_out;
      wait_ms = static_cast<int>(left);
    }
    pollfd waiting{file, POLLIN, 0};
    const int ready = poll(&waiting, 1, wait_ms);
    if (ready == 0) return Receipt::timed_out;
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t got = ready < 0 ? -1 : recv(file, to, size, 0);
    if (got <= 0) return Receipt::closed;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return Receipt::complete;
}

bool send_exactly(int file, const std::byte* from, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(file, from, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    from += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
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

bool send_message(int file, const Bytes& bytes) {
  const std::uint64_t size = bytes.size();
  return send_exactly(file, reinterpret_cast<const std::byte*>(&size), sizeof size) &&
         send_exactly(file, bytes.data(), bytes.size());
}

Receipt receive_message(int file, double seconds, Bytes& bytes) {
  std::optional<Clock::time_point> deadline;
  if (seconds >= 0)
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::uint64_t size = 0;
  const Receipt receipt = receive_exactly(file, reinterpret_cast<std::byte*>(&size), sizeof size, deadline);
  if (receipt != Receipt::complete) return receipt;
  bytes.resize(size);
  return receive_exactly(file, bytes.data(), bytes.size(), deadline);
}

}  // namespace varylink::verify
