#!/usr/bin/env python3
"""The Python environment that builds and tests the Python module and the service's clients: pinned
packages, all from PyPI.

    cache folder/python/PINS/bin/python      PINS: a digest of the pins below and of the Python

    python3 tools/python_environment.py            makes it if need be, prints its Python's path
    python3 tools/python_environment.py --dry-run  prints what would be installed, if anything

About 110 MB to download. Its packages are those that the module is built with, what its tests need,
what mypy needs to check its types, and the service's clients (tests/server/clients_test.py).
PyTorch is not among them (bench/torch_environment.py).
"""

import hashlib
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from fetching import FetchError, store  # noqa: E402  (the path comes first)
from fetching.environment import made_environment  # noqa: E402

# With all that they need themselves; pip checks each file against the index's SHA-256. The first
# two are those of pyproject.toml.
PACKAGES = (
    "nanobind==3.1.0", "scikit-build-core==1.1.2", "ast-serialize==0.13.1", "contourpy==1.3.3",
    "cycler==0.12.1", "fonttools==4.68.0", "iniconfig==2.3.1", "kiwisolver==1.5.1",
    "librt==0.17.0", "matplotlib==3.11.2", "ml-dtypes==0.6.0", "mypy==2.4.1",
    "mypy-extensions==1.2.0", "numpy==2.4.6", "packaging==26.4", "pathspec==1.1.1",
    "pillow==13.0.0", "pluggy==1.7.0", "pygments==2.21.0", "pyparsing==3.3.3", "pytest==9.2.0",
    "python-dateutil==4.0.0", "typing-extensions==4.16.0", "tzdata==2026.6",
    # The service's clients.
    "openai==3.57.0", "llm==0.36", "schemathesis==4.32.5", "annotated-types==0.8.0",
    "anyio==4.16.0", "certifi==2026.10.19.post1", "charset-normalizer==3.5.3", "click==8.5.1",
    "click-default-group==1.2.4", "condense-json==1.1", "graphql-core==3.3.2", "h11==0.16.0",
    "harfile==0.6.0", "httpcore2==2.16.2", "httpx2==2.16.2", "hypothesis==6.170.17",
    "hypothesis-graphql==0.13.5", "idna==3.20", "jiter==0.19.0", "jsonschema-rs==0.60.3",
    "markdown-it-py==4.3.0", "markupsafe==3.0.4", "mdurl==0.1.2", "puremagic==1.30",
    "pydantic==2.14.4", "pydantic-core==2.50.5", "pyrate-limiter==4.5.1", "python-ulid==4.1.0",
    "pyyaml==6.0.4", "requests==2.34.2", "rich==15.0.0", "sniffio==1.3.1",
    "sortedcontainers==2.4.0", "sqlite-fts4==1.0.3", "sqlite-utils==4.2.1", "tabulate==0.10.0",
    "truststore==0.10.5", "typing-inspection==0.4.5", "urllib3==2.8.0", "werkzeug==3.1.9",
)
NEEDED_BYTES = 1 << 30
OLDEST = (3, 11)
CHECK = ("import matplotlib, ml_dtypes, mypy, nanobind, numpy, pytest, scikit_build_core; "
         "import llm, openai, schemathesis")


def system_python():
    """The system's Python, whose headers come as a Debian package, before any other on the path."""
    system = pathlib.Path("/usr/bin/python3")
    return str(system) if system.exists() else sys.executable


def environment_folder():
    python = pathlib.Path(system_python()).resolve()
    digest = hashlib.sha256("\n".join([str(python), *PACKAGES]).encode()).hexdigest()[:12]
    return store.cache_folder(os.environ) / "python" / digest


def environment_python():
    """The path of the environment's Python; installed first if need be."""
    folder = environment_folder()
    return made_environment(folder, system_python(), PACKAGES, CHECK, NEEDED_BYTES,
                            folder.parent / "install.log")


def main(arguments):
    if arguments not in ([], ["--dry-run"]):
        print(__doc__, file=sys.stderr)
        return 2
    if sys.version_info < OLDEST:
        print("python_environment.py: wanted Python 3.11 or newer", file=sys.stderr)
        return 1
    try:
        if not arguments:
            print(environment_python())
        elif not (environment_folder() / "checked").exists():
            print(f"{len(PACKAGES)} Python packages to test the Python module and the service")
    except FetchError as error:
        print(f"python_environment.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
