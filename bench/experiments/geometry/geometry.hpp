// The geometry of the paper: its Figures 1 and 2, and the balls of a run, computed by the code of the library.
#pragma once

#include "experiments/geometry/picture.hpp"
#include "report/report.hpp"

namespace geodescent::lab {

struct GeometryOptions {
  std::string method = "geod";  ///< geod, geod-fixed or ball
  std::size_t steps = 7;
};

struct Geometry {
  Report report;
  std::vector<Picture> figures;  ///< the two of the paper
  std::vector<Picture> frames;   ///< one an iteration
};

/// Without gnuplot the report has numbers and claims, but no pictures, and says so.
Geometry geometry(const GeometryOptions& options);

struct PictureFile {
  std::string name;
  std::string text;
};
/// Each picture as SVG and PDF, and the frames one after the other as run.gif. None without gnuplot.
std::vector<PictureFile> picture_files(const Geometry& geometry);

/// What the paper says about balls: in general, on a table of sizes, and about the run.
std::vector<Claim> geometry_claims(const PlaneProblem& problem, const std::vector<BallStep>& steps, double bound);

}  // namespace geodescent::lab
