"""What bench/attention.py makes of the lines that the two programs answer."""

import argparse
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import attention  # noqa: E402  (the path comes first)
import attention_report  # noqa: E402

CASE = {"case": "causal_bf16", "dtype": "bf16", "work": "prefill", "peer": "sdpa",
        "forced_set": ""}
GREETING = {"instruction_set": "avx512", "threads": 2, "work": 8e12, "peak": "fma_f32",
            "extra_bytes": 1 << 20}
# The second round is slow for all, the third for the run with evidence alone.
ANSWERS = [
    {"seconds": 4.0, "fastest_seconds": 3.9, "fastest_plain_seconds": 3.8, "peak_per_second": 4e12},
    {"seconds": 8.4, "fastest_seconds": 8.3, "fastest_plain_seconds": 8.0, "peak_per_second": 2e12},
    {"seconds": 5.0, "fastest_seconds": 4.8, "fastest_plain_seconds": 4.0, "peak_per_second": 4e12}]
PEER_GREETING = {"peer": "PyTorch 0", "capability": "AVX512",
                 "extra_bytes": {"one way": 5, "another": 7}}
PEER_ANSWERS = [{"one way": 30.0, "another": 10.0}, {"one way": 1.0, "another": 11.0},
                {"one way": 30.0, "another": 12.5}]


def record_of(case=None, **changes):
    record = attention.own_figures(dict(CASE, **(case or {})), GREETING, ANSWERS)
    record.update(attention.peer_figures(CASE, PEER_GREETING, PEER_ANSWERS, record["seconds"]))
    record.update(processor="a <processor>", **changes)
    return record


class OwnFigures(unittest.TestCase):
    def setUp(self):
        self.record = attention.own_figures(CASE, GREETING, ANSWERS)

    def test_seconds_are_the_median_with_evidence(self):
        self.assertEqual(self.record["seconds"], 5.0)
        self.assertAlmostEqual(self.record["tflops"], 8 / 5)

    def test_the_share_is_of_the_peak_of_the_same_round(self):
        # 8e12 / 4 / 4e12 = 0.5, 8e12 / 8.4 / 2e12 = 0.476, 8e12 / 5 / 4e12 = 0.4
        self.assertAlmostEqual(self.record["share_of_peak"], 8 / 8.4 / 2)

    def test_evidence_is_weighed_on_the_fastest_runs(self):
        self.assertAlmostEqual(self.record["evidence_overhead"], 3.9 / 3.8 - 1)

    def test_bandwidth_counts_bytes(self):
        record = attention.own_figures(CASE, dict(GREETING, peak="read_bandwidth", work=2e10),
                                       ANSWERS)
        self.assertAlmostEqual(record["gbytes_per_s"], 4.0)
        self.assertNotIn("tflops", record)

    def test_gradients_have_no_evidence(self):
        answers = [{"seconds": 1.0, "peak_per_second": 1e13}]
        record = attention.own_figures(dict(CASE, work="backward"), GREETING, answers)
        self.assertFalse({"evidence", "evidence_overhead"} & set(record))


class PeerFigures(unittest.TestCase):
    def test_the_way_with_the_smallest_median_counts(self):
        figures = attention.peer_figures(CASE, PEER_GREETING, PEER_ANSWERS, 5.0)
        self.assertEqual(figures["peer_way"], "another")
        self.assertEqual(figures["peer_seconds"], 11.0)
        self.assertAlmostEqual(figures["ratio"], 2.2)
        self.assertEqual(figures["peer_extra_bytes"], 7)

    def test_growth_is_the_time_of_the_longer_case_over_the_shorter(self):
        case = dict(CASE, case="growth_t8", peer="growth_t4")
        figures = attention.peer_figures(case, GREETING, ANSWERS, 20.0)
        self.assertEqual(figures["peer"], "whereof, growth_t4")
        self.assertAlmostEqual(figures["growth"], 4.0)

    def test_nobody_gives_nothing(self):
        self.assertEqual(attention.peer_figures(CASE, {}, [None], 5.0), {})


class Choice(unittest.TestCase):
    def chosen(self, **given):
        arguments = argparse.Namespace(**{"only": [], "skip": [], "resume": False, **given})
        cases = [{"case": name} for name in ("causal_a", "causal_b", "decode_a")]
        return [case["case"] for case in attention.chosen(cases, arguments, [{"case": "causal_b"}])]

    def test_parts_of_names_choose(self):
        self.assertEqual(self.chosen(), ["causal_a", "causal_b", "decode_a"])
        self.assertEqual(self.chosen(only=["_a"]), ["causal_a", "decode_a"])
        self.assertEqual(self.chosen(only=["_a", "_b"], skip=["decode"]), ["causal_a", "causal_b"])

    def test_resume_leaves_what_is_there(self):
        self.assertEqual(self.chosen(resume=True), ["causal_a", "decode_a"])


class Reports(unittest.TestCase):
    def test_a_row_has_a_cell_for_each_heading(self):
        lone = attention.own_figures(CASE, GREETING, [{"seconds": 1.0, "peak_per_second": 1e13}])
        for record in (record_of(), lone):
            self.assertEqual(attention_report.row(record).count("|"),
                             attention_report.HEADER.split("\n", 1)[0].count("|"))

    def test_the_picture_is_well_formed_and_shows_each_case(self):
        records = [record_of(), record_of({"case": "weights_path"}), record_of({"case": "growth"})]
        root = xml.etree.ElementTree.fromstring(attention_report.picture(records))
        texts = [node.text for node in root.iter() if node.tag.endswith("text")]
        self.assertIn("causal_bf16", texts)
        self.assertIn("weights_path", texts)
        self.assertNotIn("growth", texts)  # neither a ratio to PyTorch nor a share worth a bar
        self.assertEqual(texts.count("2.20"), 2)

    def test_records_come_back_as_they_were_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results" / "attention.json"
            self.assertEqual(attention.read_records(path), [])
            attention.write_records(path, [record_of()])
            self.assertEqual(attention.read_records(path), [record_of()])
            self.assertEqual(list(path.parent.iterdir()), [path])


if __name__ == "__main__":
    unittest.main()
