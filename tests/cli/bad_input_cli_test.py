"""Bad input: one clear line, the right exit code, nothing half-written."""

import os
import shutil
import struct
import subprocess
import time
import unittest

from program import BINARY, CONTRACT, SMALL_MODEL, ProgramTest, cache_folder


def gguf_of_family(architecture):
    """A well-formed GGUF file that names a family and holds no tensor."""

    def string(text):
        return struct.pack("<Q", len(text)) + text.encode()

    metadata = string("general.architecture") + struct.pack("<I", 8) + string(architecture)
    return b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + metadata


class BadDocument(ProgramTest):
    def ask(self, document, *arguments, **options):
        return self.run_program(
            "ask", document, "What is the price?", "--model", SMALL_MODEL, *arguments, **options
        )

    def test_missing_file(self):
        missing = self.folder / "missing.pdf"
        self.assert_one_clear_line(self.ask(missing), 66, "missing.pdf")

    def test_directory(self):
        self.assert_one_clear_line(self.ask(self.folder), 65, "directory")

    def test_empty_file(self):
        self.assert_one_clear_line(self.ask(self.write("empty.pdf", b"")), 65, "empty")

    def test_unknown_type(self):
        noise = bytes(range(256)) * 64
        self.assert_one_clear_line(self.ask(self.write("noise.bin", noise)), 65, "noise.bin")

    def test_broken_pdf(self):
        broken = self.write("broken.pdf", b"%PDF-1.7\n" + b"garbage " * 100)
        self.assert_one_clear_line(self.ask(broken), 65, "broken.pdf")

    def test_fifo(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        self.assert_one_clear_line(self.ask(fifo), 65, "fifo")

    def test_nothing_is_left_behind(self):
        self.ask(self.write("broken.pdf", b"%PDF-1.7\n" + b"garbage " * 100))
        left = {path.name for path in self.folder.iterdir()}
        self.assertLessEqual(left, {"broken.pdf", "data"})


class BadModel(ProgramTest):
    def ask_with(self, model, **options):
        document = self.write("supply.txt", CONTRACT)
        return self.run_program("ask", document, "What is the price?", "--model", model, **options)

    def test_no_such_model(self):
        result = self.ask_with("no-such-model")
        self.assert_one_clear_line(result, 69, "no-such-model")

    def test_the_begin_of_a_name_must_tell_one_model(self):
        for name in ("small-a.gguf", "small-b.gguf", "large.gguf"):
            self.write(name, b"no model")
        models = {"WHEREOF_MODELS": str(self.folder)}
        result = self.ask_with("small", environment=models)
        self.assert_one_clear_line(result, 69, "no model small in", "small-a, small-b")
        result = self.ask_with("larg", environment=models)
        self.assert_one_clear_line(result, 69, "large.gguf")

    def test_a_cut_model(self):
        whole = cache_folder() / "models" / (SMALL_MODEL + ".gguf")
        with open(whole, "rb") as file:
            head = file.read(5_000_000)
        result = self.ask_with(self.write("cut.gguf", head))
        self.assert_one_clear_line(result, 69, "cut.gguf")

    def test_not_a_model(self):
        archive = self.write("x.gguf", b"PK\3\4" * 99)
        self.assert_one_clear_line(self.ask_with(archive), 69, "x.gguf")

    def test_another_family_is_named(self):
        result = self.ask_with(self.write("other.gguf", gguf_of_family("mamba")))
        self.assert_one_clear_line(result, 1, "mamba")


    def test_a_model_that_is_cut_while_it_reads(self):
        whole = cache_folder() / "models" / (SMALL_MODEL + ".gguf")
        model = self.folder / "shrinking.gguf"
        shutil.copy(whole, model)
        document = self.write("supply.txt", CONTRACT * 20)
        process = subprocess.Popen(
            [BINARY, "ask", document, "What is the price?", "--model", str(model),
             "--max-tokens", "2000", "--budget-seconds", "1000"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment,
        )
        time.sleep(1.0)
        os.truncate(model, 8_000_000)
        output, errors = process.communicate(timeout=300)
        if process.returncode in (0, 3):
            return  # it had finished
        self.assertEqual(process.returncode, 69, errors)
        self.assertIn(b"shrinking.gguf", errors.splitlines()[-1])
        self.assertEqual(output, b"")


class BadQuestion(ProgramTest):
    def test_over_the_window(self):
        document = self.write("supply.txt", CONTRACT)
        question = "What is the price of unit number one? " * 1200
        result = self.run_program("ask", document, question, "--model", SMALL_MODEL)
        self.assert_one_clear_line(result, 1, "8192")

    def test_empty(self):
        document = self.write("supply.txt", CONTRACT)
        result = self.run_program("ask", document, "  ", "--model", SMALL_MODEL)
        self.assert_one_clear_line(result, 2, "empty")


class BadWorld(ProgramTest):
    def test_too_little_memory_is_refused_with_what_fits(self):
        document = self.write("supply.txt", CONTRACT)
        result = self.run_program(
            "ask", document, "What is the price?", "--model", SMALL_MODEL,
            environment={"WHEREOF_MEMORY_LIMIT": "3000000"},
        )
        self.assert_one_clear_line(result, 1, "tokens")

    def test_output_on_a_full_disk(self):
        document = self.write("supply.txt", CONTRACT)
        with open("/dev/full", "wb") as full:
            result = subprocess.run(
                [BINARY, "clauses", document], stdout=full, stderr=subprocess.PIPE,
                env=self.environment, timeout=60,
            )
        self.assertEqual(result.returncode, 74, result.stderr)
        self.assertIn(b"cannot write the output", result.stderr)

    def test_a_library_on_a_full_disk(self):
        if os.geteuid() != 0:
            self.skipTest("mounting a small disk needs root")
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(small)], capture_output=True
        )
        if mounted.returncode != 0:
            self.skipTest("this machine does not let tests mount a disk")
        self.addCleanup(subprocess.run, ["umount", str(small)])
        document = self.write("long.txt", CONTRACT * 2000)
        result = self.run_program(
            "ask", document, "What is the price?", "--model", SMALL_MODEL,
            "--library", small / "library.db",
        )
        self.assert_one_clear_line(result, 74)

    def test_a_library_that_is_none(self):
        document = self.write("supply.txt", CONTRACT)
        library = self.write("library.db", "this is no database\n" * 100)
        result = self.run_program(
            "ask", document, "What is the price?", "--model", SMALL_MODEL, "--library", library
        )
        self.assert_one_clear_line(result, 74, "library.db")
        with open(library) as file:
            self.assertTrue(file.read().startswith("this is no database"))

    def test_no_home(self):
        environment = dict(self.environment)
        for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            environment.pop(name, None)
        document = self.write("supply.txt", CONTRACT)
        result = subprocess.run(
            [BINARY, "ask", document, "What is the price?"], capture_output=True, env=environment,
            timeout=60,
        )
        self.assert_one_clear_line(result, 69, "HOME")

    def test_an_instruction_set_that_cannot_run(self):
        document = self.write("supply.txt", CONTRACT)
        result = self.run_program(
            "ask", document, "What is the price?", "--model", SMALL_MODEL,
            environment={"WHEREOF_ISA": "altivec"},
        )
        self.assert_one_clear_line(result, 1, "altivec")

    def test_usage(self):
        self.assertEqual(self.run_program("ask").returncode, 2)
        self.assertEqual(self.run_program("no-such-command").returncode, 2)
        self.assertEqual(self.run_program("ask", "x", "y", "--budget-seconds", "-1").returncode, 2)
        self.assertEqual(self.run_program("--help").returncode, 0)


if __name__ == "__main__":
    unittest.main()
