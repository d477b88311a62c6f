// Properties of a stage that linking relies on: steps and passes need, give and break them (prepare/steps.h,
// passes/pass.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace varylink::link {

enum class Property : std::uint8_t {
  volatile_explicit,  // accesses of volatile memory say so themselves
  no_initializers,    // outputs that one invocation owns get their first value by a store
  calls_inlined,      // calls that a varying goes through are written out, as far as they can be
  locals_in_ssa,      // local variables are values, as far as they could be when the last one came
  io_scalarized,      // varyings are scalars, as far as they can be
  no_leftovers,       // no pass has changed the code since it was cleaned up
  no_new_constants,   // and none has given it constants since it was folded
};

inline constexpr Property kAllProperties[] = {
    Property::volatile_explicit, Property::no_initializers, Property::calls_inlined,   Property::locals_in_ssa,
    Property::io_scalarized,     Property::no_leftovers,    Property::no_new_constants};

// "locals-in-ssa" and the like.
std::string_view name_of(Property property);

// A set of properties. Empty for a stage that stays as it came.
class Properties {
 public:
  constexpr Properties() = default;
  constexpr Properties(std::initializer_list<Property> properties) {
    for (const Property property : properties) bits_ |= bit(property);
  }

  constexpr bool has(Property property) const { return (bits_ & bit(property)) != 0; }
  constexpr bool has_all(Properties others) const { return (others.bits_ & ~bits_) == 0; }
  constexpr bool is_empty() const { return bits_ == 0; }
  constexpr void add(Properties others) { bits_ |= others.bits_; }
  constexpr void remove(Properties others) { bits_ &= ~others.bits_; }

 private:
  static constexpr std::uint32_t bit(Property property) { return 1u << static_cast<unsigned>(property); }
  std::uint32_t bits_ = 0;
};

}  // namespace varylink::link
