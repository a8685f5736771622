"""whereof eval: a small question set, its figures, and going on where a run was stopped."""

import json
import unittest
import xml.etree.ElementTree

from program import CONTRACT, SMALL_MODEL, ProgramTest

QUESTIONS = (("How long is the term of the agreement?", "term"),
             ("What is the price?", "Price"),
             ("Which court hears disputes over the moon?", None))


class Eval(ProgramTest):
    def setUp(self):
        super().setUp()
        self.set = self.folder / "set"
        self.set.mkdir()
        lines = []
        for name in ("one", "two"):
            text = CONTRACT.replace("SUPPLY", name.upper())
            (self.set / f"{name}.txt").write_text(text, encoding="utf-8")
            for question, word in QUESTIONS:
                begin = text.find(word) if word else -1
                spans = [[begin, begin + len(word)]] if begin >= 0 else []
                lines.append(json.dumps({"document": name, "question": question,
                                         "answerable": bool(spans), "gold_spans": spans}))
        (self.set / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")

    def run_eval(self, *arguments):
        report = self.folder / "report.json"
        result = self.run_program("eval", self.set, "--model", SMALL_MODEL, "--max-tokens", "4",
                                  "--no-keep", "--json", report, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, b"")
        return json.loads(report.read_text(encoding="utf-8"))

    def test_figures_are_one_flat_object_with_their_settings(self):
        report = self.run_eval()
        self.assertRegex(report["program"], r"^whereof \d")
        self.assertEqual(report["model"], "smollm2-135m-instruct-q4_1")
        self.assertEqual(report["settings"]["max_tokens"], 4)
        figures = report["figures"]
        for name in ("questions", "answerable", "retrieval_recall_1", "retrieval_recall_5",
                     "retrieval_recall_10", "retrieval_mrr", "first_citation_hit",
                     "citation_precision", "citation_recall", "abstention_auroc",
                     "precision_at_80_recall", "seconds_per_question"):
            self.assertIsInstance(figures[name], (int, float), name)
        self.assertEqual(figures["questions"], 6)
        self.assertEqual(figures["asked"], 6)
        self.assertEqual(len(report["outcomes"]), 6)
        verdicts = sum(figures[f"{verdict}_{kind}"]
                       for verdict in ("supported", "weak", "no_basis")
                       for kind in ("answerable", "unanswerable"))
        self.assertEqual(verdicts, 6)

    def test_a_stopped_run_goes_on(self):
        masses = self.folder / "masses"
        first = self.run_eval("--masses", masses)
        whole = masses.read_bytes()
        masses.write_bytes(whole[:-100])  # the last record is torn
        again = self.run_eval("--masses", masses)
        self.assertGreater(masses.stat().st_size, len(whole) - 100)
        kept = [outcome for outcome in first["outcomes"]
                if outcome["document"] == first["outcomes"][0]["document"]]
        for outcome in kept:
            self.assertIn(outcome, again["outcomes"])  # its seconds too
        self.assertEqual([outcome["answer"] for outcome in first["outcomes"]],
                         [outcome["answer"] for outcome in again["outcomes"]])

    def test_samples_halves_and_the_curve(self):
        curve = self.folder / "curve.svg"
        report = self.run_eval("--limit", "2", "--seed", "5", "--curve", curve)
        self.assertEqual(report["figures"]["asked"], 2)
        self.assertTrue(xml.etree.ElementTree.parse(curve).getroot().tag.endswith("svg"))
        halves = [self.run_eval("--half", half)["figures"]["asked"] for half in ("1", "2")]
        self.assertEqual(sum(halves), 6)

    def test_candidates_are_read_by_themselves(self):
        figures, bytes_kept = {}, {}
        for name, options in (("in the document", ["--candidates", "2"]),
                              ("alone", ["--candidates", "2", "--alone"]),
                              ("all alone", ["--candidates", "0", "--alone"])):
            masses = self.folder / name
            figures[name] = self.run_eval("--retrieval", "attention", "--retrieval-only",
                                          "--masses", masses, *options)["figures"]
            bytes_kept[name] = masses.stat().st_size
            self.assertEqual(figures[name]["ranked_questions"], 4)
            self.assertGreaterEqual(figures[name]["attention_recall_5"], 0.5)
        self.assertLess(bytes_kept["alone"], bytes_kept["all alone"])  # fewer passages were read
        # One record a document, with what does not depend on the question only once.
        self.assertLess(bytes_kept["in the document"], bytes_kept["all alone"])

    def test_a_set_that_is_none(self):
        result = self.run_program("eval", self.folder / "absent")
        self.assertEqual(result.returncode, 66, result.stderr)
        (self.set / "questions.jsonl").write_text("{}\n", encoding="utf-8")
        result = self.run_program("eval", self.set)
        self.assertEqual(result.returncode, 65, result.stderr)
        self.assertIn(b"line 1", result.stderr)


if __name__ == "__main__":
    unittest.main()
