"""Exact tiled attention with its evidence, on any array in the processor's memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict, TypeVar, Unpack, overload

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import finished, new_like, readable, shape_of, spans_array
from ._errors import argument_error
from ._evidence import Evidence, Floats
from ._threads import threads_or_default

Array = TypeVar("Array")
Layout = Literal["bthd", "bhtd"]
Spans = Sequence[tuple[int, int]] | npt.NDArray[np.integer[Any]]
Rows = Sequence[int] | Sequence[tuple[int, int]] | npt.NDArray[np.integer[Any]] | Literal["each"]


class MaskOptions(TypedDict, total=False):
    """What attention() and its kin take beside their arrays; attention() says what each means."""

    causal: bool
    scale: float | None
    soft_cap: float
    window: int
    kept_sinks: int
    query_offset: int | None
    query_lengths: Sequence[int]
    key_lengths: Sequence[int]
    document_starts: Sequence[int]
    hidden: Spans
    threads: int | None
    instruction_set: str | None


class EvidenceOptions(TypedDict, total=False):
    """What to measure; attention() says what each means."""

    spans: Spans
    rows: Rows | None
    sink_length: int
    top_keys: int
    column_sums: bool


class _Options(MaskOptions, EvidenceOptions, total=False):
    layout: Layout
    check_finite: bool


def options_of(*, causal: bool = False, scale: float | None = None, soft_cap: float = 0.0,
               window: int = 0, kept_sinks: int = 0, query_offset: int | None = None,
               query_lengths: Sequence[int] = (), key_lengths: Sequence[int] = (),
               document_starts: Sequence[int] = (), hidden: Spans = (),
               threads: int | None = None, instruction_set: str | None = None) -> _native.Options:
    if scale is not None and not np.isfinite(scale):
        raise argument_error(f"scale is {scale}; wanted a finite number, or None for "
                             "1 / sqrt(dim)")
    return _native.Options(scale, soft_cap, causal, query_offset, window, kept_sinks,
                           list(query_lengths), list(key_lengths), list(document_starts),
                           spans_array("hidden", hidden) if len(hidden) else None,
                           threads_or_default(threads), instruction_set)


def request_of(spans: npt.NDArray[np.int64], rows: Rows | None, query_length: int, sink_length: int,
               top_keys: int, column_sums: bool) -> _native.EvidenceRequest:
    kind, query_spans, query_rows = "all", None, []
    if isinstance(rows, str):
        if rows != "each":
            raise argument_error(f'rows is "{rows}"; wanted None, "each", indices of rows, or '
                                 "pairs (begin, end)")
        kind, query_rows = "single", list(range(query_length))
    elif rows is not None and len(rows) > 0:
        if np.ndim(rows) == 1:
            kind, query_rows = "single", np.asarray(rows).tolist()
        else:
            kind, query_spans = "spans", spans_array("rows", rows)
    return _native.EvidenceRequest(kind, query_spans, query_rows, spans, sink_length, top_keys,
                                   column_sums)


def axes_of(layout: str) -> tuple[int, int]:
    """Which dimensions are length and heads."""
    if layout == "bthd":
        return 1, 2
    if layout == "bhtd":
        return 2, 1
    raise argument_error(f'layout is {layout!r}; wanted "bthd" for [batch, length, heads, dim] or '
                         '"bhtd" for [batch, heads, length, dim]')


def rank_four(name: str, array: Any) -> tuple[int, ...]:
    shape = shape_of(array)
    if len(shape) != 4:
        raise argument_error(f"{name} has shape {shape}; wanted 4 dimensions")
    return shape


class Call:
    """One call with its arrays checked and its outputs made; run() fills them."""

    def __init__(self, query: Any, key: Any, value: Any, layout: str, out: Any = None,
                 needs_log_sum_exp: bool = False, cached: tuple[Any, Any] | None = None) -> None:
        """`cached`: key and value as a KVCache holds them, instead of a user's."""
        self.query = readable("query", query)
        self.key, self.value = cached or (readable("key", key), readable("value", value))
        self.layout = layout
        length, heads = axes_of(layout)
        shape = rank_four("query", query)
        self.query_length = shape[length]
        self._like = query if out is None else out
        self.out = (new_like(query, (*shape[:3], rank_four("value", self.value)[3])) if out is None
                    else out)
        self.log_sum_exp: Floats | None = None
        if needs_log_sum_exp:
            self.log_sum_exp = np.empty((shape[0], shape[heads], shape[length]), np.float32)

    def run(self, options: _native.Options, request: _native.EvidenceRequest | None = None,
            check_finite: bool = False, key_scales: Any = None,
            value_scales: Any = None) -> _native.Evidence | None:
        return _native.forward(self.query, self.key, self.value, readable("out", self.out),
                               self.layout, options, self.log_sum_exp, request, check_finite,
                               key_scales, value_scales)

    def run_measured(self, options: _native.Options, request: _native.EvidenceRequest,
                     spans: npt.NDArray[np.int64], rows: Any, check_finite: bool = False,
                     key_scales: Any = None, value_scales: Any = None) -> Evidence:
        measured = self.run(options, request, check_finite, key_scales, value_scales)
        assert measured is not None and self.log_sum_exp is not None
        return Evidence(measured, spans, rows, self.log_sum_exp)

    def output(self) -> Any:
        """The output as the kind of array that query is; for JAX a copy, so after run()."""
        return finished(self._like, self.out)


@overload
def attention(query: Array, key: Any, value: Any, *, evidence: Literal[True] = ...,
              out: Array | None = ..., **options: Unpack[_Options]) -> tuple[Array, Evidence]: ...
@overload
def attention(query: Array, key: Any, value: Any, *, evidence: Literal[False],
              out: Array | None = ..., **options: Unpack[_Options]) -> tuple[Array, None]: ...


def attention(query: Any, key: Any, value: Any, *, causal: bool = False,
              scale: float | None = None, window: int = 0, spans: Spans = (),
              evidence: bool = True, rows: Rows | None = None, layout: Layout = "bthd",
              out: Any = None, sink_length: int = 1, top_keys: int = 0, column_sums: bool = False,
              soft_cap: float = 0.0, kept_sinks: int = 0, query_offset: int | None = None,
              query_lengths: Sequence[int] = (), key_lengths: Sequence[int] = (),
              document_starts: Sequence[int] = (), hidden: Spans = (), check_finite: bool = False,
              threads: int | None = None, instruction_set: str | None = None) -> Any:
    """softmax(scale * query . key^T) . value, and what was measured on its weights.

    query is [batch, query_length, query_heads, dim], key [batch, key_length, kv_heads, dim] and
    value [batch, key_length, kv_heads, value_dim] in layout "bthd"; "bhtd" has heads before
    length. float32, float16 or bfloat16, or all of them float64, which is tens of times slower and
    meant for checks of gradients; query_heads is a multiple of kv_heads. Arrays of NumPy (and
    ml_dtypes), tensors of PyTorch and arrays of JAX on the CPU, and what else has DLPack or the
    buffer protocol, with any strides whose last is 1; nothing is copied. Memory is proportional to
    the lengths, never to their product. NaN or infinity in a row of query stays in that row.

    causal           row i stands at position query_offset + i and sees keys up to there
    query_offset     None: the last row stands at the last key
    window           a row at p sees the keys p - window < key < p + window; 0: no window
    kept_sinks       first keys that stay visible before the window
    scale            None: 1 / sqrt(dim)
    soft_cap         scores become soft_cap * tanh(score / soft_cap); 0: as they are
    query_lengths    rows of each sequence of the batch; key_lengths likewise; (): all
    document_starts  where packed documents begin, from 0: rows see keys of their own only
    hidden           spans of keys that no row sees
    spans            spans of keys, pairs (begin, end), ascending and disjoint
    rows             what a group of the evidence is: None, all rows together; "each"; indices of
                     rows; or pairs (begin, end) of rows
    sink_length      how many first keys count as the sink
    top_keys         how many keys of largest weight to keep for each group, at most 64
    column_sums      whether to sum what each span receives from all rows
    out              an array for the output, which is returned
    check_finite     whether to look for NaN and infinity first
    threads          None: as set_threads() says; 0: all. The same bits for any number

    Returns (output, evidence): output is the kind of array that query is, and of its type;
    evidence is None with evidence=False. Ctrl-C stops a call; other threads of Python run on.
    """
    options = options_of(causal=causal, scale=scale, soft_cap=soft_cap, window=window,
                         kept_sinks=kept_sinks, query_offset=query_offset,
                         query_lengths=query_lengths, key_lengths=key_lengths,
                         document_starts=document_starts, hidden=hidden, threads=threads,
                         instruction_set=instruction_set)
    call = Call(query, key, value, layout, out, needs_log_sum_exp=evidence)
    if not evidence:
        call.run(options, check_finite=check_finite)
        return call.output(), None
    key_spans = spans_array("spans", spans)
    request = request_of(key_spans, rows, call.query_length, sink_length, top_keys, column_sums)
    measured = call.run_measured(options, request, key_spans, rows, check_finite)
    return call.output(), measured


def attention_backward(grad_output: Any, query: Any, key: Any, value: Any, output: Any,
                       log_sum_exp: Floats, *, layout: Layout = "bthd",
                       **options: Unpack[MaskOptions]) -> tuple[Any, Any, Any]:
    """Gradients by query, key and value, given the gradient by the output.

    output and log_sum_exp are what attention() gave (evidence.row_log_sum_exp), and all else is as
    it was given to it; float32 or bfloat16, or all of them float64. Returns arrays of the kinds,
    types and shapes of query, key and value.
    """
    gradients = [new_like(array, rank_four(name, array)) for name, array in (
        ("query", query), ("key", key), ("value", value))]
    _native.backward(readable("query", query), readable("key", key), readable("value", value),
                     readable("output", output), np.ascontiguousarray(log_sum_exp, np.float32),
                     readable("grad_output", grad_output), readable("grad_query", gradients[0]),
                     readable("grad_key", gradients[1]), readable("grad_value", gradients[2]),
                     layout, options_of(**options))
    return (finished(query, gradients[0]), finished(key, gradients[1]),
            finished(value, gradients[2]))
