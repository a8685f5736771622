#!/usr/bin/env python3
"""Takes the pictures of docs/page.md from a running service.

    whereof serve --library /tmp/pictures/library.db &
    python3 tests/page/take_pictures.py http://127.0.0.1:8717/ [english document_map chinese phone]

Puts the two example agreements into that library, and with qpdf the first pages of one, which the
smallest model reads at once. With Pillow the files have 256 colours.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import browser
from browser import WebDriverWait

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PICTURES = SOURCE / "docs" / "pictures"
ENGLISH = SOURCE / "examples" / "acquisition-agreement.pdf"
CHINESE = SOURCE / "examples" / "收购协议.pdf"
PATIENCE_SECONDS = 600
ANSWERED = "How much is the break fee that the Seller pays, and when is it payable?"
UNANSWERED = "May the Seller's employees bring dogs to the office?"
CHINESE_QUESTION = "分手费是多少？"


class Camera:
    def __init__(self, address, language="en", size=(1360, 860), theme="light"):
        self.driver = browser.start_browser(language, *size)
        # What the window's frame takes does not count: the picture has this size.
        inner = self.driver.execute_script("return [innerWidth, innerHeight]")
        self.driver.set_window_size(2 * size[0] - inner[0], 2 * size[1] - inner[1])
        self.driver.get(address)
        self.run("localStorage.setItem('whereof-options', arguments[0])", '{"budget": 20}')
        self.driver.get(address)
        self.run("document.documentElement.dataset.theme = arguments[0]", theme)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, script, *arguments):
        return WebDriverWait(self.driver, PATIENCE_SECONDS, 0.1).until(
            lambda _: self.run(f"return {script}", *arguments), script)

    def open(self, path):
        self.driver.find_element("id", "upload").send_keys(str(path))
        self.until("document.querySelector('#document-bar h2')?.textContent === arguments[0]",
                   path.name)
        time.sleep(2)  # it may have been open before: until it is opened anew

    def ask(self, question):
        self.run("document.querySelector('#question').value = arguments[0];"
                 "document.querySelector('#ask').requestSubmit()", question)
        self.answered()

    def answered(self):
        self.until("document.querySelector('.turn:last-child').dataset.state !== 'running'")

    def click(self, selector, place=0):
        self.until("document.querySelectorAll(arguments[0])[arguments[1]]", selector, place)
        self.run("document.querySelectorAll(arguments[0])[arguments[1]].click()", selector, place)

    def choose_clause(self, label):
        self.run("const field = document.querySelector('#clause-filter');"
                 "field.value = arguments[0]; field.dispatchEvent(new Event('input'))", label)
        self.click(".clause")
        self.run("const field = document.querySelector('#clause-filter');"
                 "field.value = ''; field.dispatchEvent(new Event('input'))")

    def show(self, selector):
        self.run("[...document.querySelectorAll(arguments[0])].at(-1)"
                 ".scrollIntoView({block: 'start'})", selector)

    def take(self, name):
        time.sleep(2)  # pages, smooth scrolling
        path = PICTURES / f"page-{name}.png"
        self.driver.save_screenshot(str(path))
        try:
            from PIL import Image
        except ImportError:
            return
        with Image.open(path) as picture:
            picture.convert("RGB").quantize(256, Image.Quantize.MEDIANCUT, 2).save(
                path, optimize=True)

    def close(self):
        self.driver.quit()


def english(address):
    camera = Camera(address)
    camera.take("start")
    camera.open(ENGLISH)
    camera.choose_clause("12.1")
    camera.run("document.querySelector('#clause-tree').scrollTop -= 40")
    camera.take("clause")
    camera.click("#clause-card .icon-button")
    camera.ask(ANSWERED)
    camera.click(".citation-mark, .citation-open")
    camera.take("answer")
    camera.click(".measured summary")
    camera.show(".measured")
    camera.take("heat-map-sentences")
    camera.click(".heat-controls .button-quiet")
    camera.click("dialog [data-choice=by_layers]")
    camera.click("dialog [data-choice=rows_most]")
    camera.take("heat-map")
    camera.run("document.querySelector('dialog').close()")
    camera.click(".measured summary")
    camera.click(".measured summary", 1)
    camera.click(".measured summary", 2)
    camera.show(".measured + .measured")
    camera.take("layers-and-plan")
    camera.choose_clause("11.4")
    camera.click(".card-actions button")
    camera.answered()
    camera.show(".turn")
    camera.take("why")
    camera.click("#clause-card .icon-button")
    camera.ask(UNANSWERED)
    camera.take("no-basis")
    camera.close()


def document_map(address):
    camera = Camera(address)
    with tempfile.TemporaryDirectory() as folder:
        excerpt = pathlib.Path(folder) / "excerpt.pdf"
        subprocess.run(["qpdf", "--empty", "--pages", ENGLISH, "5-13", "--", excerpt], check=True)
        camera.open(excerpt)
    camera.click("#map-button button")
    camera.until("document.querySelector('dialog .heat-cell')")
    # The cell with the largest lift of those that have a reference to show for it.
    camera.run("const lift = (cell) => Number(cell.dataset.lift);"
               "[...document.querySelectorAll('dialog .heat-cell:has(.map-reference)')]"
               ".sort((a, b) => lift(b) - lift(a))[0]?.focus()")
    camera.take("document-map")
    camera.close()


def chinese(address):
    camera = Camera(address, "zh-CN", theme="dark")
    camera.open(CHINESE)
    camera.ask(CHINESE_QUESTION)
    camera.click(".citation-mark, .citation-open")
    camera.take("chinese")
    camera.close()


def phone(address):
    camera = Camera(address, size=(500, 900))
    camera.open(ENGLISH)
    camera.ask(ANSWERED)
    camera.show(".turn")
    camera.take("phone")
    camera.close()


if __name__ == "__main__":
    for view in (english, document_map, chinese, phone):
        if len(sys.argv) == 2 or view.__name__ in sys.argv[2:]:
            view(sys.argv[1])
