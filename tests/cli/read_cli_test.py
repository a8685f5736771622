"""whereof read and library: what was read is kept, and the next question need not wait."""

import json
import signal
import subprocess
import time
import unittest

from program import BINARY, CONTRACT, EXAMPLES, SMALL_MODEL, ProgramTest


class Read(ProgramTest):
    def read(self, *files):
        return self.run_program("read", *files, "--model", SMALL_MODEL)

    def kept(self):
        result = self.run_program("library", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_a_question_finds_what_was_read(self):
        document = self.write("supply.txt", CONTRACT)
        first = self.read(document)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn(b"supply.txt: ", first.stdout)
        (reading,) = self.kept()
        self.assertEqual(reading["document"], "supply.txt")
        _, answer = self.ask_json(document, "How long is the term of the agreement?")
        self.assertEqual(answer["plan"]["kept_tokens"], reading["tokens"])
        self.assertLess(answer["plan"]["prompt_tokens"] - reading["tokens"], 40)
        _, fresh = self.ask_json(document, "How long is the term of the agreement?", "--no-keep")
        self.assertEqual(fresh["plan"]["kept_tokens"], 0)
        for name in ("answer", "withheld", "verdict", "evidence"):
            self.assertEqual(answer[name], fresh[name])

    def test_the_second_question_finds_what_the_first_read(self):
        document = self.write("supply.txt", CONTRACT)
        _, first = self.ask_json(document, "How long is the term of the agreement?")
        _, second = self.ask_json(document, "What is the price?")
        self.assertEqual(first["plan"]["kept_tokens"], 0)
        self.assertGreater(second["plan"]["kept_tokens"], 0)

    def test_a_changed_document_is_read_anew(self):
        document = self.write("supply.txt", CONTRACT)
        self.read(document)
        self.write("supply.txt", CONTRACT.replace("1", "7"))
        _, answer = self.ask_json(document, "What is the price?")
        self.assertEqual(answer["plan"]["kept_tokens"], 0)

    def test_reading_twice_says_so(self):
        document = self.write("supply.txt", CONTRACT)
        self.read(document)
        self.assertIn(b"all kept from before", self.read(document).stdout)

    def test_several_files_and_one_that_is_missing(self):
        one = self.write("one.txt", CONTRACT)
        other = self.write("other.txt", CONTRACT.replace("SUPPLY", "PURCHASE"))
        result = self.read(one, self.folder / "absent.txt", other)
        self.assertEqual(result.returncode, 66, result.stderr)
        self.assertIn(b"absent.txt", result.stderr)
        self.assertEqual({reading["document"] for reading in self.kept()},
                         {"one.txt", "other.txt"})

    def test_a_document_longer_than_the_window_is_refused_with_both_numbers(self):
        result = self.read(EXAMPLES / "acquisition-agreement.txt")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr.decode(), r"has \d{5} tokens and the window of .* is 8192")

    def test_an_interrupted_reading_goes_on(self):
        text = (EXAMPLES / "acquisition-agreement.txt").read_text(encoding="utf-8")[:22000]
        document = self.write("long.txt", text)
        process = subprocess.Popen(
            [BINARY, "read", document, "--model", SMALL_MODEL],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)
        while process.poll() is None and not any(r["tokens"] for r in self.kept()):
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, errors)
        (reading,) = self.kept()
        self.assertGreaterEqual(reading["tokens"], 256)
        self.assertEqual(reading["tokens"] % 256, 0)
        result = self.read(document)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn(b"all kept", result.stdout)
        (whole,) = self.kept()
        self.assertGreater(whole["tokens"], reading["tokens"])
        computed = int(result.stdout.split(b"tokens, ")[1].split()[0])
        self.assertLess(computed, whole["tokens"] - 255)

    def test_the_library_lists_and_drops(self):
        document = self.write("supply.txt", CONTRACT)
        self.read(document)
        listed = self.run_program("library")
        self.assertIn(b"supply.txt", listed.stdout)
        absent = self.run_program("library", "--drop", "other.txt")
        self.assertEqual(absent.returncode, 66)
        self.assertIn(b'nothing is kept of "other.txt"', absent.stderr)
        dropped = self.run_program("library", "--drop", "supply.txt")
        self.assertEqual(dropped.returncode, 0)
        self.assertIn(b"1 readings dropped", dropped.stderr)
        self.assertEqual(self.kept(), [])
        self.read(document)
        self.assertEqual(self.run_program("library", "--drop-all").returncode, 0)
        self.assertEqual(self.kept(), [])


if __name__ == "__main__":
    unittest.main()
