// The parts of the module, each in a file of its name.
#ifndef WHEREOF_BINDINGS_PYTHON_NATIVE_PARTS_H_
#define WHEREOF_BINDINGS_PYTHON_NATIVE_PARTS_H_

#include <nanobind/nanobind.h>

namespace whereof::python {

void add_errors(nanobind::module_& module);
void add_answering(nanobind::module_& module);  // where the product is built
void add_attention(nanobind::module_& module);
void add_evidence(nanobind::module_& module);
void add_scoring(nanobind::module_& module);
void add_rotary(nanobind::module_& module);

}  // namespace whereof::python

#endif  // WHEREOF_BINDINGS_PYTHON_NATIVE_PARTS_H_
