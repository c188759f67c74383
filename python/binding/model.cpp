// Models and certificates as Python objects. Both can be pickled.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "binding.hpp"

namespace geodescent::python {
namespace {

using RiskState = std::tuple<std::string, double, double, std::string, double>;

RiskState state_of(const Risk& risk) {
  return {risk.loss, risk.loss_parameter, risk.l2, std::string(to_string(risk.bias)), risk.constant};
}

Risk risk_of(const RiskState& state) {
  const auto& [loss, parameter, l2, bias, constant] = state;
  return {loss, parameter, l2, bias_named(bias), constant};
}

using Pairs = std::vector<std::pair<double, double>>;
using Classes = std::vector<std::pair<double, std::size_t>>;

Classes classes_of(const LinearModel& model) {
  Classes result;
  if (model.labels)
    result = {{model.labels->negative, model.labels->negatives}, {model.labels->positive, model.labels->positives}};
  for (const ClassRows& one : model.classes) result.emplace_back(one.label, one.rows);
  return result;
}

/// Labels of a model: two for a single column, one for each of several columns.
void set_classes(LinearModel& model, const Classes& classes, bool several) {
  model.labels.reset();
  model.classes.clear();
  if (several)
    for (const auto& [label, rows] : classes) model.classes.push_back({label, rows});
  else if (classes.size() == 2)
    model.labels = BinaryLabels{classes[0].first, classes[1].first, classes[0].second, classes[1].second};
  else if (!classes.empty())
    throw std::invalid_argument("a model has two labels for a single column, or one for each of several columns");
}

using ModelState = std::tuple<RiskState, Classes, bool, bool, Vector, Vector, bool,
                              std::tuple<std::string, std::string, double, double>>;

ModelState model_state(const LinearModel& m) {
  return {state_of(m.risk), classes_of(m),  !m.classes.empty(), m.positive_first,
          m.weights,        m.bias_weights, m.zero_based,       {m.method, m.status, m.value, m.lower_bound}};
}

LinearModel model_of(const ModelState& state) {
  LinearModel m;
  const auto& [risk, classes, several, positive_first, weights, bias_weights, zero_based, run] = state;
  m.risk = risk_of(risk);
  set_classes(m, classes, several);
  m.positive_first = positive_first;
  m.weights = weights;
  m.bias_weights = bias_weights;
  m.zero_based = zero_based;
  std::tie(m.method, m.status, m.value, m.lower_bound) = run;
  return m;
}

using DualState = std::pair<std::vector<std::int64_t>, int>;
using ClaimState = std::tuple<double, double, double, DualState>;
using CertificateState =
    std::tuple<RiskState, Pairs, std::string, std::tuple<std::size_t, double, std::size_t, std::size_t>, ClaimState,
               std::vector<ClaimState>>;

Pairs class_weights_of(const Certificate& c) {
  Pairs result;
  for (const ClassWeight& one : c.class_weights) result.emplace_back(one.label, one.weight);
  return result;
}

DualState dual_state(const DualPoint& dual) { return {dual.steps, dual.exponent}; }

CertificateState certificate_state(const Certificate& c) {
  std::vector<ClaimState> claims;
  for (const Claim& one : c.claims)
    claims.emplace_back(one.value, one.lower_bound, one.relative_gap, dual_state(one.dual));
  return {state_of(c.risk),
          class_weights_of(c),
          c.fingerprint,
          {c.rows, c.total_weight, c.features, c.classes},
          {c.value, c.lower_bound, c.relative_gap, dual_state(c.dual)},
          claims};
}

Certificate certificate_of(const CertificateState& state) {
  Certificate c;
  const auto& [risk, weights, fingerprint, sizes, claim, claims] = state;
  c.risk = risk_of(risk);
  for (const auto& [label, weight] : weights) c.class_weights.push_back({label, weight});
  c.fingerprint = fingerprint;
  std::tie(c.rows, c.total_weight, c.features, c.classes) = sizes;
  const auto dual_of = [](const DualState& dual) { return DualPoint{dual.first, dual.second}; };
  c.value = std::get<0>(claim), c.lower_bound = std::get<1>(claim), c.relative_gap = std::get<2>(claim);
  c.dual = dual_of(std::get<3>(claim));
  for (const auto& [value, bound, gap, dual] : claims) c.claims.push_back({value, bound, gap, dual_of(dual)});
  return c;
}

/// From arrays: `weights` has K consecutive numbers for each feature.
LinearModel model_from(const std::string& loss, double loss_parameter, double l2, const std::string& bias,
                       double constant, const Classes& classes, bool several, const Numbers& weights,
                       const Numbers& bias_weights) {
  LinearModel m;
  m.risk = {loss, loss_parameter, l2, bias_named(bias), constant};
  set_classes(m, classes, several);
  m.weights = vector_of(weights);
  if (m.risk.bias != Bias::none) m.bias_weights = vector_of(bias_weights);
  return m;
}

nb::object intercepts_of(const LinearModel& m) {
  Vector result;
  for (std::size_t k = 0; k < m.outputs(); ++k) result.push_back(m.intercept(k));
  return array_of(std::move(result));
}

nb::list loss_table() {
  nb::list result;
  for (const LossInfo& loss : trainable_losses()) {
    nb::dict entry;
    entry["name"] = std::string(loss.name);
    entry["classification"] = loss.task == Task::classification;
    entry["probabilities"] = loss.has_probabilities;
    entry["c_factor"] = loss.liblinear.factor;
    entry["parameter"] = loss.parameter ? nb::object(nb::float_(loss.parameter->default_value)) : nb::none();
    result.append(entry);
  }
  return result;
}

}  // namespace

Bias bias_named(const std::string& name) {
  for (const Bias bias : {Bias::none, Bias::free, Bias::regularized})
    if (name == to_string(bias)) return bias;
  throw std::invalid_argument("the intercept is 'none', 'free' or 'regularized', not '" + name + "'");
}

void bind_model(nb::module_& m) {
  m.def("losses", &loss_table);
  m.def("l2_from_c", &l2_from_c, nb::arg("loss"), nb::arg("c"), nb::arg("total_weight"));

  nb::class_<LinearModel>(m, "LinearModel")
      .def(
          "__init__",
          [](LinearModel* self, const std::string& loss, double loss_parameter, double l2, const std::string& bias,
             double constant, const Classes& classes, bool several, const Numbers& weights,
             const Numbers& bias_weights) {
            new (self) LinearModel(
                model_from(loss, loss_parameter, l2, bias, constant, classes, several, weights, bias_weights));
          },
          nb::arg("loss"), nb::arg("loss_parameter"), nb::arg("l2"), nb::arg("bias"), nb::arg("constant"),
          nb::arg("classes"), nb::arg("several"), nb::arg("weights"), nb::arg("bias_weights"))
      .def_prop_ro("loss", [](const LinearModel& self) { return self.risk.loss; })
      .def_prop_ro("loss_parameter", [](const LinearModel& self) { return self.risk.loss_parameter; })
      .def_prop_ro("l2", [](const LinearModel& self) { return self.risk.l2; })
      .def_prop_ro("bias", [](const LinearModel& self) { return std::string(to_string(self.risk.bias)); })
      .def_prop_ro("constant", [](const LinearModel& self) { return self.risk.constant; })
      .def_prop_ro("classes", &classes_of)
      .def_prop_ro("positive_first", [](const LinearModel& self) { return self.positive_first; })
      .def_prop_ro("outputs", &LinearModel::outputs)
      .def_prop_ro("weights", [](const LinearModel& self) { return array_of(Vector(self.weights)); })
      .def_prop_ro("bias_weights", [](const LinearModel& self) { return array_of(Vector(self.bias_weights)); })
      .def_prop_ro("intercepts", &intercepts_of)
      .def_prop_ro("method", [](const LinearModel& self) { return self.method; })
      .def_prop_ro("status", [](const LinearModel& self) { return self.status; })
      .def("__getstate__", &model_state)
      .def("__setstate__",
           [](LinearModel& self, const ModelState& state) { new (&self) LinearModel(model_of(state)); });

  nb::class_<Certificate>(m, "Certificate")
      .def_prop_ro("loss", [](const Certificate& c) { return c.risk.loss; })
      .def_prop_ro("l2", [](const Certificate& c) { return c.risk.l2; })
      .def_prop_ro("class_weights", &class_weights_of)
      .def_ro("rows", &Certificate::rows)
      .def_ro("features", &Certificate::features)
      .def_ro("total_weight", &Certificate::total_weight)
      .def_ro("fingerprint", &Certificate::fingerprint)
      .def_ro("value", &Certificate::value)
      .def_ro("lower_bound", &Certificate::lower_bound)
      .def_ro("relative_gap", &Certificate::relative_gap)
      .def("__getstate__", &certificate_state)
      .def("__setstate__",
           [](Certificate& self, const CertificateState& state) { new (&self) Certificate(certificate_of(state)); });

  m.def(
      "write_model",
      [](const LinearModel& model, const Certificate* certificate, const std::string& path) {
        const nb::gil_scoped_release release;
        certificate ? write_model(model, *certificate, path) : write_model(model, path);
      },
      nb::arg("model"), nb::arg("certificate").none(), nb::arg("path"));
  m.def("read_model", [](const std::string& path) {
    CertifiedModel read = read_certified_model(path);
    return std::pair(std::move(read.model), std::move(read.certificate));
  });
  m.def("write_certificate", &write_certificate, nb::arg("certificate"), nb::arg("path"));
  m.def("read_certificate", &read_certificate, nb::arg("path"));
}

}  // namespace geodescent::python
