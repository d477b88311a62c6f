// Many pieces of work at a time, with results that are taken one after the other.
#pragma once

#include <cstddef>
#include <functional>

namespace varylink::cli {

// Calls work(i) for every i below `count` on up to `jobs` threads (0: one per processor that this process may use), and
// take(i) once work(i) is done: on the calling thread, one at a time and in order, whatever the number of threads. Work
// runs ahead of take by a few items per thread only. After an exception of either nothing new is started, and the first
// one is thrown again when all threads have ended. An empty `take` takes nothing.
void run_in_order(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& take);

}  // namespace varylink::cli
