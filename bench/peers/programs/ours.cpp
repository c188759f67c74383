// geodescent, run like the other programs: the whole command, which writes the model and its proof.
#include <fmt/format.h>

#include "geodescent/learn/model.hpp"
#include "geodescent/version.hpp"
#include "peers/programs/peer.hpp"
#include "report/json.hpp"

namespace geodescent::lab {
namespace {

class Ours final : public Peer {
 public:
  Ours(std::string program, int threads, std::string scratch)
      : program_(std::move(program)), threads_(threads), model_(std::move(scratch) + "/ours.model") {}

  std::string name() const override { return our_name; }
  std::string version() const override { return GEODESCENT_VERSION_STRING; }
  std::vector<Ladder> ladders(const PeerTask&) const override { return {{"train", powers_of_ten(1e-1, 1e-12)}}; }

  Attempt run(const PeerTask& task, const PeerSetting& setting, const Patience& patience) override {
    const ProgramEnd end =
        run_program({.command = {program_, "train", "--json", "--quiet", "--bias", "none", "--loss", task.loss, "--l2",
                                 fmt::format("{}", task.l2), "--tol", fmt::format("{}", setting.tolerance), "--threads",
                                 std::to_string(threads_), task.data->libsvm_file, model_},
                     .seconds = patience.seconds,
                     .waiting = patience.waiting});
    Attempt attempt{.seconds = end.seconds, .trouble = end.trouble(), .out_of_time = end.out_of_time};
    // Exit code 1 means that training missed its tolerance; the result gives the reason.
    const Json result = end.code <= 1 ? Json::parse(end.out, nullptr, false) : Json();
    if (!result.is_object()) return attempt;
    if (result["status"] != "converged") {
      attempt.trouble = "status " + result.value("status", std::string("unknown"));
      return attempt;
    }
    const Json& seconds = result["seconds"];
    attempt.load = seconds["load"].get<double>();
    // Everything but reading and writing: from data in memory to the model and its proof.
    attempt.train = seconds["total"].get<double>() - *attempt.load - seconds["write"].get<double>();
    attempt.weights = read_model(model_).weights;
    return attempt;
  }

  std::optional<Attempt> load(const PeerData&, const Patience&) override { return std::nullopt; }

 private:
  std::string program_;
  int threads_;
  std::string model_;
};

}  // namespace

std::unique_ptr<Peer> make_ours(const std::string& program, int threads, const std::string& scratch) {
  return std::make_unique<Ours>(program, threads, scratch);
}

}  // namespace geodescent::lab
