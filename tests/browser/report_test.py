"""report_test.py WRITE_SAMPLE_REPORT SCREENSHOTS: the report page as a reader uses it, in a real browser."""

import os
import subprocess
import sys
import tempfile
import unittest

from browser import PATIENCE, Browser

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

HOSTILE = """</script><script>alert(1)</script> "quoted", it's \\n `date` %d {a_b^2} <b>η</b> &amp;"""
CHARTS = "Array.from(document.querySelectorAll('canvas'), (canvas) => Chart.getChart(canvas))"
PIXELS = """
  const [canvas, red, green, blue] = arguments;
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
  copy.drawImage(canvas, 0, 0);
  const pixels = copy.getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    count += pixels[i] === red && pixels[i + 1] === green && pixels[i + 2] === blue && pixels[i + 3] === 255;
  }
  return count;"""
GEOD = (0x00, 0x72, 0xB2)
LBFGS = (0, 0, 0)


class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="geodescent-report-")
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([WRITER, cls.folder.name], check=True)
        cls.page = os.path.join(cls.folder.name, "report.html")
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.size(1280, 900)
        self.browser.scheme("light")
        self.browser.open(self.page)

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])

    def all(self, selector):
        return self.browser.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.browser.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        """Their full text, cut short on the screen or not."""
        return self.browser.value("Array.from(document.querySelectorAll(arguments[0]), (e) => e.textContent)", selector)

    def pixels(self, canvas, colour):
        return self.browser.run(PIXELS, canvas, *colour)

    def wait_for_colour(self, canvas, colour, at_least, at_most=None):
        """A page redraws its charts in a later frame than the one in which its colours change."""
        WebDriverWait(self.browser.driver, PATIENCE, poll_frequency=0.05).until(
            lambda _: at_least <= self.pixels(canvas, colour) and
            (at_most is None or self.pixels(canvas, colour) <= at_most),
            f"never between {at_least} and {at_most} pixels of {colour}")

    def column(self, table, number):
        return self.texts(f"[data-table={table}] tbody td:nth-child({number})")

    def test_nothing_is_fetched(self):
        self.assertEqual(self.browser.value("performance.getEntriesByType('resource').map((entry) => entry.name)"), [])
        requested = self.browser.requested("file://" + self.page)
        self.assertIn("file://" + self.page, requested)
        self.assertEqual([url for url in requested if not url.startswith(("data:", "file://" + self.page))], [])

    def test_everything_is_there(self):
        self.assertEqual(self.browser.driver.title, "A sample of everything")
        self.assertEqual(len(self.all(".warning[role=note]")), 2)
        self.assertEqual(self.texts(".badge"), ["✓ holds", "◐ holds in part", "✗ does not hold", "– not measured"])
        self.assertEqual(len(self.all("canvas")), 3)
        self.assertEqual(len(self.all("[data-table]")), 2, "large tables are files only")
        self.assertIn("2020-02-02", self.texts("dd"))
        self.assertIn("hidden.csv", self.one("#files").text)

    def test_hostile_text_is_text(self):
        self.assertIn("Note" + HOSTILE, self.texts(".warning"))
        self.assertIn(HOSTILE, self.texts("dd"))
        self.assertIn(HOSTILE, self.texts("#claims td"))
        self.assertIn(HOSTILE, self.texts("[data-table=summary] th"))
        self.assertIn(HOSTILE, self.column("summary", 3))
        self.assertIn(HOSTILE, self.texts("#methods .name"))
        self.assertEqual(self.all("main b, main script, footer b"), [])

    def test_charts_are_drawn(self):
        for canvas in self.all("canvas"):
            self.assertGreater(self.pixels(canvas, GEOD), 50)
            self.assertGreater(self.pixels(canvas, LBFGS), 10)

    def test_axes_are_as_the_report_says(self):
        scales = self.browser.value(CHARTS + ".map((chart) => [chart.scales.x.type, chart.options.scales.x.reverse])")
        self.assertEqual(scales, [["logarithmic", False], ["logarithmic", True], ["logarithmic", False]])
        labels = self.browser.value(CHARTS + "[1].scales.x.ticks.map((tick) => tick.label)")
        self.assertIn("10⁻⁸", labels)
        self.assertEqual(self.browser.value(CHARTS + "[2].data.datasets.map((curve) => curve.stepped)"), ["before"] * 4)

    def test_later_curves_are_drawn_over_earlier_ones(self):
        """Chart.js draws the last of its sorted datasets first."""
        self.assertEqual(self.browser.value(CHARTS + "[2].getSortedVisibleDatasetMetas().map((meta) => meta.index)"),
                         [3, 2, 1, 0])

    def test_a_curve_ends_where_an_accuracy_is_not_reached(self):
        points = self.browser.value(CHARTS + "[1].data.datasets.find((curve) => curve.method === 'sd').data")
        self.assertEqual(len(points), 4)

    def test_a_switch_turns_a_method_off_in_all_charts(self):
        switch = self.one("#methods input[data-method=geod]")
        switch.click()
        for canvas in self.all("canvas"):
            self.assertEqual(self.pixels(canvas, GEOD), 0)
            self.assertGreater(self.pixels(canvas, LBFGS), 10)
        switch.send_keys(Keys.SPACE)
        for canvas in self.all("canvas"):
            self.assertGreater(self.pixels(canvas, GEOD), 50)

    def test_hovering_shows_method_and_values(self):
        canvas = self.all("canvas")[1]
        self.browser.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", canvas)
        x, y = self.browser.run("""
          const chart = Chart.getChart(arguments[0]), point = chart.getDatasetMeta(0).data[3];
          return [Math.round(point.x - chart.width / 2), Math.round(point.y - chart.height / 2)];""", canvas)
        ActionChains(self.browser.driver).move_to_element_with_offset(canvas, x, y).perform()
        self.browser.wait("Chart.getChart(arguments[0]).tooltip.opacity > 0", canvas)
        self.assertEqual(self.browser.value("Chart.getChart(arguments[0]).tooltip.title", canvas), ["GeoD"])
        lines = self.browser.value("Chart.getChart(arguments[0]).tooltip.body.flatMap((part) => part.lines)", canvas)
        self.assertEqual(lines, ["relative accuracy: 0.0001", "passes over the data: 21"])
        self.browser.driver.save_screenshot(os.path.join(SCREENSHOTS, "hover.png"))

    def test_the_print_version_takes_the_place_of_the_charts(self):
        toggles = self.all(".toggle")
        if not toggles:
            self.skipTest("gnuplot is not installed")
        toggles[0].click()
        picture = self.one(".printed:not([hidden]) img")
        self.browser.wait("arguments[0].complete && arguments[0].naturalWidth > 0", picture)
        self.assertTrue(picture.is_displayed())
        self.assertFalse(self.all("canvas")[0].is_displayed())
        self.browser.screenshot(os.path.join(SCREENSHOTS, "print-version.png"))
        toggles[0].click()
        self.assertTrue(self.all("canvas")[0].is_displayed())

    def test_sorting_a_column_of_numbers(self):
        header = self.all("[data-table=summary] th")[1]
        self.assertEqual(self.column("summary", 2), ["12", "not reached", "100", "9"])
        self.assertEqual(header.get_attribute("aria-sort"), "none")
        header.find_element(By.TAG_NAME, "button").click()
        self.assertEqual(self.column("summary", 2), ["9", "12", "100", "not reached"])
        self.assertEqual(header.get_attribute("aria-sort"), "ascending")
        header.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
        self.assertEqual(self.column("summary", 2), ["100", "12", "9", "not reached"], "not reached stays last")
        self.assertEqual(header.get_attribute("aria-sort"), "descending")

    def test_sorting_a_column_of_words(self):
        headers = self.all("[data-table=summary] th")
        headers[0].find_element(By.TAG_NAME, "button").click()
        self.assertEqual(self.column("summary", 1), ["afg", "geod", "lbfgs", "sd"])
        headers[2].find_element(By.TAG_NAME, "button").click()
        self.assertEqual(self.column("summary", 3)[-1], "", "missing comes last")
        self.assertEqual([header.get_attribute("aria-sort") for header in headers], ["none", "none", "ascending"])

    def test_a_large_table_is_shown_in_part_and_in_full(self):
        self.assertEqual(len(self.column("runs", 1)), 300)
        self.one("[data-table=runs] .table-head button").click()
        self.assertEqual(len(self.column("runs", 1)), 3000)
        self.assertEqual(self.one("[data-table=runs] .count").text, "3000 rows")

    def test_filtering_rows(self):
        box = self.one("[data-table=runs] input")
        box.send_keys("LBFGS data-6")
        self.assertEqual(self.one("[data-table=runs] .count").text, "75 of 3000 rows")
        self.assertEqual(set(self.column("runs", 2)), {"lbfgs"})
        box.send_keys(" nowhere")
        self.assertEqual(self.column("runs", 1), [])
        box.clear()
        self.browser.wait("document.querySelector('[data-table=runs] .count').textContent.endsWith('of 3000 rows')")

    def frame(self):
        return self.one(".stepper output").text, self.one(".frame-caption").text

    def test_leafing_by_button(self):
        previous, play, following = self.all(".stepper button")
        self.assertEqual(self.frame(), ("frame 1 of 5", "Iteration 0: radius 90"))
        self.assertFalse(previous.is_enabled())
        following.click()
        self.assertEqual(self.frame(), ("frame 2 of 5", "Iteration 1: radius 75"))
        self.assertIn("r%3D%2275%22", self.one(".stepper img").get_attribute("src"))
        previous.click()
        self.assertEqual(self.frame()[0], "frame 1 of 5")
        play.click()
        self.browser.wait("document.querySelector('.stepper output').textContent === 'frame 5 of 5'")
        self.assertEqual(play.text, "Play", "it stops at the end")
        self.assertFalse(following.is_enabled())

    def test_leafing_by_key(self):
        viewer = self.one(".stepper")
        viewer.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(self.frame()[0], "frame 3 of 5")
        viewer.send_keys(Keys.ARROW_LEFT)
        self.assertEqual(self.frame()[0], "frame 2 of 5")
        viewer.send_keys(Keys.END)
        self.assertEqual(self.frame()[0], "frame 5 of 5")
        slider = self.one(".stepper input[type=range]")
        slider.send_keys(Keys.ARROW_LEFT)
        self.assertEqual(self.frame()[0], "frame 4 of 5", "one step a key, on the slider too")
        slider.send_keys(Keys.HOME)
        self.assertEqual(self.frame()[0], "frame 1 of 5")

    def test_the_dark_scheme(self):
        self.browser.screenshot(os.path.join(SCREENSHOTS, "light.png"))
        light = self.browser.value("getComputedStyle(document.body).backgroundColor")
        self.browser.scheme("dark")
        dark = self.browser.value("getComputedStyle(document.body).backgroundColor")
        self.assertEqual((light, dark), ("rgb(255, 255, 255)", "rgb(20, 23, 28)"))
        for canvas in self.all("canvas"):
            self.wait_for_colour(canvas, LBFGS, at_least=0, at_most=0)  # black is not readable on a dark page
            self.wait_for_colour(canvas, (230, 230, 230), at_least=10)
        self.browser.screenshot(os.path.join(SCREENSHOTS, "dark.png"))

    def test_a_phone(self):
        self.browser.size(390, 844)
        self.browser.wait("document.documentElement.scrollWidth <= window.innerWidth")
        self.browser.wait(CHARTS + ".every((chart) => chart.width <= 390)")
        self.browser.screenshot(os.path.join(SCREENSHOTS, "phone.png"))

    def test_controls_have_names(self):
        unnamed = self.browser.value("""Array.from(document.querySelectorAll('button, input, canvas, img')).filter((e) =>
          !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('alt') || e.closest('label')))
          .map((e) => e.outerHTML)""")
        self.assertEqual(unnamed, [])


if __name__ == "__main__":
    WRITER, SCREENSHOTS = (os.path.abspath(argument) for argument in sys.argv[1:3])
    os.makedirs(SCREENSHOTS, exist_ok=True)
    unittest.main(argv=sys.argv[:1], verbosity=2)
