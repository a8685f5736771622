"""The programs that whereof is measured against, built outside the project's tree.

    cache folder/peers/llama.cpp-VERSION/bin/llama-bench

llama.cpp comes as the tree inside the source package of llama-cpp-python, pinned below. It is
built natively for this machine, as its users are told to, with one repair: on machines with AMX
its GCC 12 build dies on the first tile load, because the compiler believes that only 8 bytes of
the tile configuration are read (upstream pull request 26954); a compiler barrier cures it.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from fetching import FetchError, store  # noqa: E402  (the path comes first)

PACKAGE = "llama-cpp-python"
VERSION = "0.3.36"
ARCHIVE = "llama_cpp_python-0.3.36.tar.gz"
ARCHIVE_SHA256 = "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"
AMX_SOURCE = "ggml/src/ggml-cpu/amx/mmq.cpp"
TILE_LOAD = "    _tile_loadconfig(&tc);"
BARRIER = '    __asm__ volatile("" : : "r"(&tc) : "memory");\n'
OPTIONS = ["-GNinja", "-DCMAKE_BUILD_TYPE=Release", "-DGGML_NATIVE=ON", "-DLLAMA_CURL=OFF",
           "-DLLAMA_OPENSSL=OFF", "-DLLAMA_BUILD_TESTS=OFF", "-DLLAMA_BUILD_EXAMPLES=OFF",
           "-DLLAMA_BUILD_SERVER=OFF", "-DLLAMA_BUILD_UI=OFF", "-DLLAMA_BUILD_TOOLS=ON"]


def call(command, log):
    log.write("$ " + " ".join(map(str, command)) + "\n")
    log.flush()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
    if done.returncode != 0:
        raise FetchError(f"{command[0]} failed with {done.returncode}: see {log.name}")


def fetch_source(folder, log):
    """Downloads, checks and unpacks the source package; returns the llama.cpp tree in it."""
    tree = folder / ARCHIVE.removesuffix(".tar.gz") / "vendor" / "llama.cpp"
    if tree.is_dir():
        return tree
    archive = folder / ARCHIVE
    if not archive.exists():
        call([sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary=:all:",
              "--disable-pip-version-check", "--dest", str(folder), f"{PACKAGE}=={VERSION}"], log)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != ARCHIVE_SHA256:
        archive.unlink()
        raise FetchError(f"{ARCHIVE}: SHA-256 is {found}, must be {ARCHIVE_SHA256}; "
                         "the file was deleted")
    unpacked = folder / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(archive) as tar:
        tar.extractall(unpacked)  # the archive is the pinned one: its names need no filter
    package = tree.relative_to(folder).parts[0]
    source = unpacked / tree.relative_to(folder) / AMX_SOURCE
    text = source.read_text(encoding="utf-8")
    if text.count(TILE_LOAD) != 1:
        raise FetchError(f"{AMX_SOURCE}: the tile load to repair is not there exactly once")
    source.write_text(text.replace(TILE_LOAD, BARRIER + TILE_LOAD), encoding="utf-8")
    os.replace(unpacked / package, folder / package)
    shutil.rmtree(unpacked)
    archive.unlink()
    return tree


def llama_bench():
    """The path of llama-bench; built first if need be (20 minutes on two cores)."""
    folder = store.cache_folder(os.environ) / "peers" / f"llama.cpp-{VERSION}"
    program = folder / "build" / "bin" / "llama-bench"
    if program.exists():
        return program
    folder.mkdir(parents=True, exist_ok=True)
    log_path = folder / "build.log"
    print(f"building llama.cpp in {folder} (once; log: {log_path})", file=sys.stderr)
    with open(log_path, "w", encoding="utf-8") as log:
        tree = fetch_source(folder, log)
        call(["cmake", "-S", str(tree), "-B", str(folder / "build"), *OPTIONS], log)
        call(["ninja", "-C", str(folder / "build"), "llama-bench"], log)
    return program
