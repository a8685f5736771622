"""Arrays of other packages on their way in and out. None of those packages is imported here."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ._errors import argument_error, unsupported_error

_PROCESSOR = 1  # DLPack's kDLCPU
_TYPES = "float32, float16, bfloat16 or float64"


def shape_of(array: Any) -> tuple[int, ...]:
    return tuple(getattr(array, "shape", ()))


def is_tensor(array: Any) -> bool:
    """Whether it is a torch.Tensor, without importing torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def readable(name: str, array: Any) -> Any:
    """The array as the native module takes it, without a copy. `name` is for messages."""
    if isinstance(array, np.ndarray):
        return _readable_numpy(name, array)
    if is_tensor(array):
        return _readable_tensor(name, array)
    device = getattr(array, "__dlpack_device__", None)
    if device is None:
        if isinstance(array, (list, tuple, int, float, str, type(None))):
            raise unsupported_error(f"{name} is {type(array).__name__}; wanted an array of NumPy, "
                                    "or another with DLPack or the buffer protocol")
        return array
    if int(device()[0]) != _PROCESSOR:
        raise argument_error(f"{name} of shape {shape_of(array)} is not in the processor's memory; "
                             "wanted an array on the CPU")
    return array


def _readable_numpy(name: str, array: np.ndarray[Any, Any]) -> Any:
    if array.dtype.char in "fed" and array.dtype.isnative:
        return array
    if array.dtype.name == "bfloat16":  # of ml_dtypes, which DLPack of NumPy does not know
        return array.view(np.uint16)
    raise unsupported_error(f"{name} has shape {array.shape} and type {array.dtype}; "
                            f"wanted {_TYPES}")


def _readable_tensor(name: str, tensor: Any) -> Any:
    if tensor.device.type != "cpu":
        raise argument_error(f"{name} has shape {tuple(tensor.shape)} on device {tensor.device}; "
                             f"wanted a tensor on the CPU ({name}.cpu() makes one)")
    if tensor.layout != sys.modules["torch"].strided:
        raise unsupported_error(f"{name} of shape {tuple(tensor.shape)} has layout "
                                f"{tensor.layout}; wanted a strided tensor")
    return tensor.detach() if tensor.requires_grad else tensor


def new_like(array: Any, shape: tuple[int, ...], dtype: Any = None) -> Any:
    """An array to be written: a tensor for a tensor, of NumPy for all else; see finished()."""
    if is_tensor(array):
        return array.new_empty(shape, dtype=dtype, requires_grad=False)
    if dtype is None:
        dtype = getattr(array, "dtype", np.float32)
    return np.empty(shape, dtype)


def finished(like: Any, array: Any) -> Any:
    """What new_like() gave, as the kind of array that `like` is."""
    if isinstance(like, np.ndarray) or is_tensor(like):
        return array
    if type(like).__module__.partition(".")[0] in ("jaxlib", "jax"):
        return sys.modules["jax"].numpy.asarray(array)
    namespace: Callable[[], Any] | None = getattr(like, "__array_namespace__", None)
    return array if namespace is None else namespace().asarray(array)


def spans_array(name: str, spans: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Pairs of (begin, end) as int64 [count, 2]."""
    if len(spans) == 0:
        return np.empty((0, 2), np.int64)
    try:
        array = np.ascontiguousarray(spans)
    except ValueError:
        array = np.empty(0)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise argument_error(f"{name} has shape {array.shape} and type {array.dtype}; wanted pairs "
                             "of whole numbers (begin, end)")
    return np.ascontiguousarray(array, np.int64)
