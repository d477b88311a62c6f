// Scalars of uniform buffers and push constants, named so that two stages mean the same bytes by the same name
// (rule: set, binding, element of an array of buffers, and offset count; names do not). A stage has the scalar
// if it declares one of that type at that offset, of an element that its own array has. A scalar may be one of those
// that the elements of an array have at one place, chosen by an index that is computed: such a key goes with the value
// of the index.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "spirv/ir/memory_reads.h"
#include "spirv/ir/module.h"
#include "varyings/reflect/slot.h"

namespace varylink::graph {

struct ResourceKey {
  spv::StorageClass storage = spv::StorageClass::Uniform;  // Uniform or PushConstant
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  std::uint32_t element = 0;  // of an array of buffers
  bool arrayed = false;       // the binding is an array of buffers
  std::uint32_t offset = 0;   // bytes from the start of the buffer; in the first element if an index chooses
  std::uint32_t stride = 0;   // bytes between the elements that the index chooses from
  std::uint32_t count = 0;    // of these; 0: no index

  bool operator==(const ResourceKey&) const = default;
  bool is_indexed() const { return count != 0; }
  // The first byte of the scalar in the last element that the index chooses from, at most the largest number.
  std::uint32_t last_offset() const;

  std::vector<std::uint32_t> words() const {
    return {static_cast<std::uint32_t>(storage), set, binding, element, arrayed ? 1u : 0u, offset, stride, count};
  }
  static ResourceKey from(const std::vector<std::uint32_t>& words) {
    return {static_cast<spv::StorageClass>(words[0]),
            words[1],
            words[2],
            words[3],
            words[4] != 0,
            words[5],
            words[6],
            words[7]};
  }
};

// Where a module finds a resource scalar: indices from `variable` down to a scalar or vector of type `type`, and the
// component of the vector.
struct ResourcePlace {
  spirv::Id variable = 0;
  std::vector<std::uint32_t> indices;
  std::optional<std::size_t> computed;  // which of the indices is not that number, but the index that the key goes with
  spirv::Id type = 0;
  std::uint32_t component = 0;
};

// The scalars that a load reads (components of a vector; columns first for a matrix), and the index that all of their
// keys share, 0 if there is none.
struct ResourceLoad {
  std::vector<ResourceKey> keys;
  spirv::Id index = 0;
};

// The uniform buffers and push constants of one module. A snapshot.
class Resources {
 public:
  // `used`: variables that count as used by code, though they are not yet.
  explicit Resources(const spirv::Module& module, std::span<const spirv::Id> used = {});

  // Code of the module reads some buffer at the place of this key.
  bool uses_buffer_of(const ResourceKey& key) const;

  // None if the load is not one of a uniform buffer or push constant (rule ), is volatile, or its layout is not
  // known. Indices are constant, but for one at most, of an array in the buffer.
  std::optional<ResourceLoad> read_by(spirv::InstRef load) const;

  // The place of a scalar of type `scalar` here; none if no variable that code of the module uses holds it.
  std::optional<ResourcePlace> find(const ResourceKey& key, varyings::ScalarType scalar) const;

 private:
  struct Buffer {
    spirv::Id variable = 0;
    spirv::Id block = 0;         // structure type
    ResourceKey key;             // offset 0
    std::uint32_t elements = 0;  // of the binding, if that is an array; 0: not a plain constant
    bool used = false;
  };
  using Cursor = spirv::BlockLayout::Cursor;
  static bool is_buffer_of(const Buffer& buffer, const ResourceKey& key);
  std::optional<ResourceLoad> read_below(const Buffer& buffer, std::span<const spirv::Id> indices) const;
  std::optional<std::int64_t> choose(spirv::Id array, spirv::Id index, ResourceKey& key, ResourceLoad& load) const;
  // A member of a structure that starts at offset 0.
  struct Member {
    Cursor cursor;
    std::uint32_t index = 0;
    std::uint64_t end = 0;  // first byte behind it; all ones where the extent is not known
  };
  const std::vector<Member>& members_of(spirv::Id structure) const;
  bool find_below(const Cursor& cursor, const ResourceKey& key, varyings::ScalarType scalar,
                  ResourcePlace& place) const;
  bool find_in_struct(const Cursor& cursor, const ResourceKey& key, varyings::ScalarType scalar,
                      ResourcePlace& place) const;
  bool find_in_array(const Cursor& cursor, const ResourceKey& key, varyings::ScalarType scalar,
                     ResourcePlace& place) const;

  const spirv::Module& module_;
  spirv::MemoryReads reads_;
  std::vector<Buffer> buffers_;
  mutable std::map<spirv::Id, std::vector<Member>> members_;  // of the structures that find() has been in
};

}  // namespace varylink::graph
