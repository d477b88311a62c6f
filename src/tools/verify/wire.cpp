#include "verify/wire.h"

namespace varylink::verify {
namespace {

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
  walk_strings(archive, comparison.not_drawn);
  walk_strings(archive, comparison.validation_messages);
}

}  // namespace

Bytes encode(const Request& request) {
  return encode_by(request, [](auto& archive, auto& value) { walk_request(archive, value); });
}

Bytes encode(const Comparison& comparison) {
  return encode_by(comparison, [](auto& archive, auto& value) { walk_comparison(archive, value); });
}

std::optional<Request> decode_request(const Bytes& bytes) {
  return decode_by<Request>(bytes, [](auto& archive, auto& value) { walk_request(archive, value); });
}

std::optional<Comparison> decode_comparison(const Bytes& bytes) {
  return decode_by<Comparison>(bytes, [](auto& archive, auto& value) { walk_comparison(archive, value); });
}

}  // namespace varylink::verify
