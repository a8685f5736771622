"""The scores of Luong 2015 and Bahdanau 2014 instead of the scaled dot product."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from . import _native
from ._arrays import finished, is_tensor, new_like, readable, shape_of
from ._attention import Layout, axes_of, rank_four
from ._errors import argument_error
from ._evidence import Floats
from ._threads import threads_or_default

Form = Literal["dot", "general", "concat", "additive"]
# Which parameters a form takes.
_TAKEN = {"dot": (False, False, False), "general": (True, False, False),
          "concat": (True, False, True), "additive": (True, True, True)}
_PARAMETERS = ("weight", "key_weight", "score_vector")


class ScoringGradients(NamedTuple):
    """Of a loss by each array of a call; None where the form does not take it."""

    query: Any
    key: Any
    value: Any
    weight: Any
    key_weight: Any
    score_vector: Any


def _per_head(name: str, array: Any, heads: int) -> Any:
    """[1, heads, rows, columns] of a parameter that heads share or have of their own."""
    array = readable(name, array)
    wanted = 1 if name == "score_vector" else 2
    shape = shape_of(array)
    if len(shape) == wanted:
        whole = (1, heads, *((1,) if wanted == 1 else ()), *shape)
        return array.expand(whole) if is_tensor(array) else np.broadcast_to(array, whole)
    if len(shape) == wanted + 1 and shape[0] == heads:
        return array.reshape((1, heads, 1, shape[1])) if wanted == 1 else array[None]
    of_a_head = "[width]" if wanted == 1 else "[rows, columns]"
    raise argument_error(f"{name} has shape {shape}; wanted {of_a_head}, or {of_a_head[0]}heads, "
                         f"{of_a_head[1:]} with {heads} heads")


def _arrays(form: str, query: Any, key: Any, value: Any, parameters: tuple[Any, Any, Any],
            layout: str) -> tuple[Any, ...]:
    if form not in _TAKEN:
        raise argument_error(f"form is {form!r}; wanted one of {', '.join(_TAKEN)}")
    for name, array in (("query", query), ("key", key), ("value", value)):
        rank_four(name, array)
    heads = shape_of(query)[axes_of(layout)[1]]
    found = []
    for name, array, is_taken in zip(_PARAMETERS, parameters, _TAKEN[form]):
        if (array is not None) != is_taken:
            raise argument_error(f"{name} {'is missing' if is_taken else 'was given'}; form "
                                 f"{form!r} takes {'it' if is_taken else 'none'}")
        found.append(_per_head(name, array, heads) if is_taken else None)
    return (readable("query", query), readable("key", key), readable("value", value), *found)


def scored_attention(form: Form, query: Any, key: Any, value: Any, *, weight: Any = None,
                     key_weight: Any = None, score_vector: Any = None, causal: bool = False,
                     layout: Layout = "bthd", threads: int | None = None) -> tuple[Any, Floats]:
    """softmax(score(query, key)) . value, a row at a time; float32.

    dot       q . k
    general   (W q) . k                weight [key_dim, query_dim]
    concat    v . tanh(W [q; k])       weight [width, query_dim + key_dim], score_vector [width]
    additive  v . tanh(W q + U k)      weight [width, query_dim], key_weight [width, key_dim],
                                       score_vector [width]

    query [batch, query_length, heads, query_dim], key [batch, key_length, heads, key_dim], value
    [batch, key_length, heads, value_dim]. Parameters are shared by the heads, or have one more
    dimension of heads before theirs. Scores are not scaled. Returns (output, log_sum_exp), the
    latter [batch, heads, query_length].
    """
    arrays = _arrays(form, query, key, value, (weight, key_weight, score_vector), layout)
    shape = shape_of(query)
    length, heads = axes_of(layout)
    output = new_like(query, (*shape[:3], shape_of(value)[3]))
    log_sum_exp = np.empty((shape[0], shape[heads], shape[length]), np.float32)
    _native.scoring_forward(form, arrays, readable("out", output), log_sum_exp, layout, causal,
                            threads_or_default(threads))
    return finished(query, output), log_sum_exp


def scored_attention_backward(form: Form, grad_output: Any, query: Any, key: Any, value: Any,
                              output: Any, log_sum_exp: Floats, *, weight: Any = None,
                              key_weight: Any = None, score_vector: Any = None,
                              causal: bool = False, layout: Layout = "bthd",
                              threads: int | None = None) -> ScoringGradients:
    """Gradients by every array of scored_attention(), each of its shape."""
    given = (query, key, value, weight, key_weight, score_vector)
    arrays = _arrays(form, query, key, value, given[3:], layout)
    gradients = [None if array is None else new_like(array, shape_of(array)) for array in arrays]
    _native.scoring_backward(form, arrays, readable("output", output),
                             np.ascontiguousarray(log_sum_exp, np.float32),
                             readable("grad_output", grad_output), tuple(gradients), layout, causal,
                             threads_or_default(threads))
    for place, array in enumerate(given[3:], 3):
        gradient = gradients[place]
        if array is None or gradient is None:
            continue
        shape = shape_of(array)
        is_shared = len(shape) == (1 if place == 5 else 2)
        gradients[place] = (gradient.sum(1) if is_shared else gradient).reshape(shape)
    return ScoringGradients(*(None if gradient is None else finished(array, gradient)
                              for array, gradient in zip(given, gradients)))
