"""Python environments of pinned packages, made once."""

import shutil
import subprocess
import sys

from . import FetchError, store


def call(command, log):
    log.write("$ " + " ".join(map(str, command)) + "\n")
    log.flush()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
    if done.returncode != 0:
        raise FetchError(f"{command[0]} failed with {done.returncode}: see {log.name}")


def made_environment(folder, system_python, packages, check, needed_bytes, log_path, notice=None):
    """The path of the Python in `folder`, which is made first if it has not passed `check`, a text
    of Python, before; `notice` is then printed."""
    python = folder / "bin" / "python"
    stamp = folder / "checked"
    if stamp.exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    store.require_space(folder.parent, needed_bytes)
    if notice:
        print(notice, file=sys.stderr)
    with open(log_path, "w", encoding="utf-8") as log:
        # Without pip of its own: Debian has the module that would install it in one more package.
        call([system_python, "-m", "venv", "--without-pip", str(folder)], log)
        call([system_python, "-m", "pip", "--python", str(python), "install", "--no-deps",
              "--no-cache-dir", "--disable-pip-version-check", *packages], log)
        call([str(python), "-c", check], log)
    stamp.touch()
    return python
