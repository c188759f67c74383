// Shared by the files of the binding: conversion of arrays, and the parts of the module.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "geodescent/geodescent.hpp"

namespace geodescent::python {

namespace nb = nanobind;

/// Numbers of the caller, read only and without a copy.
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline std::span<const double> span_of(const Numbers& numbers) { return {numbers.data(), numbers.size()}; }
inline Vector vector_of(const Numbers& numbers) { return {numbers.data(), numbers.data() + numbers.size()}; }

/// An array that `owner` keeps alive, without a copy.
template <class T>
nb::object array_of(const T* data, std::size_t size, std::shared_ptr<const void> owner) {
  using Owner = std::shared_ptr<const void>;
  nb::capsule keep(new Owner(std::move(owner)), [](void* p) noexcept { delete static_cast<Owner*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(data, {size}, keep));
}

/// An array that owns the numbers.
template <class T>
nb::object array_of(std::vector<T> numbers) {
  using Kept = std::vector<T>;
  auto* const kept = new Kept(std::move(numbers));
  nb::capsule keep(kept, [](void* p) noexcept { delete static_cast<Kept*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, keep));
}

/// "none", "free", "regularized". Throws std::invalid_argument for others.
Bias bias_named(const std::string& name);

// The parts of the module.
void bind_data(nb::module_& m);
void bind_model(nb::module_& m);
void bind_train(nb::module_& m);
void bind_proof(nb::module_& m);
void bind_minimize(nb::module_& m);
void bind_threads(nb::module_& m);
void bind_ranks(nb::module_& m);

}  // namespace geodescent::python
