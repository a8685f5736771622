"""Runs the whereof binary in folders of its own."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ["WHEREOF_BINARY"]
SOURCE = pathlib.Path(os.environ["WHEREOF_SOURCE_DIR"])
EXAMPLES = SOURCE / "examples"
SMALL_MODEL = "smollm2-135m-instruct-q4_1"
# Takes several times as long for each token: texts that only have to be long can be shorter.
IS_SANITIZED = bool(os.environ.get("WHEREOF_SANITIZE"))

CONTRACT = """SUPPLY AGREEMENT

1. Term
This Agreement runs for a term of five years from the Effective Date.

2. Price
2.1 The Buyer shall pay 40 euros for each unit.
2.2 Invoices are payable within 30 days.

3. Notices
A notice takes effect three days after it is posted.
"""


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ["HOME"], ".cache")
    return pathlib.Path(base) / "whereof"


class ProgramTest(unittest.TestCase):
    """Each test has its own data folder; models and PDFium come from the user's cache."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="whereof-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = dict(os.environ)
        self.environment["XDG_DATA_HOME"] = str(self.folder / "data")
        self.environment["WHEREOF_KEPT"] = str(self.folder / "kept")
        self.environment["TMPDIR"] = str(self.folder)
        self.environment.pop("WHEREOF_ISA", None)

    def write(self, name, content):
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
        return str(path)

    def model_with_window(self, tokens):
        """A copy of the small model with a smaller window."""
        content = bytearray((cache_folder() / "models" / (SMALL_MODEL + ".gguf")).read_bytes())
        key = b"llama.context_length"
        value = content.index(key) + len(key) + 4  # behind the type of an integer of 32 bits
        content[value:value + 4] = tokens.to_bytes(4, "little")
        return self.write("small-window.gguf", bytes(content))

    def run_program(self, *arguments, **options):
        environment = self.environment | options.pop("environment", {})
        return subprocess.run(
            [BINARY, *map(str, arguments)],
            capture_output=options.pop("capture_output", True),
            env=environment,
            timeout=600,
            **options,
        )

    def ask_json(self, document, question, *arguments, **options):
        result = self.run_program(
            "ask", document, question, "--json", "--model", SMALL_MODEL, *arguments, **options
        )
        self.assertIn(result.returncode, (0, 3), result.stderr.decode())
        return result.returncode, json.loads(result.stdout)

    def assert_one_clear_line(self, result, code, *words):
        text = result.stderr.decode()
        lines = [line for line in text.splitlines() if line.startswith("whereof: ")]
        self.assertEqual(result.returncode, code, text)
        self.assertEqual(len(lines), 1, text)
        for word in words:
            self.assertIn(word, lines[0])
        self.assertEqual(result.stdout, b"")
