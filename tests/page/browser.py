"""Chromium without a window, driven over WebDriver; the page's tests derive from PageCase.

Nothing outside this machine can be reached: every name but 127.0.0.1 resolves to nothing, and the
requests that were tried are kept.
"""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

try:
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
    MISSING = None
except ImportError:
    MISSING = "python3-selenium"

from scripted_documents import WIDTH
from scripted_service import ScriptedService

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    MISSING = "chromium and chromium-driver"
PATIENCE_SECONDS = 30  # a hang, not a slow machine


def start_browser(language="en", width=1500, height=950, downloads=None):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage",
                     f"--window-size={width},{height}", f"--lang={language}",
                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                     "--disable-background-networking", "--disable-component-update"):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium's own does not run as root
    options.add_experimental_option("prefs", {
        "intl.accept_languages": language, "download.default_directory": str(downloads or "")})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service(DRIVER), options=options)
    driver.set_script_timeout(10 * PATIENCE_SECONDS)  # axe-core looks at thousands of cells
    return driver


@unittest.skipIf(MISSING, f"no browser to test with: install {MISSING}")
class BrowserCase(unittest.TestCase):
    """One browser for the class."""

    language = "en"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.downloads = pathlib.Path(folder.name)
        cls.browser = start_browser(cls.language, downloads=cls.downloads)
        cls.addClassCleanup(cls.browser.quit)

    def one(self, selector):
        """The first element, once it is there and seen."""
        return self.wait(lambda: next((found for found in self.all(selector)
                                       if found.is_displayed()), None), selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, condition, what="the condition"):
        return WebDriverWait(
            self.browser, PATIENCE_SECONDS, 0.05,
            ignored_exceptions=(StaleElementReferenceException,)).until(  # just made anew
                lambda _: condition(), f"{what} did not come in {PATIENCE_SECONDS} s")

    def run_script(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def text_of(self, selector):
        return self.wait(lambda: [self.one(selector).text])[0]

    def ask(self, question):
        """Asks and waits for the judged answer; returns its element."""
        count = len(self.all(".turn"))
        field = self.one("#question")
        field.send_keys(question, Keys.ENTER)
        self.wait(lambda: len(self.all(".turn")) == count + 1)
        self.wait(lambda: self.all(".turn")[-1].get_attribute("data-state") != "running")
        return self.all(".turn")[-1]

    def press(self, *keys):
        """All but the last held down, to whatever has the focus."""
        actions = webdriver.ActionChains(self.browser)
        for key in keys[:-1]:
            actions.key_down(key)
        actions.send_keys(keys[-1])
        for key in keys[:-1]:
            actions.key_up(key)
        actions.perform()

    def requested_addresses(self):
        """Of every request that the browser began since the page was opened."""
        messages = (json.loads(entry["message"])["message"]
                    for entry in self.browser.get_log("performance"))
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def assert_mark_at(self, mark, box):
        """The mark covers this box, in points, of its sheet."""
        left, top, right, bottom, width = self.run_script(
            "const m = arguments[0].getBoundingClientRect();"
            "const s = arguments[0].parentElement.getBoundingClientRect();"
            "return [m.left - s.left, m.top - s.top, m.right - s.left, m.bottom - s.top, s.width]",
            mark)
        scale = width / WIDTH
        for found, name in ((left, "left"), (top, "top"), (right, "right"), (bottom, "bottom")):
            self.assertAlmostEqual(found / scale, box[name], delta=0.5, msg=name)

    def assert_nothing_refused(self):
        """No script failed, and the policy had nothing to refuse."""
        entries = [entry["message"] for entry in self.browser.get_log("browser")
                   if entry["level"] == "SEVERE"]
        self.assertEqual(entries, [])


class PageCase(BrowserCase):
    """A scripted service of its own and a fresh page for each test; nothing kept from another."""

    documents = ()  # functions that make them
    key = None

    def setUp(self):
        self.service = ScriptedService([make() for make in self.documents], self.key)
        self.addCleanup(self.service.server_close)
        self.addCleanup(self.service.shutdown)
        self.browser.get_log("browser")
        self.browser.get_log("performance")
        self.open_page()

    def open_page(self):
        self.browser.get(self.service.address)
