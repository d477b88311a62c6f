#include "meter/meter.h"

#include <utility>

#include "verify/driver_process.h"

namespace varylink::measure {
namespace {

using verify::Bytes;

constexpr const char* kRole = "--measure-for-parent";

struct Request {
  std::vector<link::StageInput> original, linked;
  state::PipelineState state;
};

const auto kWalkRequest = [](auto& archive, auto& request) {
  walk_stages(archive, request.original);
  walk_stages(archive, request.linked);
  walk_state(archive, request.state);
};

const auto kWalkMeasurement = [](auto& archive, auto& measurement) {
  archive.text(measurement.failure);
  archive.plain(measurement.only_linked_fails);
  const auto executables = [&](auto& list) {
    archive.list(list, [&](auto& executable) {
      archive.text(executable.name);
      archive.list(executable.stages, [&](auto& stage) { archive.plain(stage); });
      archive.list(executable.statistics, [&](auto& statistic) {
        archive.text(statistic.name);
        archive.plain(statistic.value);
      });
    });
  };
  executables(measurement.before);
  executables(measurement.after);
};

}  // namespace

struct Meter::Child : verify::DriverProcess {
  Child() : DriverProcess(kRole) {}
};

bool Meter::serve_parent(int count, char** values) {
  std::unique_ptr<verify::Gpu> gpu;
  const auto open = [&]() -> Result<std::string> {
    Result<std::unique_ptr<verify::Gpu>> opened = open_compiler();
    if (!opened) return opened.error();
    gpu = std::move(*opened);
    return gpu->description;
  };
  const auto answer = [&](const Bytes& bytes) -> std::optional<Bytes> {
    const std::optional<Request> request = verify::decode_by<Request>(bytes, kWalkRequest);
    if (!request) return std::nullopt;
    return verify::encode_by(compile_both(*gpu, request->original, request->linked, request->state), kWalkMeasurement);
  };
  return verify::serve_parent(kRole, count, values, {open, answer});
}

Meter::Meter(std::unique_ptr<Child> child) : child_(std::move(child)) {}
Meter::Meter(Meter&&) noexcept = default;
Meter& Meter::operator=(Meter&&) noexcept = default;
Meter::~Meter() = default;
const std::string& Meter::description() const { return child_->description(); }

Result<Meter> Meter::start() {
  auto child = std::make_unique<Child>();
  if (const Result<void> started = child->start(); !started) return started.error();
  return Meter(std::move(child));
}

Measurement Meter::measure(const std::vector<link::StageInput>& original, const std::vector<link::StageInput>& linked,
                           const state::PipelineState& state, double seconds) {
  const auto ask = [&](const std::vector<link::StageInput>& after) {
    return child_->ask(verify::encode_by(Request{original, after, state}, kWalkRequest), seconds, "machine code");
  };
  const Result<Bytes> bytes = ask(linked);
  std::optional<Measurement> answer;
  if (bytes) answer = verify::decode_by<Measurement>(*bytes, kWalkMeasurement);
  if (answer) return std::move(*answer);
  Measurement none;
  none.failure = bytes ? "the measuring process gave no answer that can be read" : bytes.error().message;
  none.only_linked_fails = !bytes && ask(original);
  return none;
}

}  // namespace varylink::measure
