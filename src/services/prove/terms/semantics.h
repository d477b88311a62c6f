// Which algebra a proof may use.
#pragma once

namespace varylink::prove {

// docs/proof.md: `exact`: interpolation keeps values that are equal at all vertices; `linear`: interpolation is linear
// within its class, too.
enum class Semantics { exact, linear };

}  // namespace varylink::prove
