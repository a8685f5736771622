"""whereof plan: the figures of the design case, and a plan for a file."""

import json
import os
import unittest

from program import EXAMPLES, SMALL_MODEL, ProgramTest, cache_folder


class Plan(ProgramTest):
    def test_the_design_case_comes_out(self):
        result = self.run_program("plan", "--profile", "card80", "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        plan = json.loads(result.stdout)
        full, part = plan["full"], plan["retrieval"]
        self.assertAlmostEqual(full["projection_flops"] / 4.2e14, 1, delta=0.02)
        self.assertAlmostEqual(full["attention_flops"] / 6.8e15, 1, delta=0.02)
        self.assertAlmostEqual(full["feed_forward_flops"] / 8.4e14, 1, delta=0.02)
        self.assertAlmostEqual(full["total_flops"] / 8.0e15, 1, delta=0.02)
        self.assertAlmostEqual(full["attention_share"], 0.85, delta=0.01)
        self.assertAlmostEqual(full["prefill_seconds"], 8, delta=0.1)
        self.assertAlmostEqual(full["kv_bytes"] / 51.5e9, 1, delta=0.01)
        self.assertAlmostEqual(full["kv_bytes_per_layer"] / 2.1e9, 1, delta=0.03)
        self.assertAlmostEqual(1 / plan["attention_ratio"], 16, delta=0.01)
        self.assertAlmostEqual(part["total_flops"] / 7e14, 1, delta=0.06)
        self.assertAlmostEqual(full["kv_read_seconds_per_token"], 0.017, delta=0.0005)
        self.assertAlmostEqual(plan["answer_seconds"], 3.4, delta=0.1)
        self.assertAlmostEqual(plan["question_seconds"], 11.4, delta=0.3)

    def test_the_table_prints_them(self):
        text = self.run_program("plan", "--profile", "card80").stdout.decode()
        figures = ("4.2e+14", "6.8e+15", "8.4e+14", "84 %", "51.5 GB", "1/16", "17 ms", "3.4 s")
        for figure in figures:
            self.assertIn(figure, text)

    def test_a_file(self):
        result = self.run_program(
            "plan", EXAMPLES / "acquisition-agreement.txt", "--model", SMALL_MODEL, "--json"
        )
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        plan = json.loads(result.stdout)
        self.assertEqual(plan["route"], "passages")  # more than SmolLM2's window
        self.assertGreater(plan["full"]["tokens"], 8192)
        self.assertGreater(plan["flops_per_second"], 0)

    def test_own_numbers_and_a_picture(self):
        picture = self.folder / "plan.svg"
        result = self.run_program(
            "plan", "--tokens", "8000", "--model", SMALL_MODEL, "--tflops", "50",
            "--gb-per-second", "400", "--memory-gb", "24", "--svg", picture, "--json",
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        plan = json.loads(result.stdout)
        self.assertEqual(plan["flops_per_second"], 50e12)
        self.assertEqual(plan["bytes_per_second"], 400e9)
        ways = plan["strategies"]
        self.assertGreater(ways["full"]["once_seconds"], 0)
        self.assertEqual(ways["retrieval"]["once_seconds"], 0)
        self.assertEqual(ways["document_tokens"], 8000)
        self.assertIn("<svg", picture.read_text())

    def test_a_model_whose_name_is_no_text(self):
        model = os.fsencode(self.folder) + b"/mo\xffdel.gguf"
        os.symlink(os.fsencode(cache_folder() / "models" / (SMALL_MODEL + ".gguf")), model)
        for _ in range(2):
            result = self.run_program(
                "plan", EXAMPLES / "acquisition-agreement.txt", "--json",
                "--model", os.fsdecode(model),
                environment={"XDG_CACHE_HOME": str(self.folder / "cache")},
            )  # fmt: skip
            self.assertEqual(result.returncode, 0, result.stderr.decode())
        speeds = json.loads((self.folder / "cache" / "whereof" / "speeds.json").read_text())
        names = [name.split("|")[0] for name in speeds]
        self.assertEqual(names, ["mo\N{REPLACEMENT CHARACTER}del.gguf"])

    def test_the_picture_of_the_design_case(self):
        picture = self.folder / "card.svg"
        result = self.run_program("plan", "--profile", "card80", "--svg", picture)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn("faster than passages from question", result.stdout.decode())
        self.assertIn("polyline", picture.read_text())
        refused = self.run_program("plan", "--profile", "card80", "--svg", "/nowhere/x.svg")
        self.assert_one_clear_line(refused, 74, "/nowhere/x.svg")


if __name__ == "__main__":
    unittest.main()
