// How a value crosses an interface, and which operations may be computed on either side of it.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "graph/value.h"

namespace varylink::graph {

// How a value crosses the interface. Operations over values of different classes are computed by the consumer.
using ClassId = std::uint32_t;
inline constexpr ClassId kConvergentClass = 0;  // equal at all vertices of the primitive, so any way will do
inline constexpr ClassId kDirectClass = 1;      // as stored: flat, per patch, or one vertex of an array of vertices
inline constexpr ClassId kRawVertexClass = 2;   // one vertex of the primitive that a fragment shader draws
inline constexpr ClassId kFirstInterpolatedClass = 3;  // these and above: one interpolation each

// Number of a set of places in the producer's code that store a value (link/values/producer_values.h). Operations over
// values of different sets are computed by the consumer: nowhere in the producer all of them are there to be combined.
using StorePointSetId = std::uint32_t;
inline constexpr StorePointSetId kNoStorePoints = 0;  // constants and resources, which are not stored to be had

// A value as it crosses the interface. Values that are convergent are always of kConvergentClass.
struct InterfaceValue {
  ValueId value = kNoValue;
  ClassId interpolation_class = kConvergentClass;
  StorePointSetId store_points = kNoStorePoints;
  friend auto operator<=>(const InterfaceValue&, const InterfaceValue&) = default;
};

// Whether the operation gives the same, up to rounding, before and after crossing in this class. True for values that
// are not interpolated. Interpolation with barycentrics that sum to one commutes with operations that are affine in the
// interpolated operands (rule ): sums and differences, negation, products and quotients whose other operand is
// convergent, and selection by a convergent condition. Precise operations commute with no interpolation
// (rule ). `convergent` says which operands are.
bool commutes(const Value& operation, ClassId interpolation_class, const std::vector<bool>& convergent);

}  // namespace varylink::graph
