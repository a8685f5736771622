"""whereof read and library: what was read is kept, and the next question need not wait."""

import json
import re
import resource
import signal
import subprocess
import time
import unittest

from program import BINARY, CONTRACT, EXAMPLES, IS_SANITIZED, SMALL_MODEL, ProgramTest


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

    def test_a_document_longer_than_the_window_is_read_in_windows(self):
        model = self.model_with_window(768)
        clauses = "".join(f"{i}. Part {i}\nThe Supplier delivers it on day {i} of each month.\n\n"
                          for i in range(1, 61))
        document = self.write("long.txt", clauses)
        result = self.run_program("read", document, "--model", model)
        self.assertEqual(result.returncode, 0, result.stderr)
        windows = int(re.search(rb"tokens in (\d+) windows", result.stdout)[1])
        self.assertGreaterEqual(windows, 2)
        self.assertEqual({reading["document"] for reading in self.kept()},
                         {f"long.txt, part {i} of {windows}" for i in range(1, windows + 1)})
        asked = self.run_program("ask", document, "When does the Supplier deliver it?", "--json",
                                 "--model", model, "--max-tokens", "8")
        self.assertIn(asked.returncode, (0, 3), asked.stderr)
        plan = json.loads(asked.stdout)["plan"]
        self.assertEqual(plan["route"], "hybrid")
        self.assertEqual(plan["window_tokens_read"], 0)
        self.assertIn(b"exceed the window of 768", asked.stderr)
        again = self.run_program("read", document, "--model", model)
        self.assertIn(b"all kept from before", again.stdout)

    def test_int8_takes_half_and_is_kept_apart(self):
        document = self.write("supply.txt", CONTRACT)
        self.read(document)
        result = self.run_program("read", document, "--model", SMALL_MODEL, "--kv", "int8")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn(b"all kept", result.stdout)
        sizes = sorted(reading["bytes"] for reading in self.kept())
        self.assertEqual(len(sizes), 2)
        self.assertLess(sizes[0], 0.55 * sizes[1])
        _, answer = self.ask_json(document, "What is the price?", "--kv", "int8")
        self.assertGreater(answer["plan"]["kept_tokens"], 0)
        wrong = self.run_program("read", document, "--model", SMALL_MODEL, "--kv", "int4")
        self.assertEqual(wrong.returncode, 2)

    def test_two_processes_read_the_same_document(self):
        text = "".join(f"{i}. The Seller delivers part {i} of the goods by noon.\n\n"
                       for i in range(1, 81))
        document = self.write("shared.txt", text)
        command = [BINARY, "ask", document, "Who delivers?", "--model", SMALL_MODEL, "--json",
                   "--max-tokens", "4"]
        both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=self.environment) for _ in range(2)]
        answers = []
        for process in both:
            output, errors = process.communicate(timeout=300)
            self.assertIn(process.returncode, (0, 3), errors)
            answers.append(json.loads(output))
        self.assertEqual(answers[0]["answer"], answers[1]["answer"])
        self.assertEqual(answers[0]["evidence"], answers[1]["evidence"])
        _, third = self.ask_json(document, "Who delivers?", "--max-tokens", "4")
        (reading,) = self.kept()
        self.assertEqual(third["plan"]["kept_tokens"], reading["tokens"])

    def test_a_full_disk_costs_the_keeping_and_not_the_answer(self):
        document = self.write("supply.txt", CONTRACT)
        self.environment["WHEREOF_KEPT"] = str(self.folder / "elsewhere")

        def no_large_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))

        result = self.run_program("ask", document, "What is the price?", "--model", SMALL_MODEL,
                                  "--json", "--max-tokens", "4", preexec_fn=no_large_files)
        self.assertIn(result.returncode, (0, 3), result.stderr)
        self.assertIn(b"cannot keep more of what is read", result.stderr)
        self.assertEqual(json.loads(result.stdout)["plan"]["kept_tokens"], 0)
        _, fresh = self.ask_json(document, "What is the price?", "--max-tokens", "4", "--no-keep")
        self.assertEqual(json.loads(result.stdout)["evidence"], fresh["evidence"])

    def test_an_interrupted_reading_goes_on(self):
        # Long enough that the signal comes before the end.
        text = (EXAMPLES / "acquisition-agreement.txt").read_text(encoding="utf-8")
        document = self.write("long.txt", text[:6000 if IS_SANITIZED else 22000])
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
