#include "passes/value_cost.h"

#include <algorithm>

#include "analysis/operation_cost.h"

namespace varylink::passes {

double cost_of(const graph::Value& value) {
  analysis::Operation operation;
  operation.width = std::max(value.type.width, 32u);
  if (value.kind == graph::ValueKind::resource) {
    operation.op = spv::Op::OpLoad;
    operation.storage = spv::StorageClass::Uniform;
  } else if (value.kind == graph::ValueKind::operation) {
    operation.op = value.op;
    operation.glsl = value.glsl;
  }
  return analysis::cost_of(analysis::default_profile(), operation);
}

double uniform_cost_limit(Stage consumer) {
  switch (consumer) {
    case Stage::tess_control: return 1000;
    case Stage::fragment: return 24;
    default: return 14;
  }
}

}  // namespace varylink::passes
