"""What whereof raises. A message names the argument or file, what was found and what was wanted."""

from __future__ import annotations


class Error(Exception):
    """Any error of whereof. `kind` is the library's word for it, such as "invalid_argument"."""

    kind: str = "error"


class ArgumentError(Error, ValueError):
    """Shapes, ranges or options of a call disagree."""


class UnsupportedError(Error, TypeError):
    """A type of array, element, file or model that this build does not handle."""


class NotBuiltError(Error, ImportError):
    """A part of whereof that this wheel was built without."""


class DocumentError(Error):
    """A document that is empty, broken, encrypted, over a limit or of an unknown type."""


class ModelError(Error):
    """A model that is not there, is broken, has too small a window or fails its own check."""


class FileError(Error, OSError):
    """A file that is not there or cannot be read or written, or a full disk."""


class LibraryError(Error):
    """A damaged library file."""


class OutOfMemoryError(Error, MemoryError):
    """Refused before allocating."""


class CancelledError(Error):
    """The caller asked to stop."""


_CLASS_OF_KIND: dict[str, type[Error]] = {
    "invalid_argument": ArgumentError,
    "unsupported": UnsupportedError,
    "bad_document": DocumentError,
    "bad_model": ModelError,
    "no_model": ModelError,
    "over_window": ModelError,
    "failed_check": ModelError,
    "not_found": FileError,
    "input_output": FileError,
    "out_of_space": FileError,
    "corrupt_library": LibraryError,
    "out_of_memory": OutOfMemoryError,
    "cancelled": CancelledError,
}


def error_of(kind: str, message: str) -> Error:
    """The exception for an error of the library."""
    error = _CLASS_OF_KIND.get(kind, Error)(message)
    error.kind = kind
    return error


def argument_error(message: str) -> Error:
    return error_of("invalid_argument", message)


def unsupported_error(message: str) -> Error:
    return error_of("unsupported", message)


def refuse_to_pickle(what: object, instead: str) -> TypeError:
    """What __reduce__ raises where an object holds memory of the library."""
    return TypeError(f"{type(what).__name__} holds memory of the library and cannot be pickled; "
                     f"{instead}")
