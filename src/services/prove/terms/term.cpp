#include "prove/terms/term.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "prove/terms/fold_constants.h"
#include "prove/terms/mix.h"

namespace varylink::prove {
namespace {

constexpr std::size_t kChildrenPerStep = 8;

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

}  // namespace

bool is_float(Sort sort) { return sort == Sort::float16 || sort == Sort::float32 || sort == Sort::float64; }
bool is_int(Sort sort) { return sort >= Sort::int8 && sort <= Sort::int64; }

bool is_normal(Sort sort, double value) {
  if (!std::isfinite(value)) return false;
  const double size = std::fabs(value);
  switch (sort) {
    case Sort::float16: return size >= 0x1p-14 && size <= 65504;
    case Sort::float32: return size >= 0x1p-126 && size <= double{std::numeric_limits<float>::max()};
    default: return size >= 0x1p-1022;
  }
}

unsigned width_of(Sort sort) {
  switch (sort) {
    case Sort::boolean: return 1;
    case Sort::int8: return 8;
    case Sort::int16:
    case Sort::float16: return 16;
    case Sort::int32:
    case Sort::float32: return 32;
    case Sort::int64:
    case Sort::float64: return 64;
    default: return 0;
  }
}

Terms::Terms()
    : undefined_(name("undefined")),
      loop_(name("loop")),
      bits_(name("bits")),
      bits_of_all_(name("bits of all")),
      raced_(name("raced")),
      behind_emit_(name("behind emit")) {}
Terms::Terms(std::uint64_t budget) : Terms() { budget_ = budget; }

std::span<const Term> Terms::children(Term term) const {
  const Node& node = nodes_[term];
  return {children_.data() + node.first_child, node.child_count};
}

std::span<const std::uint64_t> Terms::literals(Term term) const {
  const Node& node = nodes_[term];
  return {literals_.data() + node.first_literal, node.literal_count};
}

Name Terms::name(const std::string& text) {
  const auto [found, added] = name_index_.emplace(text, static_cast<Name>(names_.size()));
  if (added) names_.push_back(text);
  return found->second;
}

bool Terms::is(Term term, const char* name) const {
  const Node& node = nodes_[term];
  return (node.kind == Kind::apply || node.kind == Kind::symbol) && names_[node.name] == name;
}

bool Terms::same(Term term, const Node& node, std::span<const Term> children,
                 std::span<const std::uint64_t> literals) const {
  const Node& other = nodes_[term];
  return other.kind == node.kind && other.sort == node.sort && other.name == node.name && other.bits == node.bits &&
         std::ranges::equal(this->children(term), children) && std::ranges::equal(this->literals(term), literals);
}

// The structure hash of sums, products and commuting applications adds up what their children contribute, so that it
// does not depend on the order in which terms were made.
Term Terms::intern(Node node, std::span<const Term> children, std::span<const std::uint64_t> literals) {
  steps_ += 1 + children.size() / kChildrenPerStep;
  std::uint64_t key = mix(
      mix(static_cast<std::uint64_t>(node.kind) * 16 + static_cast<std::uint64_t>(node.sort), node.bits), node.name);
  for (const Term child : children) key = mix(key, child + 1);
  for (const std::uint64_t literal : literals) key = mix(key, literal);
  const Term known = index_.find(key, [&](Term term) { return same(term, node, children, literals); });
  if (known != TermIndex::kNone) return known;

  const bool unordered = node.kind == Kind::sum || node.kind == Kind::product || node.commutes;
  std::uint64_t structure =
      mix(mix(static_cast<std::uint64_t>(node.kind) * 16 + static_cast<std::uint64_t>(node.sort), node.bits),
          hash_of(names_[node.name]));
  std::uint64_t added = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::uint64_t literal = unordered && i < literals.size() ? literals[i] : 0;
    if (unordered)
      added += mix(nodes_[children[i]].structure, literal);
    else
      structure = mix(structure, nodes_[children[i]].structure);
    node.loop_height = std::max(node.loop_height, nodes_[children[i]].loop_height);
    node.has_undefined = node.has_undefined || nodes_[children[i]].has_undefined;
  }
  if (node.kind == Kind::symbol && node.name == undefined_) node.has_undefined = true;
  if (node.kind == Kind::apply && (node.name == raced_ || node.name == behind_emit_)) node.has_undefined = true;
  if (node.kind == Kind::apply && node.name == loop_) ++node.loop_height;
  if (!unordered)
    for (const std::uint64_t literal : literals) structure = mix(structure, literal);
  node.structure = mix(structure, added);
  node.first_child = static_cast<std::uint32_t>(children_.size());
  node.child_count = static_cast<std::uint32_t>(children.size());
  node.first_literal = static_cast<std::uint32_t>(literals_.size());
  node.literal_count = static_cast<std::uint32_t>(literals.size());
  children_.insert(children_.end(), children.begin(), children.end());
  literals_.insert(literals_.end(), literals.begin(), literals.end());
  const Term term = static_cast<Term>(nodes_.size());
  nodes_.push_back(node);
  index_.add(key, term);
  return term;
}

Term Terms::constant(Sort sort, std::uint64_t bits) {
  Node node;
  node.kind = Kind::constant;
  node.sort = sort;
  node.convergent = true;
  const unsigned width = width_of(sort);
  node.bits = width == 0 || width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
  return intern(node, {}, {});
}

Term Terms::real(Sort sort, double value) {
  return constant(sort, constant_bits(sort, std::bit_cast<std::uint64_t>(value)));
}

Term Terms::symbol(Sort sort, const std::string& symbol_name, std::span<const std::uint64_t> literals,
                   bool convergent) {
  Node node;
  node.kind = Kind::symbol;
  node.sort = sort;
  node.name = name(symbol_name);
  node.convergent = convergent;
  return intern(node, {}, literals);
}

std::int64_t Terms::signed_value(Term constant_term) const {
  const Node& node = nodes_[constant_term];
  const unsigned shift = 64 - std::max(1u, width_of(node.sort));
  return static_cast<std::int64_t>(node.bits << shift) >> shift;
}

// An operation on these is the same for all that have them. What is computed of something undefined, each invocation
// may have otherwise.
bool Terms::agree(std::span<const Term> operands) const {
  return std::ranges::all_of(
      operands, [&](Term operand) { return nodes_[operand].convergent && !nodes_[operand].has_undefined; });
}

Term Terms::apply_varying(Sort sort, const std::string& operation, std::span<const Term> children,
                          std::span<const std::uint64_t> literals, bool convergent, bool across) {
  Node node;
  node.kind = Kind::apply;
  node.sort = sort;
  node.name = name(operation);
  node.convergent = convergent;
  node.across = across;
  return intern(node, children, literals);
}

Term Terms::apply_across(Sort sort, const std::string& operation, std::span<const Term> children,
                         std::span<const std::uint64_t> literals) {
  Node node;
  node.kind = Kind::apply;
  node.sort = sort;
  node.name = name(operation);
  node.across = true;
  node.convergent = std::ranges::all_of(children, [&](Term child) { return nodes_[child].convergent; });
  return intern(node, children, literals);
}

Term Terms::apply_elsewhere(const std::string& operation, Term value, Term chosen) {
  Node node;
  node.kind = Kind::apply;
  node.sort = nodes_[value].sort;
  node.name = name(operation);
  node.across = node.elsewhere = true;
  node.convergent = nodes_[chosen].convergent;
  const Term parts[] = {value, chosen};
  return intern(node, parts, {});
}

// What an application is if its operands say so: a cast of a cast is one cast, and constants give constants.
std::optional<Term> Terms::known_value(const Node& node, std::span<const Term> children,
                                       std::span<const std::uint64_t> literals) {
  if (node.name == bits_of_all_) return known_part(node, children, literals);
  if (node.name != bits_) return fold_constants(*this, names_[node.name], node.sort, children);
  const Term from = nodes_[children[0]].name == bits_ && nodes_[children[0]].kind == Kind::apply
                        ? this->children(children[0])[0]
                        : children[0];
  if (nodes_[from].sort == node.sort) return from;
  if (is_constant(from)) return constant(node.sort, nodes_[from].bits);
  if (from == children[0]) return std::nullopt;
  return apply(node.sort, "bits", {from});
}

// A scalar that was cast from others of this width is cast to these again.
std::optional<Term> Terms::known_part(const Node& node, std::span<const Term> whole,
                                      std::span<const std::uint64_t> position) {
  if (whole.size() != 1 || nodes_[whole[0]].kind != Kind::apply || nodes_[whole[0]].name != bits_of_all_)
    return std::nullopt;
  const std::span<const Term> parts = children(whole[0]);
  const unsigned width = width_of(node.sort);
  if (width_of(nodes_[parts[0]].sort) != width) return std::nullopt;
  const std::uint64_t first = this->literals(whole[0])[0] * (width_of(nodes_[whole[0]].sort) / width);
  return bits_as(node.sort, parts[first + position[0]]);
}

Term Terms::apply(Sort sort, const std::string& operation, std::span<const Term> children,
                  std::span<const std::uint64_t> literals, bool commutes) {
  Node node;
  node.kind = Kind::apply;
  node.sort = sort;
  node.name = name(operation);
  node.commutes = commutes;
  return over_choices(children, [&](std::span<const Term> parts) {
    if (const std::optional<Term> known = known_value(node, parts, literals)) return *known;
    node.convergent = agree(parts);
    std::vector<Term> sorted(parts.begin(), parts.end());
    if (commutes) std::ranges::sort(sorted);
    return intern(node, sorted, literals);
  });
}

Term Terms::apply(Sort sort, const std::string& operation, std::initializer_list<Term> children,
                  std::initializer_list<std::uint64_t> literals, bool commutes) {
  return apply(sort, operation, std::span<const Term>(children.begin(), children.size()),
               std::span<const std::uint64_t>(literals.begin(), literals.size()), commutes);
}

// The application is convergent if and only if its operands are.
bool Terms::by_operands(Term term) const { return nodes_[term].convergent == agree(children(term)); }

Term Terms::rebuild(Term term, std::span<const Term> children) {
  const Node node = nodes_[term];
  const std::vector<std::uint64_t> literals(this->literals(term).begin(), this->literals(term).end());
  switch (node.kind) {
    case Kind::constant:
    case Kind::symbol: return term;
    case Kind::choice: return choose(children[0], children[1], children[2]);
    case Kind::product: {
      Term result = kNoTerm;
      for (std::size_t i = 0; i < children.size(); ++i)
        for (std::uint64_t n = 0; n < literals[i]; ++n)
          result = result == kNoTerm ? children[i] : multiply(result, children[i]);
      return result;
    }
    case Kind::sum: {
      Term result = constant(node.sort, constant_bits(node.sort, node.bits));
      for (std::size_t i = 0; i < children.size(); ++i) result = add(result, scale(children[i], literals[i]));
      return result;
    }
    case Kind::apply: break;
  }
  if (node.elsewhere) return apply_elsewhere(names_[node.name], children[0], children[1]);
  if (lift_choices && !node.across && by_operands(term) && node.sort != Sort::memory && node.name != loop_)
    return apply(node.sort, names_[node.name], children, literals, node.commutes);
  if (const std::optional<Term> known = known_value(node, children, literals)) return *known;
  Node copy;
  copy.kind = Kind::apply;
  copy.sort = node.sort;
  copy.name = node.name;
  copy.commutes = node.commutes;
  copy.across = node.across;
  // What an operation does not share between invocations stays its own, whatever its operands are.
  copy.convergent = by_operands(term) ? agree(children) : node.convergent;
  std::vector<Term> sorted(children.begin(), children.end());
  if (copy.commutes) std::ranges::sort(sorted);
  return intern(copy, sorted, literals);
}

}  // namespace varylink::prove
