"""whereof lab: every figure comes out, and the figures are the ones that theory gives."""

import json
import math
import unittest
import xml.etree.ElementTree as xml

from program import ProgramTest


class Lab(ProgramTest):
    def lab(self, *arguments, of_machine=()):
        """{name: line} of an experiment that came out. Lines named in of_machine measure time or
        memory of this machine, which other programs and sanitizers change: they may not match.
        """
        result = self.run_program("lab", *arguments, "--json")
        self.assertIn(result.returncode, (0, 1), (result.stdout + result.stderr).decode())
        report = json.loads(result.stdout)
        self.assertEqual(report["all_match"], result.returncode == 0)
        self.assertEqual(report["all_match"], all(line["matches"] for line in report["lines"]))
        names = {line["name"] for line in report["lines"]}
        self.assertLessEqual(set(of_machine), names)
        for line in report["lines"]:
            if line["name"] not in of_machine:
                self.assertTrue(line["matches"], line)
        return {line["name"]: line["measured"] for line in report["lines"]}

    def test_scale(self):
        plot = self.folder / "scale.svg"
        lines = self.lab("scale", "--svg", plot)
        for head_dim, spread in ((16, 4.0), (64, 8.0), (128, 11.314)):
            self.assertAlmostEqual(lines[f"sd_{head_dim}"] / spread, 1, delta=0.01)
            exact = 1 / (1 + math.exp(2 * math.sqrt(head_dim)))
            self.assertAlmostEqual(lines[f"rest_{head_dim}"] / exact, 1, delta=1e-5)
        self.assertAlmostEqual(lines["gradient_128"] / 1.5e-10, 1, delta=0.02)
        self.assertEqual(lines["gradient_half"], 0)
        self.assertAlmostEqual(lines["half_normal"], 2.0**-14)
        self.assertAlmostEqual(lines["scaled_weight"], 0.881, delta=0.0005)
        self.assertAlmostEqual(lines["scaled_gradient"], 0.105, delta=0.0005)
        self.assertAlmostEqual(lines["variance_by_dim"], 1, delta=0.02)
        self.assertAlmostEqual(lines["overflow"], 11.09, delta=0.002)
        root = xml.parse(plot).getroot()
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        for label in ("larger weight", "gradient p (1 - p)", "divisor of the scores", "128"):
            self.assertIn(label, texts)

    def test_masks(self):
        lines = self.lab("masks")
        self.assertEqual(lines["above_diagonal"], 0)
        self.assertLess(lines["row_sums"], 1e-6)
        self.assertEqual(lines["first_weight"], 1)
        self.assertLess(lines["zeroed_after"], 0.9)
        text = self.run_program("lab", "masks").stdout.decode()
        for row in ("row 0  x x x . .", "row 1  x x x x .", "row 2  x x x x x"):
            self.assertIn(row, text)

    def test_positions(self):
        lines = self.lab("positions")
        self.assertLess(lines["without"], 2e-6)
        self.assertGreater(lines["with"], 0.05)
        self.assertLess(lines["shifted"], 1e-4)

    def test_rank(self):
        lines = self.lab("rank")
        self.assertEqual(lines["rank_64_8"], 8)
        self.assertEqual(lines["rank_64_32"], 32)
        self.assertEqual(lines["rank_12_64"], 12)

    def test_scoring(self):
        lines = self.lab("scoring", of_machine=("concat_time", "additive_time"))
        for form in ("dot", "general", "concat", "additive"):
            self.assertAlmostEqual(lines[f"{form}_sum"], 1, delta=1e-6)
            self.assertLess(lines[f"{form}_gradients"], 2e-3)
        self.assertGreater(lines["additive_time"], 0)

    def test_memory(self):
        plot = self.folder / "memory.svg"
        lines = self.lab("memory", "--largest", "2048", "--svg", plot,
                         of_machine=("materialised_share", "tiled_mib", "tiled_growth",
                                     "bandwidth_share"))
        self.assertAlmostEqual(lines["scores"] / 5.5e11, 1, delta=0.005)
        self.assertAlmostEqual(lines["terabytes"], 1.1, delta=0.005)
        self.assertEqual(lines["flops_per_byte"], 1)
        self.assertLess(lines["difference"], 1e-5)
        # The matrix was written down by one and not by the other, whatever else the process holds.
        self.assertGreater(lines["materialised_share"], 0.9)
        self.assertLess(lines["tiled_mib"], 8)
        root = xml.parse(plot).getroot()
        self.assertEqual(len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))), 4)

    def test_bad_use(self):
        self.assertEqual(self.run_program("lab").returncode, 2)
        self.assertEqual(self.run_program("lab", "alchemy").returncode, 2)
        self.assertEqual(self.run_program("lab", "memory", "--largest", "7").returncode, 2)
        no_plot = self.run_program("lab", "rank", "--svg", self.folder / "rank.svg")
        self.assertEqual(no_plot.returncode, 2)
        nowhere = self.run_program("lab", "scale", "--svg", self.folder / "absent" / "scale.svg")
        self.assertEqual(nowhere.returncode, 74)
        self.assertIn(b"cannot write", nowhere.stderr)


if __name__ == "__main__":
    unittest.main()
