"""Questions and answers on the page: streaming, verdicts, citations, what was measured, files."""

import json
import unittest

import scripted_answers
import scripted_documents
from browser import By, Keys, PageCase
from scripted_service import Handler


class Answers(PageCase):
    documents = (scripted_documents.contract, scripted_documents.chinese_contract,
                 scripted_documents.hostile_text)

    def setUp(self):
        super().setUp()
        self.wait(lambda: self.text_of("#document-bar h2") == "services-agreement.pdf")

    def test_text_streams_before_it_is_judged(self):
        self.service.event_seconds = 0.25
        self.one("#question").send_keys("How can it end?", Keys.ENTER)
        self.wait(lambda: "tokens, about" in self.text_of(".turn-phase"))
        self.wait(lambda: self.text_of(".draft").startswith("Either party"))
        self.assertEqual(self.all(".turn .verdict"), [])
        self.assertIn("not yet judged", self.text_of(".turn"))

    def test_the_verdict_stands_first_and_its_reasons_unfold(self):
        turn = self.ask("How can it end?")
        lines = turn.text.split("\n")
        self.assertEqual(lines[0], "How can it end?")
        self.assertEqual(lines[2], "Supported")
        self.assertIsNone(self.one(".reasons").get_attribute("open"))
        self.one(".reasons summary").click()
        self.assertIn("a probability of 0.91", self.text_of(".reasons li"))
        body = self.service.bodies("/v1/ask")[0]
        self.assertEqual(body["document"], scripted_documents.contract().id)
        self.assertEqual(body["budget_seconds"], 60)

    def test_a_click_on_a_citation_marks_its_passage(self):
        self.ask("How can it end?")
        marks = self.all(".citation-mark")
        self.assertEqual([mark.text for mark in marks], ["1", "2"])
        words = "English law governs this Agreement."
        for mark, passage in ((marks[0], "Either party may end it by sixty days' written notice."),
                              (marks[1], words)):
            mark.click()
            box = scripted_documents.contract().citation(passage, 0.5)["boxes"][0]
            self.wait(lambda: len(self.all(".mark-citation")) == 1)
            self.assert_mark_at(self.one(".mark-citation"), box)
        self.assertTrue(self.run_script(
            "const m = document.querySelector('.mark').getBoundingClientRect();"
            "const v = document.querySelector('#document-view').getBoundingClientRect();"
            "return m.top >= v.top && m.bottom <= v.bottom"))
        self.assertIn(words, self.all(".citation-open .quotation")[1].text)

    def open_measured(self, name):
        summary = next(one for one in self.all(".measured summary") if one.text == name)
        summary.click()
        return summary.find_element(By.XPATH, "..")

    def cells(self):
        return self.run_script("return [...document.querySelectorAll('.heat-cell')].map("
                               "(cell) => [Number(cell.dataset.clause), Number(cell.dataset.share),"
                               " cell.getAttribute('aria-label')])")

    def test_the_heat_map_has_the_figures_of_the_answer(self):
        self.ask("How can it end?")
        self.open_measured("Heat map")
        measured = Handler.answer(scripted_documents.contract(), "How can it end?")["map"]
        self.all("[data-choice=rows_all]")[0].click()
        columns = [row["shares"] for row in measured["rows"]]
        expected = [[clause, shares[clause]] for clause in range(len(measured["clauses"]))
                    for shares in columns]
        self.assertEqual([cell[:2] for cell in self.cells()], expected)
        self.assertIn("Sentence 1: 55 %", next(cell[2] for cell in self.cells()
                                               if cell[1] == 0.55))
        self.all("[data-choice=by_layers]")[0].click()
        columns = [layer["shares"] for layer in measured["layers"]]
        expected = [[clause, shares[clause]] for clause in range(len(measured["clauses"]))
                    for shares in columns]
        self.assertEqual([cell[:2] for cell in self.cells()], expected)

    def test_a_cell_tells_its_figure_and_leads_to_its_clause(self):
        self.ask("How can it end?")
        self.open_measured("Heat map")
        self.run_script("document.querySelector('.heat-cell[tabindex=\"0\"]').focus()")
        self.press(Keys.ARROW_RIGHT)
        self.press(Keys.ARROW_DOWN)
        focused = self.browser.switch_to.active_element
        self.assertEqual(self.text_of(".heat-read"), focused.get_attribute("aria-label"))
        self.press(Keys.ENTER)
        self.wait(lambda: self.all(".mark-clause"))
        clause = self.run_script("return document.querySelector('.heat-cell:focus') "
                                 "?.dataset.clause ?? ''") or focused.get_attribute("data-clause")
        self.assertEqual(self.one(".clause[aria-selected=true]").get_attribute("data-index"),
                         clause)

    def test_layers_show_their_alarms(self):
        self.ask("How can it end?")
        place = self.open_measured("Layers")
        measured = Handler.answer(scripted_documents.contract(), "How can it end?")["map"]
        values = self.run_script("return [...document.querySelectorAll('.plot-point')].map("
                                 "(point) => Number(point.dataset.value))")
        layers = measured["layers"]
        self.assertEqual(values, [layer["entropy"] for layer in layers]
                         + [layer["sink_mass"] for layer in layers])
        self.assertEqual(len(place.find_elements(By.CSS_SELECTOR, ".plot-alarm")), 2)
        self.assertIn("layer 7 looks at few tokens", place.text)

    def test_the_plan_has_predicted_and_real_seconds(self):
        self.ask("How can it end?")
        text = self.open_measured("Plan").text
        self.assertIn("The whole document", text)
        self.assertRegex(text, r"Predicted\s+4\.2 s\s+Real\s+4\.0 s\s+Allowed 60 s")

    def test_no_basis(self):
        turn = self.ask("Are pets allowed?")
        self.assertEqual(turn.text.split("\n")[2], "No basis found")
        self.assertIn("Nearest passages", turn.text)
        self.assertNotIn("allows cats", turn.text)
        self.one(".withheld summary").click()
        self.assertIn("The agreement allows cats.", self.text_of(".withheld"))
        self.assertEqual(self.all(".withheld .citation-mark"), [])

    def test_a_failure_in_the_stream_is_told_and_can_be_tried_again(self):
        turn = self.ask("Please break")
        self.assertIn("the model file changed while it was read", turn.text)
        turn.find_element(By.TAG_NAME, "button").click()
        self.wait(lambda: len(self.service.bodies("/v1/ask")) == 2)

    def test_an_answer_can_be_stopped(self):
        self.service.event_seconds = 0.3
        self.one("#question").send_keys("How can it end?", Keys.ENTER)
        self.wait(lambda: self.one("#send").text == "Stop")
        self.one("#send").click()
        self.wait(lambda: "Stopped." in self.text_of(".turn"))
        self.wait(lambda: self.one("#send").text == "Ask")

    def test_why_not_this_clause_and_hiding_one(self):
        self.ask("How can it end?")
        self.all(".clause")[1].click()
        buttons = self.all(".card-actions button")
        buttons[0].click()
        self.wait(lambda: self.all(".diagnosis"))
        self.assertIn("Seen, but not chosen: 2", self.text_of(".diagnosis"))
        self.assertIn("Name the clause in the question.", self.text_of(".diagnosis"))
        body = self.service.bodies("/v1/why")[0]
        self.assertEqual((body["clause"], body["question"]), ("2", "How can it end?"))
        self.all(".card-actions button")[1].click()
        self.wait(lambda: len(self.all(".turn[data-state=done]")) == 3)
        self.assertEqual(self.service.bodies("/v1/ask")[1]["hide"], ["2"])
        self.assertIn("Answered as if 2 were not there", self.all(".turn")[2].text)

    def test_all_documents_are_asked(self):
        self.all("#scope button")[1].click()
        self.ask("How can it end?")
        body = self.service.bodies("/v1/ask")[0]
        self.assertEqual(body["documents"], "all")
        self.assertNotIn("document", body)

    def downloaded(self, ending):
        return self.wait(lambda: next(iter(self.downloads.glob(f"*.{ending}")), None))

    def test_answers_are_saved(self):
        self.ask("How can it end?")
        for place in range(3):
            self.all(".exports button")[place].click()
        saved = json.loads(self.downloaded("json").read_text(encoding="utf-8"))
        self.assertEqual(saved["verdict"], "supported")
        markdown = self.downloaded("md").read_text(encoding="utf-8")
        self.assertIn("**Supported**", markdown)
        self.assertIn("sixty days' notice\\. [1]", markdown)
        page = self.downloaded("html").read_text(encoding="utf-8")
        self.assertIn("default-src 'none'", page)
        self.assertIn("<blockquote>English law governs this Agreement.</blockquote>", page)

    def test_saved_files_hold_no_markup_of_answers(self):
        self.all(".file-open")[2].click()
        self.wait(lambda: self.text_of("#document-bar h2") == "notes.txt")
        self.ask("What is the price?")
        markdown, page = self.browser.execute_async_script(
            "const done = arguments[0];"
            "Promise.all([import('/app/export.js'), import('/app/conversation.js')])"
            ".then(([e, c]) => done([e.markdownOf(c.latestTurn()), e.htmlOf(c.latestTurn())]))")
        self.assertIn("https\\://images\\.example/answer\\.png", markdown)
        self.assertNotIn("![x](", markdown)
        self.assertNotIn("<img", page)
        self.assertNotIn("<script", page)

    def test_nothing_of_documents_or_answers_is_markup_or_a_request(self):
        self.all(".file-open")[2].click()
        self.wait(lambda: "planted.png" in self.text_of(".text-flow"))
        self.ask("What is the price?")
        self.assertIn('<img src="https://images.example/answer.png" onerror="alert(1)">',
                      self.text_of(".answer-text"))
        self.one(".citation-mark").click()
        self.wait(lambda: self.text_of("mark") == "The price is 100 euros.")
        self.assertEqual(self.all(".pane img"), [])
        self.assertEqual(self.browser.title, "whereof: questions to documents")
        outside = [address for address in self.requested_addresses()
                   if not address.startswith((self.service.address, "blob:", "data:"))]
        self.assertEqual(outside, [])
        self.assert_nothing_refused()


class ChineseBrowser(PageCase):
    language = "zh-CN"
    documents = (scripted_documents.chinese_contract,)

    def test_the_page_speaks_chinese(self):
        self.wait(lambda: self.text_of("#document-bar h2") == "股权转让协议.pdf")
        self.assertEqual(self.run_script("return document.documentElement.lang"), "zh-CN")
        turn = self.ask("转让价款是多少？")
        self.assertEqual(turn.text.split("\n")[2], "有依据")
        self.one(".citation-mark").click()
        box = scripted_documents.chinese_contract().citation("转让价款为人民币五千万元",
                                                             0.7)["boxes"][0]
        self.wait(lambda: self.all(".mark-citation"))
        self.assert_mark_at(self.one(".mark-citation"), box)

    def test_the_switch_changes_all_words_and_is_kept(self):
        self.ask("转让价款是多少？")
        self.run_script("const s = document.querySelector('#language'); s.value = 'en';"
                        "s.dispatchEvent(new Event('change'))")
        self.assertEqual(self.text_of(".turn .verdict"), "Supported")
        self.assertEqual(self.text_of(".pane-top h2"), "Documents")
        self.open_page()
        self.assertEqual(self.text_of(".pane-top h2"), "Documents")


class WithKey(PageCase):
    documents = (scripted_documents.contract,)
    key = "open sesame"

    def test_the_key_is_asked_for_and_kept_in_the_tab(self):
        self.one("#key").send_keys("wrong", Keys.ENTER)
        self.wait(lambda: "not accepted" in self.text_of("dialog"))
        self.one("#key").send_keys(self.key, Keys.ENTER)
        self.one(".sheet img")
        self.ask("How can it end?")
        self.assertEqual(self.text_of(".turn .verdict"), "Supported")
        self.assertEqual(self.run_script("return [sessionStorage.length, "
                                         "JSON.stringify(localStorage).includes('sesame')]"),
                         [1, False])


class Scripts(unittest.TestCase):
    def test_scripted_answers_are_of_the_schema(self):
        """What the page is tested with is what the program writes."""
        import jsonschema
        from scripted_service import PAGE
        schema = json.loads((PAGE.parents[1] / "docs" / "answer.schema.json").read_text())
        answer = Handler.answer(scripted_documents.contract(), "How can it end?")
        answer["diagnosis"] = scripted_answers.diagnosis_of("2")
        del answer["map"]
        del schema["properties"]["evidence"]
        answer.pop("evidence")
        schema["required"].remove("evidence")
        jsonschema.validate(answer, schema)


if __name__ == "__main__":
    unittest.main()
