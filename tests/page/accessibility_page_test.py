"""Every view under axe-core, in both colour schemes; and the page by keyboard alone."""

import pathlib
import subprocess
import sys
import unittest

import scripted_documents
from browser import Keys, PageCase
from scripted_service import PAGE

FETCH = PAGE.parents[1] / "tools" / "fetch.py"


def axe_script():
    path = subprocess.run([sys.executable, FETCH, "path", "axe-core"], capture_output=True,
                          text=True, check=True).stdout.strip()
    return pathlib.Path(path)


class Axe(PageCase):
    documents = (scripted_documents.contract, scripted_documents.chinese_contract,
                 scripted_documents.hostile_text)

    @classmethod
    def setUpClass(cls):
        if not axe_script().is_file():
            raise unittest.SkipTest("no axe-core: run tools/fetch.py model axe-core")
        super().setUpClass()
        cls.axe = axe_script().read_text(encoding="utf-8")

    def check(self, view):
        """No finding of any weight, in light and in dark."""
        for theme in ("light", "dark"):
            self.run_script("document.documentElement.dataset.theme = arguments[0]", theme)
            if not self.run_script("return 'axe' in window"):
                self.run_script(self.axe)
            found = self.browser.execute_async_script(
                "const done = arguments[0];"
                "axe.run(document, {resultTypes: ['violations']})"
                ".then((result) => done(result.violations.map((one) =>"
                " `${one.impact} ${one.id}: ${one.nodes.map((node) =>"
                " node.target + ' ' + node.failureSummary).join('; ')}`)),"
                " (error) => done([String(error)]))")
            with self.subTest(view=view, theme=theme):
                self.assertEqual(found, [])

    def ready(self):
        self.one(".sheet img")

    def test_documents_and_first_words(self):
        self.ready()
        self.check("start")
        self.all(".clause")[3].click()
        self.one(".clause-card h3, #clause-card h3")
        self.check("clause")

    def test_answers(self):
        self.ready()
        self.ask("How can it end?")
        for details in self.all(".turn details"):
            self.run_script("arguments[0].open = true", details)
        self.one(".citation-mark").click()
        self.wait(lambda: self.all(".mark-citation"))
        self.check("supported")
        self.all("[data-choice=by_layers]")[0].click()
        self.check("layers")

    def test_no_basis_failure_and_diagnosis(self):
        self.ready()
        self.ask("Please break")
        self.ask("Are pets allowed?")
        self.all(".clause")[1].click()
        self.all(".card-actions button")[0].click()
        self.wait(lambda: self.all(".diagnosis"))
        for details in self.all(".turn details"):
            self.run_script("arguments[0].open = true", details)
        self.check("no basis, failure, diagnosis")

    def test_while_an_answer_is_made(self):
        self.ready()
        self.service.event_seconds = 0.7
        self.one("#question").send_keys("How can it end?", Keys.ENTER)
        self.one(".draft")
        self.run_script("document.querySelector('#options').open = true")
        self.check("running")

    def test_windows(self):
        self.ready()
        self.press(Keys.F1)
        self.one("dialog")
        self.check("shortcuts")
        self.press(Keys.ESCAPE)
        self.ask("How can it end?")
        self.run_script("document.querySelector('.measured summary').click()")
        self.one(".heat-controls .button").click()
        self.one("dialog .heat-map")
        self.check("large heat map")
        self.press(Keys.ESCAPE)
        self.one("#map-button button").click()
        self.one("dialog .heat-cell")
        self.check("map of the document")

    def test_text_and_empty(self):
        self.ready()
        self.all(".file-open")[2].click()
        self.one(".text-flow")
        self.check("text")
        self.service.documents.clear()
        self.open_page()
        self.one(".document-note .button")
        self.check("empty")

    def test_on_a_phone(self):
        size = self.browser.get_window_size()
        self.addCleanup(self.browser.set_window_size, size["width"], size["height"])
        self.browser.set_window_size(500, 860)  # Chromium's narrowest
        self.open_page()
        for name in ("documents", "document", "conversation"):
            self.one(f".tab[data-name={name}]").click()
            self.one(f"#pane-{name}")
            self.check(name)
            self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"),
                                 self.run_script("return innerWidth"))
        self.ask("How can it end?")
        self.one(".citation-mark").click()
        self.wait(lambda: self.one("#pane-document").is_displayed())
        self.one(".mark-citation")


class KeyboardOnly(PageCase):
    documents = (scripted_documents.contract,)

    def focused(self):
        return self.browser.switch_to.active_element

    def tab_to(self, selector):
        for _ in range(80):
            if self.run_script("return document.activeElement.matches(arguments[0])", selector):
                return self.focused()
            self.press(Keys.TAB)
        return self.fail(f"no tab stop {selector}")

    def test_from_question_to_passage(self):
        self.one(".sheet img")
        self.press(Keys.CONTROL, "k")
        self.assertEqual(self.focused().get_attribute("id"), "question")
        self.focused().send_keys("How can it end?", Keys.ENTER)
        self.wait(lambda: self.all(".turn[data-state=done]"))
        self.press(Keys.ALT, Keys.ARROW_DOWN)
        self.wait(lambda: self.all(".mark-citation"))
        self.assertEqual(self.focused().text, "1")
        self.press(Keys.ALT, Keys.ARROW_DOWN)
        self.assertEqual(self.focused().text, "2")

    def test_the_tree_is_one_stop_with_arrows_inside(self):
        self.one(".clause")
        self.press(Keys.TAB)
        self.tab_to("[role=treeitem]")
        self.press(Keys.ARROW_DOWN)
        self.assertTrue(self.focused().text.startswith("2"))
        self.press(Keys.ARROW_RIGHT)
        self.press(Keys.ARROW_RIGHT)
        self.assertTrue(self.focused().text.startswith("2.1"))
        self.press(Keys.ENTER)
        self.wait(lambda: self.all(".mark-clause"))
        self.assertTrue(self.focused().text.startswith("2.1"))
        self.press(Keys.ARROW_LEFT)
        self.press(Keys.ARROW_LEFT)
        self.assertEqual(self.focused().get_attribute("aria-expanded"), "false")
        self.tab_to(".card-top button")
        self.press(Keys.ENTER)
        self.wait(lambda: not self.one("#clauses").find_elements("css selector",
                                                                 "[aria-selected=true]"))

    def test_every_stop_shows_that_it_has_the_focus(self):
        self.one(".sheet img")
        self.ask("How can it end?")
        seen = set()
        self.run_script("document.querySelector('.skip').focus()")
        for _ in range(60):
            self.press(Keys.TAB)
            name, outline, shadow, box = self.run_script(
                "const a = document.activeElement; const s = getComputedStyle(a);"
                "const upload = a.id === 'upload' ? getComputedStyle(a.parentElement) : s;"
                "return [a.id || a.className || a.tagName, upload.outlineStyle,"
                " s.boxShadow, a.getBoundingClientRect().width]")
            if name == "BODY":
                break
            seen.add(name)
            with self.subTest(name=name):
                self.assertNotEqual(outline, "none")
                self.assertGreater(box, 0)
        self.assertIn("upload", seen)
        self.assertIn("question", seen)
        self.assertIn("citation-mark", seen)

    def test_parts_are_reached_by_f6(self):
        self.one(".sheet img")
        self.press(Keys.F6)
        self.assertEqual(self.focused().get_attribute("id"), "pane-documents")
        self.press(Keys.F6)
        self.assertEqual(self.focused().get_attribute("id"), "pane-document")
        self.press(Keys.SHIFT, Keys.F6)
        self.assertEqual(self.focused().get_attribute("id"), "pane-documents")

    def test_the_skip_link_comes_first(self):
        self.one(".sheet img")
        self.run_script("document.activeElement.blur()")
        self.press(Keys.TAB)
        self.assertEqual(self.focused().text, "Skip to the question")


if __name__ == "__main__":
    unittest.main()
