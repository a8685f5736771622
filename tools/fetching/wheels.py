"""Pinned wheels from the package index, by `pip download`.

pip is asked for exactly one file of one version without dependencies. It writes into a
folder of its own inside the staging folder (downloads in flight too: TMPDIR points there),
so that progress can be read from the growing files and nothing is left elsewhere. A wheel
gets its final name only after its SHA-256 was found right: what bears a final name in a
staging folder was right once, and is checked again before it is used by a later run.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

from fetching import FetchError

NO_CONNECTION = ("NewConnectionError", "NameResolutionError", "name resolution", "ConnectTimeout",
                 "ReadTimeout", "Connection refused", "Network is unreachable", "ProxyError",
                 "connection broken", "Connection reset", "SSLError")


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def is_right(path, pin):
    """True if the file has the pinned size and SHA-256."""
    try:
        return path.stat().st_size == pin["bytes"] and sha256_of(path) == pin["sha256"]
    except FileNotFoundError:
        return False


class WheelFolder:
    """The wheels of one download, in a staging folder."""

    def __init__(self, wheels, folder):
        self._wheels = wheels
        self._folder = pathlib.Path(folder)
        self._incoming = self._folder / "incoming"
        self._finished_bytes = 0
        self._current = None

    def path(self, wheel):
        return self._folder / wheel["file"]

    def total_bytes(self):
        return sum(wheel["bytes"] for wheel in self._wheels)

    def missing(self):
        """The wheels not here yet. Broken ones are deleted and count as missing."""
        missing = []
        self._finished_bytes = 0
        for wheel in self._wheels:
            if is_right(self.path(wheel), wheel):
                self._finished_bytes += wheel["bytes"]
            else:
                self.path(wheel).unlink(missing_ok=True)
                missing.append(wheel)
        return missing

    def done_bytes(self):
        """Bytes here by now, the growing file included; called from the progress thread."""
        current = self._current
        if current is None:
            return self._finished_bytes
        # pip copies the finished file once: the largest is the download, their sum is not.
        largest = 0
        for folder, _, names in os.walk(self._incoming):
            for name in names:
                try:
                    largest = max(largest, os.stat(os.path.join(folder, name)).st_size)
                except FileNotFoundError:
                    continue  # moved between the listing and the stat
        return self._finished_bytes + min(largest, current["bytes"])

    def fetch(self, wheel):
        """Downloads one wheel and checks it; a wrong one is deleted and is an error."""
        shutil.rmtree(self._incoming, ignore_errors=True)
        self._incoming.mkdir(parents=True)
        self._current = wheel
        try:
            self._download(wheel)
            self._accept(wheel)
        finally:
            self._current = None
            shutil.rmtree(self._incoming, ignore_errors=True)
        self._finished_bytes += wheel["bytes"]

    def _download(self, wheel):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                   "--no-cache-dir", "--no-input", "--disable-pip-version-check",
                   "--only-binary=:all:", "--retries=3", "--dest", str(self._incoming),
                   f"{wheel['package']}=={wheel['version']}"]
        environment = dict(os.environ, TMPDIR=str(self._incoming), LC_ALL="C")
        pip = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            output, _ = pip.communicate()
        finally:
            if pip.poll() is None:
                pip.terminate()
                pip.wait()
        if pip.returncode != 0:
            raise FetchError(self._explain(wheel, output))

    def _accept(self, wheel):
        arrived = self._incoming / wheel["file"]
        if not arrived.exists():
            names = sorted(path.name for path in self._incoming.glob("*.whl"))
            raise FetchError(f"{wheel['package']} {wheel['version']}: expected the file "
                             f"{wheel['file']}, got {', '.join(names) or 'none'}")
        found = sha256_of(arrived)
        if found != wheel["sha256"]:
            raise FetchError(f"{wheel['file']}: SHA-256 is {found}, must be {wheel['sha256']}; "
                             "the file was deleted")
        os.replace(arrived, self.path(wheel))

    def _explain(self, wheel, output):
        """One line for a person from pip's many."""
        name = f"{wheel['package']} {wheel['version']}"
        if "No module named pip" in output:
            return "pip is missing (Debian package python3-pip): run tools/setup.sh"
        if "No space left on device" in output or "Disk quota exceeded" in output:
            return f"no space left in {self._folder} (while fetching {name})"
        if "CERTIFICATE_VERIFY_FAILED" in output:
            return (f"the package index's certificate was not accepted (while fetching {name}): "
                    "behind a proxy with a certificate of its own, name its bundle in PIP_CERT")
        if any(sign in output for sign in NO_CONNECTION):
            return (f"no connection to the package index (while fetching {name}); "
                    "what has been fetched so far is kept")
        lines = [line for line in output.splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR:")]
        reason = (errors or lines or ["no message"])[-1].removeprefix("ERROR:").strip()
        return f"pip could not fetch {name}: {reason}"
