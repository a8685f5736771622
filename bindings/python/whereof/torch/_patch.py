"""Models of transformers that compute their attention here, and give its evidence.

transformers asks a registry for the function that computes attention, and another for the one that
makes its mask. Ours makes no matrix: it says in a few numbers which keys a row sees.
"""

from __future__ import annotations

import dataclasses
import weakref
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import torch

from .._attention import EvidenceOptions, MaskOptions
from .._errors import argument_error, unsupported_error
from .._evidence import Evidence, Floats
from ._function import attention

_NAME = "whereof"


@dataclasses.dataclass(frozen=True)
class _Visible:
    """Which keys the rows of a forward pass see, beside causality and window."""

    query_offset: int | None = None
    key_offset: int = 0  # the position of the first key that the cache still holds
    hidden: tuple[tuple[int, int], ...] = ()
    lengths: tuple[int, ...] = ()


def _visible(batch_size: int, q_length: int, kv_length: int, q_offset: Any = 0,
             kv_offset: int = 0, mask_function: Any = None, attention_mask: Any = None,
             allow_is_causal_skip: bool = True, **_: Any) -> _Visible:
    """The function that transformers calls to make a mask."""
    from transformers import masking_utils

    known = (None, masking_utils.causal_mask_function, masking_utils.bidirectional_mask_function)
    if not allow_is_causal_skip and mask_function not in known:
        raise unsupported_error("the model combines its mask with another (packed sequences, "
                                "blocks that see one another); wanted a causal mask, with or "
                                "without a window")
    first = int(q_offset) - kv_offset
    offset = None if first == kv_length - q_length else first
    if attention_mask is None:
        return _Visible(offset, kv_offset)
    seen = attention_mask[:, kv_offset:kv_offset + kv_length].bool()
    if seen.shape[1] == kv_length and bool(seen.all()):
        return _Visible(offset, kv_offset)
    lengths = seen.sum(1)
    if seen.shape[1] == kv_length == q_length and not bool(
            (seen.int().diff(dim=1) > 0).any()) and bool((lengths > 0).all()):
        return _Visible(offset, kv_offset, lengths=tuple(lengths.tolist()))  # padded on the right
    if batch_size == 1 or bool((seen == seen[:1]).all()):
        edges = torch.nn.functional.pad(seen[0].int(), (1, 1), value=1).diff()
        begins, ends = (edges < 0).nonzero()[:, 0], (edges > 0).nonzero()[:, 0]
        return _Visible(offset, kv_offset, hidden=tuple(zip(begins.tolist(), ends.tolist())))
    raise unsupported_error(f"attention_mask of shape {tuple(attention_mask.shape)} pads sequences "
                            "of a batch differently and not only on the right; wanted right "
                            "padding in one forward pass, or one sequence")


class Patched:
    """A model that was patched, and what was measured on its attention."""

    def __init__(self, model: Any, before: str) -> None:
        self._model = model
        self._before = before
        self._measured: EvidenceOptions | None = {}
        self.passes: list[dict[int, Evidence]] = []
        """The evidence of each layer for each forward pass since measure() or clear()."""

    def measure(self, *, evidence: bool = True, spans: Any = (), rows: Any = None,
                sink_length: int = 1, top_keys: int = 0, column_sums: bool = False) -> Self:
        """What to measure from the next forward pass on; forgets what was measured before.

        Options are those of whereof.attention(). `rows` is for passes of more than one token; the
        single row of a decode step is a group of its own.
        """
        self._measured = {"spans": spans, "rows": rows, "sink_length": sink_length,
                          "top_keys": top_keys, "column_sums": column_sums} if evidence else None
        self.clear()
        return self

    def clear(self) -> None:
        """Forgets the evidence of all passes."""
        self.passes = []

    @property
    def evidence(self) -> dict[int, Evidence]:
        """The evidence of the last forward pass by layer."""
        if not self.passes:
            raise argument_error("no forward pass was measured; call the model first")
        return self.passes[-1]

    def _stacked(self, name: str) -> Floats:
        layers = self.evidence
        return np.stack([getattr(layers[layer], name) for layer in sorted(layers)])

    def span_mass(self) -> Floats:
        """[layers, batch, heads, groups, spans] of the last forward pass."""
        return self._stacked("span_mass")

    def entropy(self) -> Floats:
        """[layers, batch, heads, groups] of the last forward pass, nats summed over rows."""
        return self._stacked("entropy")

    def restore(self) -> None:
        """Gives the model the attention that it had before."""
        for module in self._model.modules():
            _patched_of_module.pop(module, None)
        self._model.set_attn_implementation(self._before)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.restore()

    def _spans_of(self, visible: _Visible, key_length: int) -> npt.NDArray[np.int64]:
        """The spans that are asked for, less what the cache has dropped."""
        assert self._measured is not None
        spans = np.asarray(self._measured.get("spans", ()), np.int64).reshape(-1, 2)
        if visible.key_offset == 0:
            return spans
        spans = np.clip(spans - visible.key_offset, 0, key_length)
        return spans[spans[:, 0] < spans[:, 1]]

    def _options(self, visible: _Visible, query_length: int, key_length: int) -> dict[str, Any]:
        if self._measured is None:
            return {"evidence": False}
        options: dict[str, Any] = dict(self._measured)
        options["spans"] = self._spans_of(visible, key_length)
        if query_length == 1:
            options["rows"] = None
        return options

    def _keep(self, layer: int, visible: _Visible, found: Evidence | None) -> None:
        if found is None:
            return
        found.spans = found.spans + visible.key_offset
        if not self.passes or layer in self.passes[-1]:
            self.passes.append({})
        self.passes[-1][layer] = found


# Layers of patched models; a layer that is not here is computed without evidence.
_patched_of_module: weakref.WeakKeyDictionary[torch.nn.Module, Patched] = (
    weakref.WeakKeyDictionary())
_REFUSED = ("s_aux", "sinks", "position_bias", "head_mask", "cu_seq_lens_q", "block_indices")


def _forward(module: Any, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor,
             attention_mask: Any, dropout: float = 0.0, scaling: float | None = None,
             sliding_window: int | None = None, softcap: float | None = None,
             is_causal: bool | None = None, **others: Any) -> tuple[torch.Tensor, None]:
    """The function that transformers calls, with tensors [batch, heads, length, dim]."""
    if isinstance(attention_mask, torch.Tensor):
        raise unsupported_error(f"attention_mask has shape {tuple(attention_mask.shape)}; wanted "
                                "[batch, length] of ones and zeros, or none")
    refused = [name for name in _REFUSED if others.get(name) is not None]
    if refused or dropout > 0.0:
        what = f"uses {refused[0]}" if refused else f"drops out {dropout} of the weights"
        raise unsupported_error(f"{type(module).__name__} {what} in attention, which whereof does "
                                "not compute")
    visible = attention_mask or _Visible()
    mask: MaskOptions = {
        "causal": getattr(module, "is_causal", True) if is_causal is None else is_causal,
        "scale": scaling, "soft_cap": softcap or 0.0, "window": sliding_window or 0,
        "query_offset": visible.query_offset, "hidden": visible.hidden,
        "query_lengths": visible.lengths, "key_lengths": visible.lengths}
    patched = _patched_of_module.get(module)
    options = ({"evidence": False} if patched is None else
               patched._options(visible, query.shape[2], key.shape[2]))
    output, found = attention(query, key, value, layout="bhtd", **mask, **options)
    if patched is not None:
        patched._keep(module.layer_idx, visible, found)
    return output.transpose(1, 2).contiguous(), None


def patch(model: Any) -> Patched:
    """Makes a model of transformers compute its attention here, until restore() or for a `with`.

    Grouped heads, causal masks, sliding windows, soft caps and caches are computed as the model
    asks; on the CPU, in float32, bfloat16 or float16. Every forward pass leaves the evidence of
    each layer; measure() says of what.
    """
    try:
        import transformers
    except ImportError as missing:
        raise ImportError("whereof.torch.patch needs transformers, which is not installed") from (
            missing)
    if not isinstance(model, transformers.PreTrainedModel):
        raise unsupported_error(f"model is {type(model).__name__}; wanted a "
                                "transformers.PreTrainedModel")
    layers = [module for module in model.modules()
              if getattr(module, "layer_idx", None) is not None and hasattr(module, "is_causal")]
    if not model._can_set_attn_implementation() or not layers:
        raise unsupported_error(f"{type(model).__name__} does not take its attention from "
                                "transformers' attention interface; wanted a model that does")
    if next(model.parameters()).device.type != "cpu":
        raise argument_error(f"model is on device {next(model.parameters()).device}; wanted a "
                             "model on the CPU")
    transformers.AttentionInterface.register(_NAME, _forward)
    transformers.AttentionMaskInterface.register(_NAME, _visible)
    before = model.config._attn_implementation
    model.set_attn_implementation(_NAME)
    patched = Patched(model, before)
    for layer in layers:
        _patched_of_module[layer] = patched
    return patched
