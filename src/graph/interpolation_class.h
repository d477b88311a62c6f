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
using SiteSetId = std::uint32_t;
inline constexpr SiteSetId kNoSites = 0;  // constants and resources, which are not stored to be had

// A value as it crosses the interface. Values that are convergent are always of kConvergentClass.
struct CrossingValue {
  ValueId value = kNoValue;
  ClassId interpolation_class = kConvergentClass;
  SiteSetId sites = kNoSites;
  friend auto operator<=>(const CrossingValue&, const CrossingValue&) = default;
};

// Whether the operation gives the same, up to rounding, before and after crossing in this class. True for everything
// that is not interpolated. Interpolation with barycentrics that sum to one commutes with sums and differences, with
// negation, with products and quotients whose other operand is convergent, and with selection by a convergent
// condition: what is affine in the interpolated operands (rule ). What is precise commutes with nothing
// (rule ). `convergent` says which operands are.
bool commutes(const Value& operation, ClassId interpolation_class, const std::vector<bool>& convergent);

}  // namespace varylink::graph
