"""whereof clauses, on the examples."""

import json
import unittest

from program import EXAMPLES, ProgramTest


class Clauses(ProgramTest):
    def clauses_of(self, name):
        result = self.run_program("clauses", EXAMPLES / name, "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return json.loads(result.stdout)

    def test_the_three_forms_of_a_contract_have_the_same_clauses(self):
        for stem in ("acquisition-agreement", "收购协议"):
            labels = {
                kind: [
                    clause["label"]
                    for clause in self.clauses_of(stem + kind)["clauses"]
                    if clause["kind"] in ("clause", "schedule", "part")
                ]
                for kind in (".txt", ".pdf", ".docx")
            }
            self.assertGreater(len(labels[".txt"]), 50)
            self.assertEqual(labels[".pdf"], labels[".txt"])
            self.assertEqual(labels[".docx"], labels[".txt"])

    def test_clauses_know_their_pages(self):
        document = self.clauses_of("acquisition-agreement.pdf")
        pages = {clause["label"]: clause["first_page"] for clause in document["clauses"]}
        self.assertGreaterEqual(document["pages"], 40)
        self.assertLess(int(pages["3"]), int(pages["11"]))

    def test_the_tree_is_indented(self):
        result = self.run_program("clauses", EXAMPLES / "acquisition-agreement.txt")
        lines = result.stdout.decode().splitlines()
        self.assertTrue(any(line.startswith("3 ") for line in lines))
        self.assertTrue(any(line.startswith("  3.1 ") for line in lines))


if __name__ == "__main__":
    unittest.main()
