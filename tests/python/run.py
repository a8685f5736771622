"""Builds the wheel, installs it into a folder of its own and runs what is asked on it.

    python3 run.py wheel FOLDER     pip builds the wheel as a user does, and installs it
    python3 run.py tests FOLDER     pytest on the installed wheel; more arguments go to pytest
    python3 run.py types FOLDER     mypy on the package, stubtest on the stub of the native module

FOLDER keeps the build, so that a second run compiles what has changed. All of it runs in the
environment of tools/python_environment.py, away from the sources.
"""

import os
import pathlib
import shutil
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent
PROJECT = TESTS.parents[1]
sys.path.insert(0, str(PROJECT / "tools"))
from python_environment import environment_python, system_python  # noqa: E402  (path first)

MOST_BYTES_OF_WHEEL = 10_000_000


def call(command, folder, **environment):
    done = subprocess.run(list(map(str, command)), cwd=folder, check=False,
                          env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1", **environment))
    if done.returncode != 0:
        sys.exit(done.returncode)


def build_wheel(python, folder):
    pip = [system_python(), "-m", "pip", "--python", python, "--disable-pip-version-check"]
    wheels = folder / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    call([*pip, "wheel", PROJECT, "--no-build-isolation", "--no-deps", "--wheel-dir", wheels,
          f"--config-settings=build-dir={folder / 'build'}"], folder)
    wheel, = wheels.glob("*.whl")
    bytes_of_wheel = wheel.stat().st_size
    print(f"{wheel.name}: {bytes_of_wheel} bytes")
    if bytes_of_wheel > MOST_BYTES_OF_WHEEL:
        sys.exit(f"{wheel.name} has {bytes_of_wheel} bytes; at most {MOST_BYTES_OF_WHEEL} wanted")
    shutil.rmtree(folder / "site", ignore_errors=True)
    call([*pip, "install", "--no-deps", "--no-index", "--target", folder / "site", wheel], folder)


def main():
    step, folder, *more = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    python = environment_python()
    site = str(folder / "site")
    if step == "wheel":
        build_wheel(python, folder)
    elif step == "tests":
        call([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", "--rootdir", TESTS,
              "-o", "python_files=*_test.py", *(more or [TESTS])], folder,
             PYTHONPATH=os.pathsep.join([site, str(TESTS)]))
    elif step == "types":
        call([python, "-m", "mypy", "--strict", "--cache-dir", folder / "mypy", "-p", "whereof"],
             folder, MYPYPATH=site, PYTHONPATH=site)
        call([python, "-m", "mypy.stubtest", "--concise", "--ignore-disjoint-bases", "--allowlist",
              TESTS / "stubtest_allowlist.txt", "whereof._native"], folder, MYPYPATH=site,
             PYTHONPATH=site)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
