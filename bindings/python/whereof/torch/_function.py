"""whereof.attention as a function of PyTorch that trains."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
import torch
from torch.autograd.function import once_differentiable

from .. import _native
from .._arrays import spans_array
from .._attention import Call, EvidenceOptions, Layout, MaskOptions, attention_backward, options_of
from .._attention import request_of
from .._evidence import Evidence


class _Measure:
    """What to measure, and where the function leaves what it found."""

    def __init__(self, layout: str, mask: MaskOptions, measured: EvidenceOptions | None,
                 query_length: int) -> None:
        self.layout = layout
        self.mask = mask
        self.options = options_of(**mask)
        self.spans: npt.NDArray[np.int64] | None = None
        self.rows: Any = None
        self.request: _native.EvidenceRequest | None = None
        self.evidence: Evidence | None = None
        if measured is not None:
            self.spans = spans_array("spans", measured.get("spans", ()))
            self.rows = measured.get("rows")
            self.request = request_of(self.spans, self.rows, query_length,
                                      measured.get("sink_length", 1), measured.get("top_keys", 0),
                                      measured.get("column_sums", False))


class _Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor,
                measure: _Measure) -> torch.Tensor:
        call = Call(query, key, value, measure.layout, needs_log_sum_exp=True)
        if measure.request is None:
            call.run(measure.options)
        else:
            assert measure.spans is not None
            measure.evidence = call.run_measured(measure.options, measure.request, measure.spans,
                                                 measure.rows)
        output: torch.Tensor = call.output()
        ctx.save_for_backward(query, key, value, output)
        ctx.log_sum_exp = call.log_sum_exp
        ctx.measure = measure
        return output

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, grad_output: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        saved = list(ctx.saved_tensors)
        types = [tensor.dtype for tensor in saved[:3]]
        # The library's gradients take no float16.
        if torch.float16 in types:
            saved = [tensor.float() for tensor in saved]
            grad_output = grad_output.float()
        query, key, value, output = saved
        gradients = attention_backward(grad_output.contiguous(), query, key, value, output,
                                       ctx.log_sum_exp, layout=ctx.measure.layout,
                                       **ctx.measure.mask)
        return (*(gradient.to(dtype) for gradient, dtype in zip(gradients, types)), None)


def attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, *,
              layout: Layout = "bthd", evidence: bool = True,
              spans: Any = (), rows: Any = None, sink_length: int = 1, top_keys: int = 0,
              column_sums: bool = False,
              **mask: Unpack[MaskOptions]) -> tuple[torch.Tensor, Evidence | None]:
    """whereof.attention() with gradients by query, key and value.

    Options are those of whereof.attention(). The evidence has no gradient. float32, bfloat16
    and float64, in which torch.autograd.gradcheck runs; of float16 the gradients are computed in
    float32.
    """
    measured: EvidenceOptions | None = None
    if evidence:
        measured = {"spans": spans, "rows": rows, "sink_length": sink_length,
                    "top_keys": top_keys, "column_sums": column_sums}
    length = query.shape[1 if layout == "bthd" else 2] if query.dim() == 4 else 0
    measure = _Measure(layout, mask, measured, length)
    output: torch.Tensor = _Attention.apply(query, key, value, measure)  # type: ignore
    return output, measure.evidence
