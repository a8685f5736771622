"""Attention with its evidence for PyTorch: gradients, and models of transformers.

    output, evidence = whereof.torch.attention(query, key, value, causal=True)
    output.sum().backward()

    patched = whereof.torch.patch(model)
    patched.measure(spans=[(0, 900), (900, 4000)])
    model(input_ids)
    patched.span_mass()  # [layers, batch, heads, groups, spans]
"""

try:
    import torch as _torch  # noqa: F401
except ImportError as _missing:
    raise ImportError("whereof.torch needs PyTorch, which is not installed") from _missing

from ._function import attention
from ._patch import Patched, patch

__all__ = ["Patched", "attention", "patch"]
