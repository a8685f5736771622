"""whereof why, ask --verify, --expect and --hide."""

import json
import unittest

import jsonschema

from program import CONTRACT, SMALL_MODEL, SOURCE, ProgramTest

QUESTION = "How long is the term of the agreement?"


class Why(ProgramTest):
    def why(self, *arguments):
        document = self.write("supply.txt", CONTRACT)
        return self.run_program("why", document, *arguments, "--max-tokens", "16")

    def test_the_figures_follow_the_schema(self):
        result = self.why(QUESTION, "--clause", "1", "--model", SMALL_MODEL, "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        answer = json.loads(result.stdout)
        schema = json.loads((SOURCE / "docs" / "answer.schema.json").read_text())
        jsonschema.validate(answer, schema)
        diagnosis = answer["diagnosis"]
        self.assertIn(diagnosis["outcome"], ("not_seen", "not_chosen", "used"))
        self.assertEqual(diagnosis["ablation"]["depends_on"], diagnosis["outcome"] == "used")
        self.assertEqual(diagnosis["clauses_read"], 5)  # the title is read beside four clauses
        place = diagnosis["places"][0]
        text = CONTRACT.encode()[place["text_begin"]:place["text_end"]].decode()
        self.assertIn("1. Term", text)  # blank lines of the source are not in the text

    def test_what_is_not_in_the_text_needs_no_model(self):
        result = self.why(QUESTION, "--clause", "7.3", "--model", "no-such-model")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn(b"Not in the text: 7.3", result.stdout)
        result = self.why("期限是多久？", "--text", "期限为十年", "--model", "no-such-model")
        self.assertIn("文本中没有：期限为十年", result.stdout.decode())

    def test_what_was_not_read_is_not_in_the_context(self):
        packed = "It is packed. " * 30
        parts = (f"{n}. Part {n}\nThe Supplier delivers part {n} on day {n}. {packed}\n\n"
                 for n in range(4, 20))
        document = self.write("long.txt", CONTRACT + "\n" + "".join(parts))
        result = self.run_program(
            "why", document, "Which day is part 12 delivered on?", "--text", "forty euros",
            "--model", "no-such-model")
        self.assertIn(b"Not in the text", result.stdout)
        result = self.run_program(
            "why", document, "Which day is part 12 delivered on?", "--text", "40 euros",
            "--model", SMALL_MODEL, "--budget-seconds", "0", "--max-tokens", "8")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn(b"Not in the context: 40 euros", result.stdout)

    def test_one_of_clause_and_text_is_needed(self):
        self.assertEqual(self.why(QUESTION).returncode, 2)
        self.assertEqual(self.why(QUESTION, "--clause", "1", "--text", "term").returncode, 2)


class Verified(ProgramTest):
    def test_each_citation_says_whether_the_answer_depends_on_it(self):
        document = self.write("supply.txt", CONTRACT)
        question = "When does a notice take effect?"  # of these the small model answers it surely
        _, answer = self.ask_json(document, question, "--verify", "--max-tokens", "16")
        schema = json.loads((SOURCE / "docs" / "answer.schema.json").read_text())
        jsonschema.validate(answer, schema)
        cited = answer.get("citations") or answer.get("nearest")
        falls = {citation["clause"]: citation["ablation"]["fall"] for citation in cited}
        self.assertEqual(max(falls, key=falls.get), "3")

    def test_a_hidden_clause_is_not_seen(self):
        document = self.write("supply.txt", CONTRACT)
        _, answer = self.ask_json(
            document, QUESTION, "--hide", "1", "--expect", "1", "--max-tokens", "16")
        self.assertEqual(answer["diagnosis"]["outcome"], "not_seen")
        self.assertEqual(answer["diagnosis"]["ablation"]["fall"], 0)
        self.assertGreater(answer["diagnosis"]["sentences_hidden"], 0)
        cited = answer.get("citations", answer.get("nearest"))
        self.assertNotIn("1", {citation["clause"] for citation in cited})

    def test_what_cannot_be_hidden_is_named(self):
        document = self.write("supply.txt", CONTRACT)
        result = self.run_program(
            "ask", document, QUESTION, "--hide", "9.9", "--model", SMALL_MODEL)
        self.assert_one_clear_line(result, 66, "9.9", "supply.txt")
        result = self.run_program("ask", "--all", QUESTION, "--hide", "1", "--model", SMALL_MODEL)
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    unittest.main()
