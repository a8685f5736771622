"""whereof calibrate, end to end on very small documents made for it."""

import pathlib
import unittest

from program import SMALL_MODEL, ProgramTest, cache_folder


@unittest.skipUnless((cache_folder() / "models" / (SMALL_MODEL + ".gguf")).exists(),
                     "the smallest model is not fetched")
class Calibrate(ProgramTest):
    def calibrate(self, *arguments):
        return self.run_program("calibrate", SMALL_MODEL, *arguments)

    def test_probes_give_a_file_that_ask_takes_and_records_give_it_again(self):
        output = self.folder / "own" / "small.calibration"
        made = self.calibrate("--probe-rounds", "2", "--probe-tokens", "100", "--probe-facts", "2",
                              "--max-tokens", "4", "--kept", self.folder / "records",
                              "--output", output)
        if b"nothing could be fitted" in made.stderr:
            self.skipTest("the small model's few answers told nothing")
        self.assertEqual(made.returncode, 0, made.stderr.decode())
        report = made.stdout.decode()
        self.assertIn("held out\n  probes: 8 questions with an answer", report)
        text = output.read_text()
        if "\n# no verdict: " not in text:
            self.assertIn("probes: 16 questions asked, 8 of them with an answer", report)
            self.assertIn("AUROC", report)
        self.assertTrue(text.startswith("# Calibration of "), text)
        words = ["\nmodel ", "\nshape "]
        # So few questions may give signals that tell nothing of others; that is then said.
        if "\n# no verdict: " not in text:
            words += ["\nsignal ", "\nsupported_from ", "\nweak_from "]
        for word in words:
            self.assertIn(word, text)

        (records,) = (self.folder / "records").iterdir()
        again = self.folder / "again.calibration"
        refitted = self.calibrate("--records", records, "--output", again)
        self.assertEqual(refitted.returncode, 0, refitted.stderr.decode())
        figures = [line for line in again.read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(figures, [line for line in text.splitlines() if not line.startswith("#")])

        document = self.write("a.txt", "1. Term\nThis Agreement runs for five years.\n")
        asked = self.run_program("ask", document, "How long does it run?", "--model", SMALL_MODEL,
                                 environment={"WHEREOF_CALIBRATION": str(output.parent)})
        self.assertIn(asked.returncode, (0, 3), asked.stderr.decode())

    def test_records_that_are_none_are_refused(self):
        absent = self.calibrate("--records", self.folder / "absent")
        self.assert_one_clear_line(absent, 66, "absent: no such file")
        letter = self.write("letter", "dear all\n")
        self.assert_one_clear_line(self.calibrate("--records", letter), 74,
                                   "is no file of passage masses")
        self.assertEqual(pathlib.Path(letter).read_text(), "dear all\n")


if __name__ == "__main__":
    unittest.main()
