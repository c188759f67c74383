// Run by mpiexec: every rank trains with the others, and alone on all rows, and compares the bits.
#include <cstdio>
#include <exception>

#include <mpi.h>

#include "geodescent/certificate.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/learn/train.hpp"
#include "geodescent/mpi.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/threads.hpp"
#include "support/problems.hpp"
#include "support/rank_data.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {

int failures = 0;

namespace {

void expect(bool holds, std::size_t rank, const std::string& what) {
  if (holds) return;
  ++failures;
  std::printf("rank %zu: %s\n", rank, what.c_str());
}

void expect_the_same_bits(const Dataset& data, std::string_view loss, Bias bias, std::string_view method,
                          const std::shared_ptr<Communicator>& comm) {
  const Options options{.gap_tolerance = 0, .max_iterations = 12};
  const auto all = make_risk(loss, data, 1e-4, {}, bias);
  const Dataset on_rank = on_ranks(rows_of_rank(data, comm->rank(), comm->ranks()), comm);
  const auto part = make_risk(loss, on_rank, 1e-4, {}, bias);
  const Result alone = minimize_with(method, *all, Vector(all->dimension()), options);
  const Result together = minimize_with(method, *part, Vector(part->dimension()), options);
  const std::string what = std::string(loss) + " by " + std::string(method);
  expect(together.x == alone.x && together.intercepts == alone.intercepts, comm->rank(), what + ": another x");
  expect(together.value == alone.value && together.lower_bound == alone.lower_bound, comm->rank(),
         what + ": another value or bound");
}

void expect_the_same_training(const Dataset& data, const Risk& risk, const std::shared_ptr<Communicator>& comm,
                              std::string_view method = with_newton) {
  const TrainOptions options{.method = method_of(method)};
  const TrainResult alone = train(data, risk, options);
  const Dataset on_rank = on_ranks(rows_of_rank(data, comm->rank(), comm->ranks()), comm);
  const TrainResult together = train(on_rank, risk, options);
  const Certificate certificate = gathered(on_rank, *together.certificate);
  const bool same_model =
      together.model.weights == alone.model.weights && together.model.bias_weights == alone.model.bias_weights;
  const bool same_claim = certificate.lower_bound == alone.certificate->lower_bound &&
                          certificate.fingerprint == alone.certificate->fingerprint;
  expect(same_model && same_claim, comm->rank(), risk.loss + ": another model or claim");
  if (comm->rank() == 0)
    expect(certificate.dual.steps == alone.certificate->dual.steps, 0, risk.loss + ": another dual point");
  expect(verify(on_rank, alone.model, *alone.certificate).holds, comm->rank(), risk.loss + ": verify refuses");
}

/// More numbers than travel together, and the counts.
void expect_sums_in_order(const std::shared_ptr<Communicator>& comm) {
  std::vector<double> sums(100000);
  comm->add_in_order(sums, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) sums[i] = 10 * sums[i] + static_cast<double>(comm->rank() + 1);
  });
  double expected = 0;
  for (std::size_t r = 0; r < comm->ranks(); ++r) expected = 10 * expected + static_cast<double>(r + 1);
  expect(sums == std::vector<double>(sums.size(), expected), comm->rank(), "sums are not in order");
  expect(comm->traffic().rounds == 1, comm->rank(), "a sum is not one round");
}

/// Zeros of long vectors do not travel.
void expect_sums_of_few_numbers(const std::shared_ptr<Communicator>& comm) {
  constexpr std::size_t every = 50;
  std::vector<double> sums(200000), expected(sums.size());
  const auto add = [&](std::vector<double>& to, std::size_t rank, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (i % every == rank) to[i] += static_cast<double>(i + rank);
  };
  for (std::size_t r = 0; r < comm->ranks(); ++r) add(expected, r, 0, expected.size());
  const std::uint64_t before = comm->traffic().bytes;
  comm->add_in_order(sums, [&](std::size_t begin, std::size_t end) { add(sums, comm->rank(), begin, end); });
  expect(sums == expected, comm->rank(), "sums of few numbers are wrong");
  expect(comm->traffic().bytes - before <= sums.size() * sizeof(double), comm->rank(), "zeros have travelled");
}

}  // namespace

void compare_bits() {
  expect_sums_in_order(mpi_communicator(MPI_Comm_c2f(MPI_COMM_WORLD)));
  expect_sums_of_few_numbers(mpi_communicator(MPI_Comm_c2f(MPI_COMM_WORLD)));
  const auto comm = mpi_communicator(MPI_Comm_c2f(MPI_COMM_WORLD));
  Random random(953);
  const RandomData classes = random_data(random, Task::classification, {.rows = 9001, .columns = 30, .density = 0.2});
  const RandomData targets = random_data(random, Task::regression, {.rows = 5000, .columns = 9, .weighted = true});
  const RandomData few = random_data(random, Task::classification, {.rows = 150, .columns = 400, .density = 0.2});
  for (const int threads : {1, 2}) {
    set_threads(threads);
    for (const std::string_view method : {with_gradients, with_newton, with_quasi_newton}) {
      expect_the_same_bits(classes.data, "logistic", Bias::free, method, comm);
      expect_the_same_bits(targets.data, "huber", Bias::none, method, comm);
    }
    expect_the_same_training(classes.data, {.loss = "logistic", .l2 = 1e-4, .bias = Bias::free}, comm);
    expect_the_same_training(targets.data, {.loss = "squared", .l2 = 1e-4, .bias = Bias::regularized}, comm);
    expect_the_same_training(classes.data, {.loss = "softmax", .l2 = 1e-3, .bias = Bias::free}, comm);
    expect_the_same_training(few.data, {.loss = "logistic", .l2 = 1e-2, .bias = Bias::free}, comm, with_gradients);
  }
}

}  // namespace geodescent::testing

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    geodescent::testing::compare_bits();
  } catch (const std::exception& e) {
    std::printf("%s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return geodescent::testing::failures == 0 ? 0 : 1;
}
