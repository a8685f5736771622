"""Exact attention with its evidence: what its weights say, without ever holding them.

    output, evidence = whereof.attention(query, key, value, causal=True, spans=[(0, 90), (90, 400)])
    evidence.span_mass  # [batch, heads, groups, spans]

docs/python.md of the source has more.
"""

from ._attention import attention, attention_backward
from ._errors import (ArgumentError, CancelledError, DocumentError, Error, FileError, LibraryError,
                      ModelError, NotBuiltError, OutOfMemoryError, UnsupportedError)
from ._evidence import Evidence
from ._native import instruction_sets
from ._threads import get_threads, set_threads

__version__ = "0.1.0"

__all__ = [
    "ArgumentError", "CancelledError", "DocumentError", "Error", "Evidence", "FileError",
    "LibraryError", "ModelError", "NotBuiltError", "OutOfMemoryError", "UnsupportedError",
    "attention", "attention_backward", "get_threads", "instruction_sets", "set_threads",
]
