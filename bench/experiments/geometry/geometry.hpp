// The geometry of the paper: its Figures 1 and 2, and the balls of a run, computed by the library.
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
  std::vector<Picture> figures;  ///< Figures 1 and 2 of the paper
  std::vector<Picture> frames;   ///< one per iteration
};

/// Without gnuplot the report has numbers and claims, and a note instead of pictures.
Geometry geometry(const GeometryOptions& options);

struct PictureFile {
  std::string name;
  std::string text;
};
/// Each picture as SVG and PDF, and all frames as run.gif. Empty without gnuplot.
std::vector<PictureFile> picture_files(const Geometry& geometry);

/// The paper's statements about balls: general ones, tested on a grid, and those about the run.
std::vector<Claim> geometry_claims(const PlaneProblem& problem, const std::vector<BallStep>& steps, double bound);

}  // namespace geodescent::lab
