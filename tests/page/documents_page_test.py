"""Documents on the page: adding, reading, pages, clauses, text, removing."""

import tempfile
import unittest

import scripted_answers
import scripted_documents
from browser import By, Keys, PageCase


class Empty(PageCase):
    def upload(self, name, content):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = f"{folder.name}/{name}"
        with open(path, "wb") as file:
            file.write(content)
        self.browser.find_element(By.ID, "upload").send_keys(path)

    def test_says_what_to_do(self):
        self.assertIn("Drop documents anywhere", self.text_of("#document-view"))
        self.assertIn("No documents yet", self.text_of("#files"))
        self.one("#question").send_keys("What?", Keys.ENTER)
        self.assertEqual(self.text_of("#ask-notice"), "Add a document first.")

    def test_upload_is_read_and_opened(self):
        self.upload("lease.pdf", b"%PDF\n1 Rent\n1.1 The rent is due on the first of a month.\n")
        self.wait(lambda: self.text_of("#document-bar h2") == "lease.pdf")
        self.assertIn("PDF · 1 page", self.text_of(".file-open[aria-current]"))
        self.assertEqual(self.text_of(".clause .clause-number"), "1")
        self.one(".sheet img")
        self.assert_nothing_refused()

    def test_documents_can_be_dropped(self):
        self.run_script("""
            const data = new DataTransfer();
            data.items.add(new File(['1 Rent\\n1.1 It is due.\\n'], 'dropped.txt'));
            for (const kind of ['dragover', 'drop']) {
              const event = new DragEvent(kind, { dataTransfer: data, bubbles: true,
                cancelable: true });
              document.querySelector('#document-view').dispatchEvent(event);
              if (kind === 'dragover') window.shade = !document.querySelector('#drop').hidden;
            }""")
        self.assertTrue(self.run_script("return window.shade"))
        self.wait(lambda: self.text_of("#document-bar h2") == "dropped.txt")
        self.assertEqual(self.run_script("return document.querySelector('#drop').hidden"), True)
        self.assertIn("It is due.", self.text_of(".text-flow"))

    def test_what_is_added_before_the_list_has_come_is_kept(self):
        self.service.list_seconds = 1
        self.service.event_seconds = 0.5  # so that it is still being read when the list comes
        self.open_page()
        self.upload("early.txt", b"1 Rent\n1.1 It is due.\n")
        self.wait(lambda: self.text_of("#document-bar h2") == "early.txt")

    def test_progress_of_reading_is_shown(self):
        self.service.event_seconds = 0.5
        self.upload("lease.pdf", b"%PDF\n1 Rent\n")
        self.wait(lambda: "Reading 50 %, about 1 s left" in self.text_of(".file-processing"))
        self.assertEqual(self.one(".file-processing progress").get_property("value"), 0.5)

    def test_a_refused_file_says_why(self):
        self.upload("setup.exe", b"MZ")
        message = self.text_of(".file-error .file-state")
        self.assertIn("setup.exe: no document that can be read", message)
        self.one(".file-error .file-remove").click()
        self.wait(lambda: not self.all(".file-error"))

    def test_an_empty_file_is_not_sent(self):
        self.upload("nothing.pdf", b"")
        self.assertIn("nothing.pdf is empty", self.text_of(".file-error .file-state"))
        self.assertEqual(self.service.bodies("/v1/files"), [])


class Pages(PageCase):
    documents = (scripted_documents.contract, scripted_documents.hostile_text)

    def setUp(self):
        super().setUp()
        self.wait(lambda: self.text_of("#document-bar h2") == "services-agreement.pdf")

    def test_a_clause_is_found_and_marked(self):
        self.one("#clause-filter").send_keys("governing")
        self.wait(lambda: len(self.all(".clause")) == 1)
        self.one(".clause").click()
        document = scripted_documents.contract()
        clause = next(one for one in document.clauses if one["label"] == "5")
        expected = document.boxes(clause["text_begin"], clause["own_text_end"])
        self.wait(lambda: len(self.all(".mark-clause")) == len(expected))
        self.assert_mark_at(self.one(".mark-clause"), expected[0])

    def test_references_of_a_clause_lead_on(self):
        self.run_script("document.querySelector('#clause-filter').focus()")
        self.one("#clause-filter").send_keys("1.2")
        self.wait(lambda: self.all(".clause")[0].text.startswith("1.2"))
        self.click_clause(0)
        link = self.one(".card-links .link")
        self.assertEqual(link.text, "4.1")
        link.click()
        self.wait(lambda: "4.1" in self.text_of("#clause-card h3"))
        self.assertIn("1.2", self.text_of(".card-links"))

    def test_the_map_shows_which_clause_reads_which(self):
        self.one("#map-button button").click()
        self.wait(lambda: self.all("dialog .heat-cell"))
        document = scripted_documents.contract()
        measured = scripted_answers.document_map_of(document)
        found = self.run_script(
            "return Array.from(document.querySelectorAll('dialog .heat-cell'), (cell) =>"
            " [Number(cell.dataset.row), Number(cell.dataset.column), Number(cell.dataset.lift)])")
        self.assertEqual(found, [[i, k, lift] for i, row in enumerate(measured["rows"])
                                 for k, lift in enumerate(row["lifts"])])
        labels = [clause["label"] for clause in document.clauses]
        row, column = labels.index("4.2"), labels.index("2.1")
        cell = self.one(f"dialog .heat-cell[data-row='{row}'][data-column='{column}']")
        self.assertIn("uses a term defined in it", cell.get_attribute("aria-label"))
        self.assertEqual(len(self.all("dialog .heat-map .map-term")), 1)
        self.run_script("document.querySelector('dialog .heat-cell[tabindex=\"0\"]').focus()")
        for _ in range(3):
            self.press(Keys.ARROW_DOWN)
        focused = self.browser.switch_to.active_element
        self.assertEqual(self.text_of("dialog .heat-read"), focused.get_attribute("aria-label"))
        self.press(Keys.ENTER)
        self.wait(lambda: not self.all("dialog"))
        self.assertEqual(self.one(".clause[aria-selected=true]").get_attribute("data-index"), "0")

    def click_clause(self, place):
        """A row may go while it is meant: the tree is made anew when first words come."""
        self.wait(lambda: [self.all(".clause")[place].click()])

    def test_questions_about_a_clause_need_a_question_first(self):
        self.click_clause(0)
        self.assertFalse(self.one(".card-actions button").is_enabled())
        self.assertIn("Ask a question first", self.text_of(".card-actions"))

    def test_text_is_an_alternative_to_pictures(self):
        self.all(".switch button")[1].click()
        self.wait(lambda: "SERVICES AGREEMENT" in self.text_of(".text-flow"))
        self.click_clause(4)
        self.wait(lambda: self.text_of("mark").startswith("5 Governing law"))

    def test_a_page_is_gone_to_by_its_number(self):
        field = self.one("#page-field")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("3", Keys.ENTER)
        self.wait(lambda: self.run_script(
            "const s = document.querySelectorAll('.sheet')[2].getBoundingClientRect();"
            "const v = document.querySelector('#document-view').getBoundingClientRect();"
            "return Math.abs(s.top - v.top) < 40"))

    def test_zoom_keeps_the_place(self):
        before = self.one(".sheet").size["width"]
        self.all(".zoom button")[1].click()
        self.wait(lambda: self.one(".sheet").size["width"] > before * 1.2)

    def test_another_document_is_opened_and_removed(self):
        self.all(".file-open")[1].click()
        self.wait(lambda: self.text_of("#document-bar h2") == "notes.txt")
        self.assertEqual(self.all(".zoom"), [])
        self.run_script("document.querySelectorAll('.file-remove')[1].click()")
        self.assertIn("notes.txt", self.text_of("dialog h2"))
        self.all("dialog .dialog-buttons button")[1].click()
        self.wait(lambda: len(self.all(".file")) == 1)
        self.assertIn("Drop documents anywhere", self.text_of("#document-view"))
        self.assertEqual([path.split("/")[2] for method, path, _ in self.service.requests
                          if method == "DELETE"], ["files"])


class LongDocument(PageCase):
    documents = (scripted_documents.long_contract,)

    def pictures(self):
        return [path for _, path, _ in self.service.requests if ".png" in path]

    def test_only_pages_near_the_view_are_fetched(self):
        self.one(".sheet img")
        self.assertEqual(len(self.all(".sheet")), 200)
        heights = self.run_script("return [...document.querySelectorAll('.sheet')].map("
                                  "(sheet) => sheet.offsetHeight / sheet.offsetWidth)")
        for ratio in heights:
            self.assertAlmostEqual(ratio, scripted_documents.HEIGHT / scripted_documents.WIDTH,
                                   delta=0.01)
        self.wait(lambda: len(self.pictures()) >= 2)
        self.assertLess(len(self.pictures()), 6)
        self.run_script("document.querySelectorAll('.sheet')[150].scrollIntoView()")
        self.wait(lambda: self.all(".sheet")[150].find_elements(By.TAG_NAME, "img"))
        self.assertLess(len(self.pictures()), 14)

    def test_the_first_page_is_asked_for_once_and_together_with_the_document(self):
        self.one(".sheet img")
        self.service.picture_asked.clear()
        self.service.holds_documents = True
        self.service.requests.clear()
        self.browser.refresh()
        self.one(".sheet img")
        self.assertTrue(self.service.was_asked_early)
        self.wait(lambda: len(self.pictures()) >= 2)
        self.assertEqual(len([path for path in self.pictures() if "/pages/1.png" in path]), 1)

    def test_few_pictures_are_kept(self):
        self.one(".sheet img")
        for page in range(0, 200, 3):
            self.run_script("document.querySelectorAll('.sheet')[arguments[0]].scrollIntoView()",
                            page)
            if page % 15 == 0:
                self.wait(lambda page=page: self.all(".sheet")[page].find_elements(
                    By.TAG_NAME, "img"))
        self.assertLessEqual(len(self.all(".sheet img")), 28)

    def test_a_document_that_is_too_long_for_a_map_says_so(self):
        self.one("#map-button button").click()
        self.wait(lambda: "longer than what the model can read at once"
                  in self.text_of("dialog [role=alert]"))
        self.assertIn("90000 tokens, the window has 8192", self.text_of("dialog [role=alert]"))

    def test_closed_clauses_cost_no_rows(self):
        self.one(".clause")
        self.assertLessEqual(len(self.all(".clause")), 601)


if __name__ == "__main__":
    unittest.main()
