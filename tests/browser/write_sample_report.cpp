// write_sample_report FOLDER: the sample report, for the tests of the page.
#include <cstdio>
#include <exception>

#include "support/report/sample_report.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: write_sample_report FOLDER\n", stderr);
    return 2;
  }
  try {
    geodescent::lab::write_report(geodescent::lab::sample_report(), arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_sample_report: %s\n", error.what());
    return 1;
  }
}
