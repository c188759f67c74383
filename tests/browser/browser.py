"""Chromium, driven by selenium, with a page open: what the tests of a page need. Exits with 77 where it cannot run."""

import base64
import json
import os
import socket
import sys
import tempfile

SKIPPED = 77
PATIENCE = 60  # seconds until a condition counts as never coming true


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    skip("selenium is missing; 'apt-get install python3-selenium'")

try:
    socket.gethostbyname("localhost")
except OSError:
    skip("this system does not know localhost, by which the browser's driver is reached; see /etc/hosts")

for needed in ("/usr/bin/chromium", "/usr/bin/chromedriver"):
    if not os.access(needed, os.X_OK):
        skip(f"{needed} is missing; 'apt-get install chromium chromium-driver'")


class Browser:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="geodescent-browser-", ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run",
                         "disable-background-networking", "disable-component-update", "disable-sync",
                         "disable-dev-shm-usage", "force-device-scale-factor=1", "window-size=1280,900",
                         f"user-data-dir={self.profile.name}"):
            options.add_argument(f"--{argument}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))

    def close(self):
        self.driver.quit()
        self.profile.cleanup()

    def open(self, path):
        self.driver.get("file://" + path)
        self.wait("document.documentElement.dataset.ready === 'true'")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def value(self, expression, *arguments):
        return self.run(f"return ({expression});", *arguments)

    def wait(self, expression, *arguments):
        """Until the expression is true; its value."""
        return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05).until(
            lambda _: self.value(expression, *arguments), f"never came true: {expression}")

    def console(self):
        """What pages have complained about; the tab that the browser opens by itself complains where there is no network."""
        messages = [entry["message"] for entry in self.driver.get_log("browser")]
        return [message for message in messages if not message.startswith("chrome://")]

    def requested(self, page):
        """Every address that a page has asked for, its own first."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        requests = [message["params"] for message in messages if message["method"] == "Network.requestWillBeSent"]
        return [request["request"]["url"] for request in requests if request["documentURL"].startswith(page)]

    def scheme(self, name):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": name}]})
        self.wait("window.matchMedia(`(prefers-color-scheme: ${arguments[0]})`).matches", name)

    def size(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.wait("window.innerWidth === arguments[0]", width)

    def screenshot(self, path):
        """The whole page, not only what fits on the screen."""
        width, height = self.value("[document.documentElement.clientWidth, document.documentElement.scrollHeight]")
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
