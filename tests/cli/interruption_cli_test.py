"""Ctrl-C in every phase: one line, exit code 130, nothing half-written."""

import signal
import subprocess
import time
import unittest

from program import BINARY, EXAMPLES, SMALL_MODEL, ProgramTest


class Interruption(ProgramTest):
    def interrupt_after(self, seconds):
        process = subprocess.Popen(
            [
                BINARY, "ask", str(EXAMPLES / "acquisition-agreement.pdf"),
                "Which law governs this Agreement?", "--model", SMALL_MODEL,
                "--budget-seconds", "1000", "--max-tokens", "4000",
            ],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment,
        )
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        output, errors = process.communicate(timeout=120)
        return process.returncode, output, errors, time.monotonic() - begin

    def test_at_any_moment(self):
        codes = []
        for seconds in (0.1, 0.4, 0.8, 1.5, 3.0):
            with self.subTest(seconds=seconds):
                code, output, errors, _ = self.interrupt_after(seconds)
                codes.append(code)
                if code in (0, 3):
                    continue  # it had finished
                if code == -signal.SIGINT and output + errors == b"":
                    continue  # on a busy machine: it had not begun, the system ended it
                self.assertEqual(code, 130, errors)
                lines = [line for line in errors.splitlines() if line.startswith(b"whereof: ")]
                self.assertEqual(len(lines), 1, errors)
                self.assertEqual(output, b"")
        self.assertIn(130, codes)
        left = {path.name for path in self.folder.iterdir()}
        self.assertLessEqual(left, {"data", "kept"})

    def test_the_library_is_whole_afterwards(self):
        self.interrupt_after(0.3)
        _, answer = self.ask_json(
            EXAMPLES / "acquisition-agreement.pdf", "Which law governs this Agreement?",
            "--budget-seconds", "2", "--max-tokens", "4",
        )
        self.assertGreater(answer["document"]["clauses"], 100)


if __name__ == "__main__":
    unittest.main()
