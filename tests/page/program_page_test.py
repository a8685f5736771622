"""The page that the program serves, with real documents; with the smallest model where one is
asked."""

import json
import os
import pathlib
import signal
import sys
import tempfile
import unittest
import urllib.parse
import urllib.request

from browser import BrowserCase, Keys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "server"))
from service import EXAMPLES, Server  # noqa: E402

SMALL_MODEL = "smollm2-135m-instruct-q4_1"
ENGLISH = EXAMPLES / "acquisition-agreement.pdf"
CHINESE = EXAMPLES / "收购协议.pdf"


class ProgramCase(BrowserCase):
    """One program for the class; what one test uploads is there for the next."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="whereof-page-")
        cls.addClassCleanup(folder.cleanup)
        environment = dict(os.environ, WHEREOF_KEPT=f"{folder.name}/kept")
        environment.pop("WHEREOF_KEY", None)
        cls.server = Server(environment, "--library", f"{folder.name}/data/library.db", "--model",
                            SMALL_MODEL)
        cls.addClassCleanup(cls.server.end, signal.SIGTERM)
        cls.address = f"http://127.0.0.1:{cls.server.port}/"

    def setUp(self):
        self.browser.get_log("browser")
        self.browser.get_log("performance")
        self.browser.get(self.address)

    def json_of(self, path):
        with urllib.request.urlopen(self.address + path) as response:
            return json.load(response)

    def open_document(self, path):
        """By upload; the same bytes a second time are the same document."""
        self.browser.find_element("id", "upload").send_keys(str(path))
        self.wait(lambda: self.text_of("#document-bar h2") == path.name, path.name)
        self.one(".sheet img")
        return next(file["id"] for file in self.json_of("v1/files")["data"]
                    if file["filename"] == path.name)

    def show_clause(self, label):
        field = self.one("#clause-filter")
        field.clear()
        field.send_keys(label)
        self.wait(lambda: self.text_of(".clause .clause-number") == label)
        self.one(".clause").click()


class Documents(ProgramCase):
    def assert_clause_is_marked(self, document, label):
        report = self.json_of(f"v1/documents/{document}")
        clause = next(one for one in report["clauses"] if one["label"] == label)
        boxes = self.json_of(f"v1/documents/{document}/boxes?begin={clause['text_begin']}"
                             f"&end={clause['own_text_end']}")["boxes"]
        self.assertGreater(len(boxes), 0)
        self.show_clause(label)
        self.wait(lambda: len(self.all(".mark-clause")) == len(boxes))
        self.assert_mark_at(self.one(".mark-clause"), boxes[0])
        self.assertEqual(self.run_script(
            "return Number(document.querySelector('.mark').parentElement.dataset.page)"),
            boxes[0]["page"] - 1)

    def test_english(self):
        document = self.open_document(ENGLISH)
        self.assertEqual(len(self.all(".sheet")), 55)
        self.assert_clause_is_marked(document, "12.1")
        links = [link.text for link in self.all(".card-links .link")]
        self.assertIn("6.8", links)
        self.assertIn("Purchaser’s Group", links)
        self.assert_nothing_refused()

    def test_chinese(self):
        document = self.open_document(CHINESE)
        self.assert_clause_is_marked(document, "第十二条")
        self.assert_nothing_refused()

    def test_text_of_a_file_without_pages(self):
        path = EXAMPLES / "acquisition-agreement.txt"
        self.browser.find_element("id", "upload").send_keys(str(path))
        self.wait(lambda: self.text_of("#document-bar h2") == path.name)
        self.show_clause("12.1")
        self.wait(lambda: self.text_of("mark").startswith("12.1 The Seller shall pay"))

    def test_nothing_is_asked_of_another_place(self):
        self.open_document(ENGLISH)
        outside = [address for address in self.requested_addresses()
                   if urllib.parse.urlsplit(address).netloc
                   not in ("", f"127.0.0.1:{self.server.port}")]
        self.assertEqual(outside, [])


class Answers(ProgramCase):
    def last_answer(self):
        return self.browser.execute_async_script(
            "const done = arguments[0]; import('/app/conversation.js')"
            ".then((one) => done(one.latestTurn().answer))")

    def test_an_answer_leads_to_its_passages_and_shows_its_figures(self):
        self.open_document(ENGLISH)
        self.run_script("document.querySelector('#options').open = true")
        budget = self.one("#options input[type=number]")
        budget.send_keys(Keys.CONTROL, "a")
        budget.send_keys("3", Keys.TAB)
        turn = self.ask("Which law governs this Agreement?")
        self.assertEqual(turn.get_attribute("data-state"), "done", turn.text)
        answer = self.last_answer()
        citations = answer.get("citations") or answer["nearest"]
        self.assertGreater(len(citations), 0)
        self.one(".citation-open").click()
        boxes = citations[0]["boxes"]
        self.wait(lambda: len(self.all(".mark-citation")) == len(boxes))
        self.assert_mark_at(self.one(".mark-citation"), boxes[0])
        self.one(".measured summary").click()
        self.all("[data-choice=rows_all]")[0].click()
        shares = self.run_script("return [...document.querySelectorAll('.heat-cell')].map("
                                 "(cell) => Number(cell.dataset.share))")
        rows = [row["shares"] for row in answer["map"]["rows"]]
        self.assertEqual(shares, [share for column in zip(*rows) for share in column])
        self.assert_nothing_refused()


if __name__ == "__main__":
    unittest.main()
