"""Exact attention with its evidence: what its weights say, without ever holding them.

    output, evidence = whereof.attention(query, key, value, causal=True, spans=[(0, 90), (90, 400)])
    evidence.span_mass  # [batch, heads, groups, spans]

Document, Library and Model answer questions about documents, where the wheel was built with them;
whereof.torch has what PyTorch needs: gradients, and transformers models that give their evidence.
docs/python.md of the source has more.
"""

from ._answers import (Answer, AnswerStream, Citation, Clause, Document, Hit, Library, LibraryEntry,
                       Model)
from ._attention import attention, attention_backward
from ._cache import KVCache, decode
from ._errors import (ArgumentError, CancelledError, DocumentError, Error, FileError, LibraryError,
                      ModelError, NotBuiltError, OutOfMemoryError, UnsupportedError)
from ._evidence import Evidence
from ._native import instruction_sets
from ._pictures import plot_entropy
from ._rotary import RotaryTable
from ._scoring import ScoringGradients, scored_attention, scored_attention_backward
from ._threads import get_threads, set_threads
from . import signals

__version__ = "0.1.0"

__all__ = [
    "Answer", "AnswerStream", "ArgumentError", "CancelledError", "Citation", "Clause", "Document",
    "DocumentError", "Error", "Evidence", "FileError", "Hit", "KVCache", "Library", "LibraryEntry",
    "LibraryError", "Model", "ModelError", "NotBuiltError", "OutOfMemoryError", "RotaryTable",
    "ScoringGradients", "UnsupportedError", "attention", "attention_backward", "decode",
    "get_threads", "instruction_sets", "plot_entropy", "scored_attention",
    "scored_attention_backward", "set_threads", "signals",
]
