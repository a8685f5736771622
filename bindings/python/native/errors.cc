// whereof::Error as the class of whereof._errors that its kind belongs to.
#include <nanobind/nanobind.h>

#include <exception>
#include <string>

#include "parts.h"
#include "whereof/error.h"

namespace nb = nanobind;

namespace whereof::python {
namespace {

void raise(const Error& error) {
  const nb::object exception =
      nb::module_::import_("whereof._errors")
          .attr("error_of")(nb::str(std::string(name_of(error.kind())).c_str()),
                            nb::str(error.what()));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

}  // namespace

void add_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      try {
        raise(error);
      } catch (nb::python_error& python_error) {
        python_error.restore();
      }
    }
  });
}

}  // namespace whereof::python
