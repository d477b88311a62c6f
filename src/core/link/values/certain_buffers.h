// Uniform buffers that the stages behind an interface read on every path. Code moved into such a stage may read them as
// far at any place, also where the stage in front of it reads them behind a condition (rule ).
#pragma once

#include <optional>
#include <vector>

#include "graph/resource.h"
#include "link/model/linked_stage.h"
#include "spirv/ir/memory_reads.h"

namespace varylink::link {

// Of the code that is there now; what it read before facts removed that is in LinkedStage::certain_as_it_came.
BufferEnds certain_ends(const LinkedStage& stage,
                        spirv::DereferenceableRanges::Until until = spirv::DereferenceableRanges::Until::end);

// Looks at the stages when it is first asked: they must outlive this object, and stay as they are until then.
class CertainBuffers {
 public:
  explicit CertainBuffers(const std::vector<LinkedStage*>& consumers) : consumers_(consumers) {}

  // All of the stages read the buffer on every path, up to the end of this scalar at least.
  bool have(varyings::ScalarType type, const graph::ResourceKey& key) const;

 private:
  BufferEnds common_ends() const;

  const std::vector<LinkedStage*>& consumers_;
  mutable std::optional<BufferEnds> ends_;
};

}  // namespace varylink::link
