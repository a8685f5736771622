// whereof._native: the library as it is, for the package around it. What users call is Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "parts.h"
#include "whereof/instruction_set.h"

namespace nb = nanobind;

NB_MODULE(_native, module) {
  using namespace whereof;
  module.doc() = "The attention library of whereof, as the package calls it.";
  python::add_errors(module);
  python::add_evidence(module);
  python::add_attention(module);
  python::add_scoring(module);
  python::add_rotary(module);
#ifdef WHEREOF_HAS_PRODUCT
  python::add_answering(module);
  module.attr("HAS_PRODUCT") = true;
  module.attr("MISSING_LIBRARIES") = "";
#else
  module.attr("HAS_PRODUCT") = false;
  module.attr("MISSING_LIBRARIES") = WHEREOF_MISSING_LIBRARIES;  // empty: it was switched off
#endif
  module.def("instruction_sets", [] {
    std::vector<std::string> names;
    for (const InstructionSet set : runnable_instruction_sets()) names.emplace_back(name_of(set));
    return names;
  });
}
