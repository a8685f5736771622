#include "whereof/rotary.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "arrays.h"
#include "parts.h"

namespace nb = nanobind;

namespace whereof::python {
namespace {

RotaryPairing pairing_named(const std::string& name) {
  if (name == "interleaved") return RotaryPairing::interleaved;
  if (name == "halves") return RotaryPairing::halves;
  refuse("pairing is \"" + name + "\"; wanted \"interleaved\" or \"halves\"");
}

}  // namespace

void add_rotary(nb::module_& module) {
  nb::class_<RotaryTable>(module, "RotaryTable")
      .def(
          "__init__",
          [](RotaryTable* self, std::int64_t rotary_dim, double theta, std::int64_t length,
             const std::string& pairing) {
            new (self) RotaryTable(rotary_dim, theta, length, pairing_named(pairing));
          },
          nb::arg("rotary_dim"), nb::arg("theta"), nb::arg("length"), nb::arg("pairing"))
      .def(
          "rotate",
          [](const RotaryTable& table, nb::handle rows, const std::vector<std::int64_t>& positions,
             const std::string& layout_name) {
            const Output to("rows", rows, layout_named(layout_name));
            if (static_cast<std::int64_t>(positions.size()) != to.view.shape[kLength]) {
              refuse("positions has " + std::to_string(positions.size()) + " entries; wanted " +
                     std::to_string(to.view.shape[kLength]) + ", as " + to.described());
            }
            table.rotate(to.view, positions);
          },
          nb::arg("rows"), nb::arg("positions"), nb::arg("layout"))
      .def_prop_ro("length", &RotaryTable::length)
      .def_prop_ro("rotary_dim", &RotaryTable::rotary_dim);
}

}  // namespace whereof::python
