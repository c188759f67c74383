// Matrices and data sets of the caller's arrays, and LIBSVM files.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <variant>

#include "binding.hpp"

namespace geodescent::python {
namespace {

/// Shared with C++; nanobind does not bind abstract classes that are const.
struct Matrix {
  std::shared_ptr<const RowMatrix> rows;
};

/// Keeps the array alive. The last reference may be given up without the GIL, which ndarray then
/// takes.
template <class Array>
std::shared_ptr<const void> owner_of(const Array& array) {
  return std::make_shared<const Array>(array);
}

template <class T>
using Dense = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Flat = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
Matrix dense(const Dense<T>& array) {
  if (array.size() > 0 && (array.stride(0) <= 0 || array.stride(1) <= 0))
    throw std::invalid_argument("the strides of a dense matrix must be positive");
  const bool empty = array.size() == 0;
  const auto stride = [&](std::size_t axis) { return empty ? 1 : static_cast<std::size_t>(array.stride(axis)); };
  auto owner = owner_of(array);
  const nb::gil_scoped_release release;
  return {dense_view(array.data(), array.shape(0), array.shape(1), stride(0), stride(1), std::move(owner))};
}

template <class Value, class Index>
Matrix csr(std::size_t rows, std::size_t columns, const Flat<Index>& offsets, const Flat<Index>& indices,
           const Flat<Value>& values) {
  const auto fits = [&] {
    if (offsets.size() != rows + 1) return false;
    const auto entries = offsets.data()[rows];
    return entries >= 0 && static_cast<std::size_t>(entries) <= std::min(indices.size(), values.size());
  };
  if (!fits()) throw std::invalid_argument("the arrays of the sparse matrix do not fit each other");
  using Owners = std::tuple<Flat<Index>, Flat<Index>, Flat<Value>>;
  auto owner = owner_of(Owners(offsets, indices, values));
  const nb::gil_scoped_release release;
  return {csr_view(rows, columns, offsets.data(), indices.data(), values.data(), std::move(owner))};
}

template <class Value, class Index>
void bind_csr(nb::class_<Matrix>& matrix) {
  matrix.def_static("csr", &csr<Value, Index>, nb::arg("rows"), nb::arg("columns"), nb::arg("indptr").noconvert(),
                    nb::arg("indices").noconvert(), nb::arg("data").noconvert());
}

std::vector<ClassWeight> class_weights_of(const std::vector<std::pair<double, double>>& pairs) {
  std::vector<ClassWeight> result;
  for (const auto& [label, weight] : pairs) result.push_back({label, weight});
  return combined(result);
}

Dataset make_dataset(const Matrix& matrix, const Numbers& targets, const std::optional<Numbers>& weights,
                     const std::vector<std::pair<double, double>>& class_weights) {
  Dataset data = dataset(matrix.rows, vector_of(targets), weights ? vector_of(*weights) : Vector());
  data.name = "the data";
  data.nonzeros = matrix.rows->nonzeros();
  data.class_weights = class_weights_of(class_weights);
  return data;
}

// LIBSVM files -----------------------------------------------------------------------------------

IndexBase index_base(const std::string& name) {
  if (name == "auto") return IndexBase::automatic;
  if (name == "zero") return IndexBase::zero;
  if (name == "one") return IndexBase::one;
  throw std::invalid_argument("the index base is 'auto', 'zero' or 'one'");
}

/// (rows, columns, indptr, indices, values, targets, zero_based); values may be one number for all
/// entries.
nb::tuple read(const std::string& path, const std::string& base, std::optional<std::size_t> features) {
  std::shared_ptr<LibsvmData> data;
  {
    const nb::gil_scoped_release release;
    data = std::make_shared<LibsvmData>(read_libsvm(path, {.index_base = index_base(base), .features = features}));
  }
  const SparseArrays& arrays = data->rows.arrays();
  const auto whole = [&](const auto& array) { return array_of(array.data(), array.size(), data); };
  const nb::object indices = std::visit(whole, arrays.indices);
  const nb::object values = std::visit(
      [&](const auto& of) {
        if constexpr (std::is_same_v<std::decay_t<decltype(of)>, double>)
          return nb::object(nb::float_(of));
        else
          return whole(of);
      },
      arrays.values);
  return nb::make_tuple(data->rows.rows(), data->rows.columns(), whole(arrays.offsets), indices, values,
                        array_of(std::move(data->targets)), data->zero_based);
}

}  // namespace

void bind_data(nb::module_& m) {
  nb::class_<Matrix> matrix(m, "Matrix");
  matrix.def_static("dense", &dense<double>, nb::arg("array").noconvert())
      .def_static("dense", &dense<float>, nb::arg("array").noconvert())
      .def_prop_ro("rows", [](const Matrix& a) { return a.rows->rows(); })
      .def_prop_ro("columns", [](const Matrix& a) { return a.rows->columns(); });
  bind_csr<double, std::int32_t>(matrix);
  bind_csr<double, std::int64_t>(matrix);
  bind_csr<float, std::int32_t>(matrix);
  bind_csr<float, std::int64_t>(matrix);

  nb::class_<Dataset>(m, "Dataset")
      .def(
          "__init__",
          [](Dataset* self, const Matrix& rows, const Numbers& targets, const std::optional<Numbers>& weights,
             const std::vector<std::pair<double, double>>& class_weights) {
            new (self) Dataset(make_dataset(rows, targets, weights, class_weights));
          },
          nb::arg("matrix"), nb::arg("targets"), nb::arg("weights") = nb::none(),
          nb::arg("class_weights") = std::vector<std::pair<double, double>>())
      .def_prop_ro("rows", [](const Dataset& data) { return data.targets.size(); })
      .def_prop_ro("total_weight", &total_weight)
      .def("fingerprint", &fingerprint, nb::call_guard<nb::gil_scoped_release>());

  m.def("read_libsvm", &read, nb::arg("path"), nb::arg("index_base"), nb::arg("features").none());
}

}  // namespace geodescent::python
