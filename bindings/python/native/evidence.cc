#include "whereof/evidence.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <vector>

#include "parts.h"

namespace nb = nanobind;

namespace whereof::python {
namespace {

template <typename Scalar>
using Numpy = nb::ndarray<nb::numpy, Scalar>;

// A view of a vector that lives as long as the evidence it belongs to.
template <typename Scalar>
Numpy<Scalar> view_of(nb::handle owner, std::vector<Scalar>& data,
                      std::initializer_list<std::int64_t> shape) {
  const std::vector<std::size_t> extents(shape.begin(), shape.end());
  return Numpy<Scalar>(data.data(), extents.size(), extents.data(), owner);
}

template <std::vector<float> Evidence::*kMember>
Numpy<float> by_group(nb::handle_t<Evidence> self) {
  auto& evidence = nb::cast<Evidence&>(self);
  return view_of(self, evidence.*kMember, {evidence.batch, evidence.query_heads, evidence.groups});
}

// One field of the entries of Evidence::top.
template <typename Scalar>
Numpy<Scalar> top_field(nb::handle_t<Evidence> self, Scalar TopKey::*member) {
  auto& evidence = nb::cast<Evidence&>(self);
  const std::size_t shape[] = {
      static_cast<std::size_t>(evidence.batch), static_cast<std::size_t>(evidence.query_heads),
      static_cast<std::size_t>(evidence.groups), static_cast<std::size_t>(evidence.top_keys)};
  constexpr std::int64_t kStep = sizeof(TopKey) / sizeof(Scalar);
  const std::int64_t strides[] = {
      kStep * evidence.query_heads * evidence.groups * evidence.top_keys,
      kStep * evidence.groups * evidence.top_keys, kStep * evidence.top_keys, kStep};
  Scalar* data = evidence.top.empty() ? nullptr : &(evidence.top.front().*member);
  return Numpy<Scalar>(data, 4, shape, self, strides);
}

}  // namespace

void add_evidence(nb::module_& module) {
  using Self = nb::handle_t<Evidence>;
  nb::class_<Evidence>(module, "Evidence")
      .def_prop_ro("row_count",
                   [](Self self) {
                     auto& evidence = nb::cast<Evidence&>(self);
                     return view_of(self, evidence.row_count, {evidence.batch, evidence.groups});
                   })
      .def_prop_ro("log_sum_exp", &by_group<&Evidence::log_sum_exp>)
      .def_prop_ro("max_weight", &by_group<&Evidence::max_weight>)
      .def_prop_ro("entropy", &by_group<&Evidence::entropy>)
      .def_prop_ro("sink_mass", &by_group<&Evidence::sink_mass>)
      .def_prop_ro("unassigned_mass", &by_group<&Evidence::unassigned_mass>)
      .def_prop_ro("span_mass",
                   [](Self self) {
                     auto& evidence = nb::cast<Evidence&>(self);
                     return view_of(self, evidence.span_mass,
                                    {evidence.batch, evidence.query_heads, evidence.groups,
                                     evidence.key_spans});
                   })
      .def_prop_ro("column_mass",
                   [](Self self) {
                     auto& evidence = nb::cast<Evidence&>(self);
                     return view_of(self, evidence.column_mass,
                                    {evidence.batch, evidence.query_heads, evidence.key_spans});
                   })
      .def_prop_ro("has_column_mass",
                   [](const Evidence& evidence) { return !evidence.column_mass.empty(); })
      .def_prop_ro("top_key", [](Self self) { return top_field(self, &TopKey::key); })
      .def_prop_ro("top_weight", [](Self self) { return top_field(self, &TopKey::weight); });
}

}  // namespace whereof::python
