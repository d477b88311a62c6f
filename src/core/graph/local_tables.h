// Local arrays that are filled in one way and read at an index: the values that such a lookup may give.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/module.h"
#include "spirv/ir/uses.h"

namespace varylink::graph {

// A value, from one of its components on; those of matrices count through all columns.
struct TableElement {
  spirv::Id value = 0;
  std::uint32_t first_component = 0;
  friend bool operator==(const TableElement&, const TableElement&) = default;
};

// A load of an element, or of a part of one.
struct TableLookup {
  spirv::Id index = 0;
  std::vector<TableElement> elements;  // by index
};

// The tables of one function: local vectors, and arrays of scalars, vectors or matrices, whose elements hold one value
// each from their only stores on, and all of which are stored in front of the load; where a store comes later, or
// lacks, there is no table. A snapshot.
class LocalTables {
 public:
  // `function` is one of the module, and both outlive this object.
  LocalTables(const spirv::Module& module, const spirv::Function& function);

  // The load reads an element of some local array, so that asking for its table is worth the work.
  static bool may_be_lookup(const spirv::Module& module, spirv::InstRef load);

  std::optional<TableLookup> lookup(spirv::InstRef load) const;

 private:
  struct Store {
    spirv::InstRef inst;
    std::optional<std::uint32_t> element;  // none: all of them
  };
  struct Table {
    std::vector<TableElement> elements;
    spirv::Id element_type = 0;
    std::vector<Store> stores;
    bool is_constant = false;  // filled whole, with one constant, wherever that is
  };
  std::optional<Table> read(const spirv::Uses& uses, spirv::InstRef variable) const;
  bool add_store(Table& table, spirv::Id value, std::optional<std::uint32_t> element) const;
  bool precedes(spirv::InstRef store, spirv::InstRef load) const;

  const spirv::Module& module_;
  spirv::Cfg cfg_;
  std::vector<spirv::Place> places_;
  std::map<spirv::Id, Table> tables_;  // by variable
};

}  // namespace varylink::graph
