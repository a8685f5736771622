"""Rotary position embedding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NoReturn

from . import _native
from ._arrays import readable
from ._attention import Layout, axes_of, rank_four
from ._errors import refuse_to_pickle


class RotaryTable:
    """Cosines and sines of positions 0 .. length - 1, computed in double.

    Pair i of a head turns by position * theta ** (-2 i / dim). "halves" pairs element i with
    i + dim / 2, as transformers does; "interleaved" pairs 2 i with 2 i + 1, as GGUF's llama does.
    """

    def __init__(self, dim: int, length: int, *, theta: float = 10000.0,
                 pairing: Literal["halves", "interleaved"] = "halves") -> None:
        self._native = _native.RotaryTable(dim, theta, length, pairing)

    def __len__(self) -> int:
        return self._native.length

    @property
    def dim(self) -> int:
        return self._native.rotary_dim

    def rotate(self, rows: Any, positions: Sequence[int] | None = None, *,
               layout: Layout = "bthd") -> Any:
        """Rotates float32 rows [batch, length, heads, dim] in place, and returns them.

        Row r stands at positions[r], or at r. A position outside the table is an error.
        """
        length, _ = axes_of(layout)
        count = rank_four("rows", rows)[length]
        self._native.rotate(readable("rows", rows),
                            list(range(count) if positions is None else positions), layout)
        return rows

    def __reduce__(self) -> NoReturn:
        raise refuse_to_pickle(self, "make it again from its arguments")
