"""The evidence of a call as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import refuse_to_pickle
from ._pictures import draw_map, table_of

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

_ARRAYS = ("row_count", "log_sum_exp", "max_weight", "entropy", "sink_mass", "span_mass",
           "unassigned_mass", "column_mass", "top_key", "top_weight", "row_log_sum_exp")


class Evidence:
    """What was measured on the attention weights, in the pass that computed the output.

    A group is what one figure is given for: all query rows together, one of several spans of them,
    or a single row. B is the batch, H the query heads, G the groups, S the spans, T the query rows.
    For a group of several rows entropy, sink_mass, span_mass and unassigned_mass are sums over its
    rows (divide by row_count for means) and max_weight is the largest. Arrays are views of memory
    that lives as long as one of them.
    """

    def __init__(self, native: _native.Evidence, spans: Integers, rows: Any,
                 row_log_sum_exp: Floats) -> None:
        self._native = native
        self.spans = spans
        """[S, 2]: begin and end of each span of keys."""
        self.rows = rows
        """The groups as they were asked for: None, row indices, or spans of rows."""
        self.row_log_sum_exp = row_log_sum_exp
        """[B, H, T]: ln of the sum of exp of the scores of each row; -inf where it sees no key."""

    @property
    def row_count(self) -> Integers:
        """[B, G]: rows that see at least one key."""
        return self._native.row_count

    @property
    def log_sum_exp(self) -> Floats:
        """[B, H, G]: the sum of the finite ones of the group's rows."""
        return self._native.log_sum_exp

    @property
    def max_weight(self) -> Floats:
        """[B, H, G]: the largest weight of the group."""
        return self._native.max_weight

    @property
    def entropy(self) -> Floats:
        """[B, H, G]: -sum w ln w in nats, summed over rows."""
        return self._native.entropy

    @property
    def sink_mass(self) -> Floats:
        """[B, H, G]: weight of the first key positions."""
        return self._native.sink_mass

    @property
    def span_mass(self) -> Floats:
        """[B, H, G, S]: weight of the keys of each span."""
        return self._native.span_mass

    @property
    def unassigned_mass(self) -> Floats:
        """[B, H, G]: weight of keys that lie in no span."""
        return self._native.unassigned_mass

    @property
    def column_mass(self) -> Floats | None:
        """[B, H, S]: what each span receives from all rows; None unless asked for."""
        return self._native.column_mass if self._native.has_column_mass else None

    @property
    def top_key(self) -> Integers:
        """[B, H, G, K]: positions of the keys of largest weight, -1 where fewer are visible."""
        return self._native.top_key

    @property
    def top_weight(self) -> Floats:
        """[B, H, G, K]: their weights, largest first."""
        return self._native.top_weight

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Copies of all arrays by name, which may be pickled or saved."""
        found = {name: getattr(self, name) for name in _ARRAYS}
        found["spans"] = self.spans
        return {name: array.copy() for name, array in found.items() if array is not None}

    def plot(self, *, batch: int = 0, labels: Sequence[str] | None = None, axes: Any = None) -> Any:
        """Draws how much each group of rows looks at each span: mean weight of a row, over heads.

        labels name the spans; axes are those of matplotlib to draw on, new ones if None. Returns
        the axes.
        """
        return draw_map(self, batch, labels, axes)

    def _repr_html_(self) -> str:
        return table_of(self)

    def __reduce__(self) -> NoReturn:
        raise refuse_to_pickle(self, "pickle the dictionary that arrays() gives")

    def __repr__(self) -> str:
        batch, heads, groups = self.entropy.shape
        return (f"<whereof.Evidence batch={batch} heads={heads} groups={groups} "
                f"spans={len(self.spans)}>")
