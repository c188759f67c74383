"""bench_test.py GEODESCENT SCREENSHOTS: the pages that `geodescent bench` makes, each opened in a real browser."""

import csv
import os
import subprocess
import sys
import tempfile
import unittest

from browser import Browser

CHARTS = "Array.from(document.querySelectorAll('canvas'), (canvas) => Chart.getChart(canvas))"
EXPERIMENTS = {
    "worst-case": ["--beta", "100"],
    "geometry": ["--steps", "3"],
    "functions": ["--problems", "valley,powell-singular,maximum-entropy"],
    "paper": ["--quick", "--stand-ins", "--l2", "1e-2", "--max-iterations", "50"],
}


class BenchPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="geodescent-bench-")
        cls.addClassCleanup(cls.folder.cleanup)
        for name, options in EXPERIMENTS.items():
            subprocess.run([PROGRAM, "bench", name, "--quiet", "--out", cls.path(name), *options], check=True)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    @classmethod
    def path(cls, experiment, *parts):
        return os.path.join(cls.folder.name, experiment, *parts)

    def open(self, experiment):
        self.browser.open(self.path(experiment, "report.html"))
        with open(os.path.join(SCREENSHOTS, f"{experiment}.png"), "wb") as picture:
            picture.write(self.browser.driver.get_screenshot_as_png())

    def rows(self, experiment, table):
        with open(self.path(experiment, table + ".csv"), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def text(self):
        return self.browser.value("document.body.textContent")

    def test_pages_open_without_a_complaint_and_fetch_nothing(self):
        for experiment in EXPERIMENTS:
            with self.subTest(experiment):
                self.open(experiment)
                self.assertEqual(self.browser.console(), [])
                self.assertEqual(self.browser.value("performance.getEntriesByType('resource').length"), 0)

    def test_claims_and_the_command_are_shown(self):
        for experiment in EXPERIMENTS:
            with self.subTest(experiment):
                self.open(experiment)
                text = self.text()
                claims = self.rows(experiment, "claims")
                self.assertGreater(len(claims), 3)
                for claim in claims:
                    self.assertIn(claim["measured"], text)
                self.assertIn(f"bench {experiment}", text)

    def test_charts_hold_the_numbers_of_the_tables(self):
        self.open("paper")
        medians = {row["accuracy"]: row["iterations, median"] for row in self.rows("paper", "summary")
                   if row["method"] == "geod"}
        label = "GeoD"
        drawn = self.browser.value(
            f"{CHARTS}[0].data.datasets.find((set) => set.label === arguments[0]).data.map((p) => [p.x, p.y])", label)
        self.assertGreater(len(drawn), 1)
        for accuracy, iterations in drawn:
            expected = next(value for key, value in medians.items() if abs(float(key) / accuracy - 1) < 1e-9)
            self.assertAlmostEqual(iterations / float(expected), 1, places=4)

    def test_stand_ins_are_declared(self):
        self.open("paper")
        self.assertIn("The data are generated", self.text())

    def test_the_balls_can_be_leafed_through(self):
        self.open("geometry")
        frames = self.browser.value("Array.from(document.querySelectorAll('output'), (e) => e.textContent)")
        self.assertTrue(any("of 3" in frame for frame in frames), frames)


if __name__ == "__main__":
    PROGRAM, SCREENSHOTS = sys.argv[1:3]
    os.makedirs(SCREENSHOTS, exist_ok=True)
    unittest.main(argv=sys.argv[:1])
