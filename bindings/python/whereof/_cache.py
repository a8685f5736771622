"""Keys and values that grow by a few tokens at a time, and attention over them."""

from __future__ import annotations

import sys
from typing import Any, Literal, NoReturn, Unpack

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import is_tensor, readable, spans_array
from ._attention import Call, EvidenceOptions, Layout, MaskOptions, axes_of, options_of, rank_four
from ._attention import request_of
from ._errors import argument_error, refuse_to_pickle
from ._evidence import Evidence

CacheType = Literal["float32", "float16", "bfloat16", "int8"]
# What NumPy holds them as; it has no bfloat16 of its own.
_STORED = {"float32": np.float32, "float16": np.float16, "bfloat16": np.uint16, "int8": np.int8}
_FIRST_CAPACITY = 256


def _words(name: str, array: Any) -> tuple[str, npt.NDArray[Any]]:
    """The type of an array and its memory as NumPy sees it."""
    array = readable(name, array)
    if is_tensor(array):
        torch = sys.modules["torch"]
        if array.dtype == torch.bfloat16:
            return "bfloat16", array.view(torch.int16).numpy().view(np.uint16)
        array = array.numpy()
    array = np.asarray(array)
    return ("bfloat16" if array.dtype in (np.uint16, np.void) or array.dtype.name == "bfloat16"
            else array.dtype.name), array


class KVCache:
    """Keys and values of all tokens so far, each [batch, kv_heads, capacity, dim].

    `dtype` is what they are kept as. What is appended has that type, but for int8, which takes any
    and keeps a scale for each token and head: an element is off by at most 1/254 of the largest
    of its row. The memory doubles when it is full.
    """

    def __init__(self, batch: int, kv_heads: int, dim: int, *, value_dim: int | None = None,
                 dtype: CacheType = "float32", capacity: int = _FIRST_CAPACITY) -> None:
        value_dim = dim if value_dim is None else value_dim
        for name, extent in (("batch", batch), ("kv_heads", kv_heads), ("dim", dim),
                             ("value_dim", value_dim), ("capacity", capacity)):
            if not isinstance(extent, int) or extent < 1:
                raise argument_error(f"{name} is {extent!r}; wanted a whole number above 0")
        if dtype not in _STORED:
            raise argument_error(f"dtype is {dtype!r}; wanted one of {', '.join(_STORED)}")
        self._dtype = dtype
        self._length = 0
        shape = (batch, kv_heads, capacity)
        stored = _STORED[dtype]
        self._arrays: list[npt.NDArray[Any]] = [np.empty((*shape, dim), stored),
                                                np.empty((*shape, value_dim), stored)]
        if dtype == "int8":
            self._arrays += [np.empty((*shape, 1), np.float32) for _ in range(2)]

    def __len__(self) -> int:
        """How many tokens it holds."""
        return self._length

    @property
    def dtype(self) -> CacheType:
        return self._dtype

    @property
    def capacity(self) -> int:
        return int(self._arrays[0].shape[2])

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self._arrays)

    def append(self, key: Any, value: Any, *, layout: Layout = "bthd") -> None:
        """Adds the tokens of key and value behind those that are there."""
        rows = []
        for which, (name, array) in enumerate((("key", key), ("value", value))):
            axes_of(layout)
            rank_four(name, array)
            dtype, words = _words(name, array)
            words = words.swapaxes(1, 2) if layout == "bthd" else words
            batch, heads, _, dim = self._arrays[which].shape
            if (words.shape[0], words.shape[1], words.shape[3]) != (batch, heads, dim):
                raise argument_error(
                    f"{name} has shape {tuple(array.shape)}, batch {words.shape[0]}, heads "
                    f"{words.shape[1]} and dim {words.shape[3]} in layout {layout!r}; wanted "
                    f"{batch}, {heads} and {dim}, as the cache has")
            if self._dtype not in (dtype, "int8"):
                raise argument_error(f"{name} has type {dtype}; wanted {self._dtype}, as the cache "
                                     "has")
            rows.append(words)
        tokens = rows[0].shape[2]
        if rows[1].shape[2] != tokens:
            raise argument_error(f"value has {rows[1].shape[2]} tokens; wanted {tokens}, as key "
                                 "has")
        self._reserve(self._length + tokens)
        here = slice(self._length, self._length + tokens)
        for which, words in enumerate(rows):
            if self._dtype == "int8":
                _native.quantise(words, self._arrays[which][:, :, here],
                                 self._arrays[2 + which][:, :, here], "bhtd")
            else:
                self._arrays[which][:, :, here] = words
        self._length += tokens

    def truncate(self, length: int) -> None:
        """Forgets all tokens from `length` on."""
        if not 0 <= length <= self._length:
            raise argument_error(f"length is {length}; wanted 0 to {self._length}, as the cache "
                                 "has")
        self._length = length

    def _reserve(self, length: int) -> None:
        capacity = self.capacity
        if length <= capacity:
            return
        while capacity < length:
            capacity *= 2
        for which, array in enumerate(self._arrays):
            grown = np.empty((*array.shape[:2], capacity, array.shape[3]), array.dtype)
            grown[:, :, :self._length] = array[:, :, :self._length]
            self._arrays[which] = grown

    def views(self, layout: str) -> list[Any]:
        """key, value and the scales of int8, or None, of the tokens it holds."""
        length, _ = axes_of(layout)
        arrays: list[Any] = [array[:, :, :self._length] for array in self._arrays]
        if length == 1:
            arrays = [array.swapaxes(1, 2) for array in arrays]
        return arrays + [None] * (4 - len(arrays))

    def __reduce__(self) -> NoReturn:
        raise refuse_to_pickle(self, "save the keys and values that were appended to it")

    def __repr__(self) -> str:
        batch, heads, _, dim = self._arrays[0].shape
        return (f"<whereof.KVCache batch={batch} kv_heads={heads} dim={dim} {self._dtype} "
                f"tokens={self._length}>")


class _DecodeOptions(MaskOptions, EvidenceOptions, total=False):
    pass


def decode(query: Any, cache: KVCache, *, layout: Layout = "bthd", evidence: bool = True,
           **options: Unpack[_DecodeOptions]) -> tuple[Any, Evidence | None]:
    """attention() of the newest tokens' queries over a cache that holds their keys already.

    Causal unless said otherwise: the last row of query stands at the last token. All options of
    attention() for masks and evidence.
    """
    if len(cache) == 0:
        raise argument_error("cache holds no token; wanted at least those of query")
    measured = {name: options.pop(name) for name in EvidenceOptions.__annotations__  # type: ignore
                if name in options}
    mask = options_of(**{"causal": True, **options})  # type: ignore[arg-type]
    key, value, key_scales, value_scales = cache.views(layout)
    call = Call(query, None, None, layout, needs_log_sum_exp=evidence, cached=(key, value))
    if not evidence:
        call.run(mask, key_scales=key_scales, value_scales=value_scales)
        return call.output(), None
    spans = spans_array("spans", measured.get("spans", ()))
    rows = measured.get("rows")
    request = request_of(spans, rows, call.query_length, measured.get("sink_length", 1),
                         measured.get("top_keys", 0), measured.get("column_sums", False))
    found = call.run_measured(mask, request, spans, rows, key_scales=key_scales,
                              value_scales=value_scales)
    return call.output(), found
