"""Builds the wheel, installs it into a folder of its own and runs what is asked on it.

    python3 run.py wheel FOLDER     pip builds the wheel of attention alone, and installs it
    python3 run.py tests FOLDER     pytest on the installed wheel; more arguments go to pytest
    python3 run.py types FOLDER     mypy on the package, stubtest on the stub of the native module
    python3 run.py product FOLDER BUILD   pytest on the module as the tree BUILD has built it, with
                                    documents and answers, which the wheel leaves out
    python3 run.py peers FOLDER     as tests, beside PyTorch, transformers and JAX: by hand, since
                                    they are 3 GB (bench/torch_environment.py); tests skips theirs

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
# What transformers and JAX import, beside what PyTorch's environment and ours have.
PEERS = (
    "transformers==5.24.0", "tokenizers==0.23.3", "huggingface-hub==2.4.0", "safetensors==0.8.0",
    "regex==2026.11.19", "pyyaml==6.0.4", "tqdm==4.70.1", "typer==0.29.2", "click==8.5.1",
    "httpx2==2.16.2", "httpcore2==2.16.2", "truststore==0.10.5", "h11==0.16.0", "anyio==4.16.0",
    "idna==3.20", "hf-xet==1.8.0", "jax==0.10.2", "jaxlib==0.10.2", "opt-einsum==3.4.0",
    "scipy==1.17.1",
)


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
          f"--config-settings=build-dir={folder / 'build'}"], folder, WHEREOF_BUILD_PRODUCT="OFF")
    wheel, = wheels.glob("*.whl")
    bytes_of_wheel = wheel.stat().st_size
    print(f"{wheel.name}: {bytes_of_wheel} bytes")
    if bytes_of_wheel > MOST_BYTES_OF_WHEEL:
        sys.exit(f"{wheel.name} has {bytes_of_wheel} bytes; at most {MOST_BYTES_OF_WHEEL} wanted")
    shutil.rmtree(folder / "site", ignore_errors=True)
    call([*pip, "install", "--no-deps", "--no-index", "--target", folder / "site", wheel], folder)


def install_product(folder, build):
    """The package with the native module of a build tree; returns the folder that it is in."""
    site = folder / "product"
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(PROJECT / "bindings" / "python" / "whereof", site / "whereof",
                    ignore=shutil.ignore_patterns("__pycache__"))
    call(["cmake", "--install", build, "--component", "python", "--prefix", site], folder)
    return site


def test_beside_peers(python, folder, pytest):
    """Under PyTorch's Python, with the packages of ours behind its own."""
    sys.path.insert(0, str(PROJECT / "bench"))
    from torch_environment import torch_python

    peers = folder / "peers"
    if not (peers / "transformers").is_dir():
        call([system_python(), "-m", "pip", "--python", torch_python(), "install", "--no-deps",
              "--target", peers, *PEERS], folder)
    ours, = (python.parents[1] / "lib").glob("python*/site-packages")
    call([torch_python(), *pytest], folder, HF_HUB_OFFLINE="1", JAX_PLATFORMS="cpu",
         PYTHONPATH=os.pathsep.join(map(str, [folder / "site", TESTS, peers, ours])))


def main():
    step, folder, *more = sys.argv[1:]
    build = pathlib.Path(more.pop(0)).resolve() if step == "product" else None
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = environment_python()
    site = str(folder / "site")
    if step == "product":
        more = more or [TESTS / f"{name}_test.py"
                        for name in ("answers", "documentation", "notebooks")]
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", "--rootdir", TESTS,
              "-o", "python_files=*_test.py", *(more or [TESTS])]
    if step == "wheel":
        build_wheel(python, folder)
    elif step == "tests":
        call([python, *pytest], folder, PYTHONPATH=os.pathsep.join([site, str(TESTS)]))
    elif step == "product":
        site = install_product(folder, build)
        call([python, *pytest], folder, PYTHONPATH=os.pathsep.join(map(str, [site, TESTS])))
    elif step == "peers":
        test_beside_peers(python, folder, pytest)
    elif step == "types":
        call([python, "-m", "mypy", "--config-file", PROJECT / "pyproject.toml",
              "--cache-dir", folder / "mypy", "-p", "whereof"],
             folder, MYPYPATH=site, PYTHONPATH=site)
        call([python, "-m", "mypy.stubtest", "--concise", "--ignore-disjoint-bases", "--allowlist",
              TESTS / "stubtest_allowlist.txt", "whereof._native"], folder, MYPYPATH=site,
             PYTHONPATH=site)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
