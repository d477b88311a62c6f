// The next stage reads only the components that it needs of built-ins that stay for the rasterizer and the tessellator,
// constants and duplicates included (rule ).
#include "varyings/scalarize/built_in_read_proxies.h"

#include <algorithm>
#include <set>
#include <utility>

#include "link/scalarize/proxies.h"
#include "link/scalarize/proxy_steps.h"
#include "spirv/ir/globals.h"

namespace varylink::link {
namespace {

using link::Link;
using link::LinkedStage;
using spirv::Module;
using varyings::Direction;
using varyings::Proxy;

// Built-ins that are written in front of the rasterizer or the tessellator, and may be read behind it.
std::set<spv::BuiltIn> kinds_of(const Link& link) {
  const LinkedStage& producer = *link.producers.front();
  switch (link.consumers.front()->stage) {
    case Stage::fragment:  // rule
      if (producer.stage == Stage::mesh || producer.module.has_capability(spv::Capability::GeometryStreams)) return {};
      return {spv::BuiltIn::ClipDistance, spv::BuiltIn::CullDistance, spv::BuiltIn::Layer, spv::BuiltIn::ViewportIndex,
              spv::BuiltIn::PrimitiveId};
    case Stage::tess_eval: return {spv::BuiltIn::TessLevelOuter, spv::BuiltIn::TessLevelInner};
    default: return {};
  }
}

// Number and type of the scalars of a built-in.
std::pair<std::uint32_t, std::optional<varyings::ScalarType>> numbers_of(const Module& module, spirv::Id type) {
  if (module.def_op(type) != spv::Op::OpTypeArray) return {1, varyings::scalar_type_of(module, type)};
  return {varyings::array_length(module, type).value_or(0),
          varyings::scalar_type_of(module, spirv::element_type(module, type))};
}

}  // namespace

void add_built_in_read_proxies(Link& link) {
  if (!link.closed || link.is_shared() || link.consumers.empty()) return;
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  const std::set<spv::BuiltIn> kinds = kinds_of(link);
  const auto read = varyings::uses_for_read_proxies(consumer.module, consumer.entry, Direction::input, kinds);
  if (read.empty()) return;
  const auto written = varyings::uses_for_read_proxies(producer.module, producer.entry, Direction::output, kinds);
  std::uint32_t location = first_free_location(link);
  for (const auto& [kind, reads] : read) {
    const auto stores = written.find(kind);
    if (stores == written.end()) continue;
    const spirv::Id type = stores->second.declared.front().type;
    const auto [count, scalar] = numbers_of(producer.module, type);
    if (count == 0 || !scalar || numbers_of(consumer.module, reads.declared.front().type) != std::pair(count, scalar))
      continue;
    Proxy proxy =
        varyings::proxy_of_built_in(Proxy::Stands::for_reads_of_built_in, kind, producer.module, type, location, count);
    location += proxy.location_count();
    varyings::add_read_proxy(producer.module, producer.entry, Direction::output, stores->second, proxy);
    varyings::add_read_proxy(consumer.module, consumer.entry, Direction::input, reads, proxy);
    add_proxy(link, std::move(proxy), *scalar);
  }
}

void remove_built_in_read_proxies(Link& link) {
  constexpr auto kStands = Proxy::Stands::for_reads_of_built_in;
  if (!link.has_proxies(kStands)) return;
  const std::vector<Proxy> proxies = take_read_proxies(link, kStands, " is not read any more: ");
  LinkedStage& consumer = *link.consumers.front();
  varyings::read_built_ins(consumer.module, consumer.entry, proxies, consumer.inputs);
}

}  // namespace varylink::link
