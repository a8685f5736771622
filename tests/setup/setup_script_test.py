"""tools/setup.sh with stand-ins for the programs of the system, found first in PATH."""

import os
import pathlib
import stat
import subprocess
import tempfile
import unittest

from small_pins import PROJECT

SETUP = PROJECT / "tools" / "setup.sh"


class SetupScript(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = pathlib.Path(folder.name) / "bin"
        self.bin.mkdir()
        self.log = pathlib.Path(folder.name) / "log"

    def stand_in(self, name, script):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def without(self, *packages):
        """dpkg-query as on a machine that has all packages but these."""
        pattern = "|".join(packages) or "no-such-package"
        self.stand_in("dpkg-query", f"""shift 3
for p in "$@"; do case $p in {pattern}) ;; *) echo "installed $p" ;; esac; done""")

    def run_setup(self, *arguments):
        # Without a terminal on stdin nobody can type a password for sudo.
        return subprocess.run([SETUP, *arguments], stdin=subprocess.DEVNULL, timeout=60,
                              env=dict(os.environ, PATH=f"{self.bin}:{os.environ['PATH']}"),
                              capture_output=True, text=True, check=False)

    def calls(self):
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []

    def test_nothing_missing_says_and_does_nothing(self):
        self.without()
        self.stand_in("apt-get", f'echo "$@" >>{self.log}')
        result = self.run_setup("build")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(self.calls(), [])

    def test_root_installs_exactly_what_is_missing(self):
        self.without("libzip-dev", "libicu-dev")
        self.stand_in("id", "echo 0")
        self.stand_in("apt-get", f'echo "$DEBIAN_FRONTEND $@" >>{self.log}')
        result = self.run_setup("build")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Debian packages: libicu-dev libzip-dev", result.stderr)
        update, install = self.calls()
        self.assertEqual(update, "noninteractive -q update")
        self.assertEqual(install, "noninteractive -q install --yes --no-install-recommends "
                                  "libicu-dev libzip-dev")

    def test_user_with_sudo(self):
        self.without("ninja-build")
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", f'echo "sudo $@" >>{self.log}; [ "$1" = -n ] && shift; "$@"')
        self.stand_in("apt-get", f'echo "apt-get $@" >>{self.log}')
        result = self.run_setup("build")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("apt-get -q install --yes --no-install-recommends ninja-build", self.calls())
        self.assertTrue(any(call.startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get")
                            for call in self.calls()), self.calls())

    def test_user_without_rights_gets_the_command_for_an_administrator(self):
        self.without("libzip-dev", "g++")
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", "exit 1")
        self.stand_in("apt-get", f'echo "$@" >>{self.log}')
        result = self.run_setup("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("apt-get update && apt-get install --yes --no-install-recommends "
                      "g++ libzip-dev", result.stderr)
        self.assertEqual(self.calls(), [])

    def test_failing_apt_get_is_one_clear_line_and_exit_code_1(self):
        self.without("libzip-dev")
        self.stand_in("id", "echo 0")
        self.stand_in("apt-get", "exit 100")
        result = self.run_setup("build")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.splitlines()[-1],
                         "setup.sh: apt-get update failed: is there a network?")

    def test_usage(self):
        result = self.run_setup("everything")
        self.assertEqual(result.returncode, 2)
        self.assertIn("tools/setup.sh ask", result.stderr)


if __name__ == "__main__":
    unittest.main()
