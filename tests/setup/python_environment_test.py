"""tools/python_environment.py: what it would install, and that its pins are those of the wheel."""

import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest
import unittest.mock

from small_pins import PROJECT

sys.path.insert(0, str(PROJECT / "tools"))
import python_environment  # noqa: E402  (the path comes first)

SCRIPT = PROJECT / "tools" / "python_environment.py"


class PythonEnvironment(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.environment = dict(os.environ, XDG_CACHE_HOME=folder.name)

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], env=self.environment,
                              capture_output=True, text=True, check=False, timeout=60)

    def test_dry_run_says_what_is_missing_and_then_nothing(self):
        result = self.run_script("--dry-run")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Python packages to test the Python module and the service", result.stdout)
        with unittest.mock.patch.dict(os.environ, self.environment):
            folder = python_environment.environment_folder()
        folder.mkdir(parents=True)
        (folder / "checked").touch()
        result = self.run_script("--dry-run")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(pathlib.Path(self.run_script().stdout.strip()), folder / "bin" / "python")

    def test_usage(self):
        result = self.run_script("everything")
        self.assertEqual(result.returncode, 2)
        self.assertIn("tools/python_environment.py", result.stderr)

    def test_the_wheel_is_built_with_the_same_pins(self):
        with open(PROJECT / "pyproject.toml", "rb") as file:
            wanted = tomllib.load(file)["build-system"]["requires"]
        self.assertLessEqual(set(wanted), set(python_environment.PACKAGES))

    def test_every_package_is_pinned(self):
        for package in python_environment.PACKAGES:
            self.assertRegex(package, r"^[a-z0-9-]+==[0-9.]+(post[0-9]+)?$")


if __name__ == "__main__":
    unittest.main()
