// How the work of a run is divided among the parts of --shard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace varylink::cli {

// The items of shard number `shard` (from 0) of `shards`, in rising order. Every item is in exactly one shard; which
// one follows from the costs alone, so that processes that know the same costs need not talk to each other. The most
// expensive item that is left goes to the shard with the least so far ("longest processing time first": the most
// expensive shard costs at most 4/3 of what the best division would have; Graham, Bounds on Multiprocessing Timing
// Anomalies, 1969).
std::vector<std::size_t> items_of_shard(std::span<const std::uint64_t> costs, std::size_t shard, std::size_t shards);

}  // namespace varylink::cli
