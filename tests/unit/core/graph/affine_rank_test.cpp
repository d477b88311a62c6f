#include "graph/affine_rank.h"

#include <random>

#include "graph/affine_basis.h"
#include "support/catch.h"

namespace varylink::graph {
namespace {

using Form = AffineForm<double>;

constexpr ValueId kX = 1, kY = 2, kZ = 3, kU = 10, kV = 11;

std::vector<bool> depend(const std::vector<Form>& forms) {
  std::vector<const Form*> listed;
  for (const Form& form : forms) listed.push_back(&form);
  return may_depend(listed);
}

std::vector<bool> cancel(const std::vector<Form>& forms, const std::vector<Monomial>& factors) {
  std::vector<const Form*> listed;
  for (const Form& form : forms) listed.push_back(&form);
  return may_cancel(listed, factors);
}

TEST_CASE("what is in one multiple only cannot cancel", "[affine]") {
  const Monomial u = {kNoValue, {kU}};
  const Form x = {{{kX, {}}, 1.0}}, scaled = {{{kX, {kU}}, 2.0}}, twice = {{{kX, {kU, kU}}, 2.0}};
  const Form sum = {{{kX, {kV}}, 1.0}, {{kY, {kU}}, 1.0}}, rest = {{{kNoValue, {kV}}, 1.0}};
  CHECK(cancel({x, scaled}, {}) == std::vector<bool>{false, false});
  CHECK(cancel({x, scaled}, {u}) == std::vector<bool>{true, true});
  CHECK(cancel({x, twice}, {u}) == std::vector<bool>{false, false});
  CHECK(cancel({x, scaled, twice, sum}, {u}) == std::vector<bool>{true, true, true, false});
  CHECK(cancel({rest, x}, {u}) == std::vector<bool>{true, false});
}

TEST_CASE("forms of different atoms depend on nothing", "[affine]") {
  CHECK(depend({{{{kX, {}}, 1.0}}, {{{kY, {}}, 2.0}}}) == std::vector<bool>{false, false});
  CHECK(depend({{{{kX, {}}, 1.0}, {{kY, {}}, 1.0}}, {{{kX, {}}, 1.0}, {{kY, {}}, -1.0}}}) ==
        std::vector<bool>{false, false});
}

TEST_CASE("of forms that depend on each other, all may, and no others", "[affine]") {
  const Form x = {{{kX, {}}, 1.0}}, y = {{{kY, {}}, 1.0}}, z = {{{kZ, {}}, 1.0}};
  const Form sum = {{{kX, {}}, 3.0}, {{kZ, {}}, -0.5}, {{kNoValue, {}}, 7.0}};
  CHECK(depend({x, y, sum, z}) == std::vector<bool>{true, false, true, true});
}

TEST_CASE("what shares no atom with dependent forms does not hide them", "[affine]") {
  const Form x = {{{kX, {}}, 1.0}}, twice = {{{kX, {}}, 2.0}};
  const Form y = {{{kY, {}}, 1.0}, {{kU, {}}, 1.0}}, more = {{{kY, {}}, 1.0}, {{kV, {}}, 1.0}};
  CHECK(depend({y, x, more, twice}) == std::vector<bool>{false, true, false, true});
  // A coefficient that is a rounding is none: the atom of its own does not make the form independent.
  const Form rounded = {{{kX, {}}, 2.0}, {{kZ, {}}, 1e-9}};
  CHECK(depend({x, rounded}) == std::vector<bool>{true, true});
}

TEST_CASE("of more forms that hang together than an interface has, none is looked at", "[affine]") {
  const auto ring = [](std::size_t count) {  // each form has an atom in common with the next
    std::vector<Form> forms;
    for (std::size_t i = 0; i < count; ++i)
      forms.push_back({{{static_cast<ValueId>(i), {}}, 1.0}, {{static_cast<ValueId>((i + 1) % count), {}}, 1.0}});
    return depend(forms);
  };
  CHECK(ring(128) == std::vector<bool>(128, true));
  CHECK(ring(514) == std::vector<bool>(514, false));
}

TEST_CASE("what is multiplied by uniforms may depend on what is not", "[affine]") {
  const Form x = {{{kX, {}}, 1.0}}, scaled = {{{kX, {kU}}, 2.0}}, other = {{{kX, {kV}}, 1.0}, {{kY, {kU}}, 1.0}};
  CHECK(depend({x, scaled}) == std::vector<bool>{true, true});
  CHECK(depend({x, other}) == std::vector<bool>{false, false});
  // A matrix of uniforms, and twice its product.
  const Form row1 = {{{kX, {kU}}, 1.0}, {{kY, {kV}}, 1.0}}, row2 = {{{kX, {kV}}, 1.0}, {{kY, {kU}}, 1.0}};
  CHECK(depend({row1, row2}) == std::vector<bool>{false, false});
  CHECK(depend({row1, row2, x}) == std::vector<bool>{true, true, true});
}

TEST_CASE("forms without atoms may be computed from nothing", "[affine]") {
  CHECK(depend({{{{kNoValue, {kU}}, 1.0}}, {{{kX, {}}, 1.0}}}) == std::vector<bool>{true, false});
  CHECK(depend({{}}) == std::vector<bool>{true});
}

TEST_CASE("whatever the search finds a sum for may depend", "[affine]") {
  std::mt19937 random(7);
  std::size_t found = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Form> forms(2 + random() % 5);
    for (Form& form : forms)
      for (std::size_t term = 1 + random() % 3; term > 0; --term) {
        std::vector<ValueId> uniforms;
        if (random() % 3 == 0) uniforms.push_back(random() % 2 == 0 ? kU : kV);
        form[{static_cast<ValueId>(random() % 4), uniforms}] =
            static_cast<double>(static_cast<int>(random() % 4) + 1) / (random() % 2 == 0 ? 3 : -3);
      }
    std::vector<bool> may = depend(forms);
    const std::vector<bool> may_too = cancel(forms, {{kNoValue, {kU}}, {kNoValue, {kV}}});
    for (std::size_t i = 0; i < may.size(); ++i) may[i] = may[i] && may_too[i];
    AffineBasis<double> basis({{kNoValue, {kU}}, {kNoValue, {kV}}});
    std::vector<std::size_t> sent;
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const auto sum = basis.express(forms[i]);
      if (!sum) {
        basis.send(forms[i]);
        sent.push_back(i);
        continue;
      }
      ++found;
      CHECK(may[i]);
      for (const auto& term : sum->terms) CHECK(may[sent[term.row]]);
    }
  }
  CHECK(found > 100);
}

}  // namespace
}  // namespace varylink::graph
