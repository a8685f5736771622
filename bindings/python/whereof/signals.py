"""Signals of the literature on attention weights, each a few lines over evidence.

All take arrays, so that they work on one call or on all layers of a model: "..." stands for any
leading dimensions, such as [layers, batch, heads]. What each needs of a call to attention() stands
with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.floating[Any]]
Spans = Sequence[tuple[int, int]]


def lookback_ratio(mass: Numbers, context_tokens: int, new_tokens: npt.ArrayLike) -> Numbers:
    """Mean weight on the context over that plus the mean weight on what was generated, by row.

    Lookback Lens, arXiv 2407.07071. `mass` is span_mass [..., rows, 2] of rows="each" (or those of
    the answer), spans=[context, generated]; new_tokens [rows] is how many generated tokens each
    row sees. A row that sees none has ratio 1.
    """
    seen = np.asarray(new_tokens)
    context = mass[..., 0] / context_tokens
    generated = np.where(seen > 0, mass[..., 1] / np.maximum(seen, 1), 0.0)
    return context / (context + generated)


def icr_scores(question: Numbers, content_free: Numbers, documents: Spans) -> Numbers:
    """How much each document is looked at by the question, less by a content-free one.

    In-context re-ranking, arXiv 2410.02642. Both are span_mass [layers, heads, tokens] divided by
    the rows they sum, with one span for each token; documents are spans of tokens. Tokens more than
    two standard deviations under the mean of their document count for nothing.
    """
    calibrated = (question - content_free).sum((0, 1))
    scores = []
    for begin, end in documents:
        tokens = calibrated[begin:end]
        scores.append(tokens[tokens >= tokens.mean() - 2 * tokens.std()].sum())
    return np.array(scores)


def qr_heads(gold_mass: Numbers, count: int) -> list[tuple[int, int]]:
    """The `count` heads (layer, head) whose question rows put most weight on the right documents.

    QRHead, arXiv 2506.09944. gold_mass is [..., layers, heads], one entry a labelled example: the
    span_mass of the documents that hold the answer.
    """
    mean = gold_mass.reshape(-1, *gold_mass.shape[-2:]).mean(0)
    best = np.argsort(-mean, axis=None, kind="stable")[:count]
    return [(int(at // mean.shape[1]), int(at % mean.shape[1])) for at in best]


def qrhead_scores(question: Numbers, content_free: Numbers, documents: Spans,
                  heads: Sequence[tuple[int, int]]) -> Numbers:
    """icr_scores() over the heads (layer, head) that qr_heads() chose, arXiv 2506.09944."""
    layers, places = np.array(heads).T
    return icr_scores(question[layers, places][None], content_free[layers, places][None], documents)


def retrieval_head_scores(top_key: npt.NDArray[np.integer[Any]], prompt: Sequence[int],
                          generated: Sequence[int], needle: tuple[int, int]) -> Numbers:
    """The share of the needle's tokens that each head copied, [..., heads].

    Retrieval heads, arXiv 2404.15574. top_key, [..., heads, rows], is that of top_keys=1 (its last
    dimension left out) of the rows that predict the tokens `generated`; a token counts as copied
    when the key of largest weight lies in the needle and holds that very token.
    """
    prompt_tokens, new = np.asarray(prompt), np.asarray(generated)
    inside = (top_key >= needle[0]) & (top_key < needle[1])
    copied = inside & (prompt_tokens[np.clip(top_key, 0, len(prompt_tokens) - 1)] == new)
    wanted = np.unique(prompt_tokens[slice(*needle)])
    found = [(copied & (new == token)).any(-1) for token in wanted]
    return np.asarray(np.mean(found, axis=0))


def weighted_attribution(mass: Numbers, head_weights: Numbers) -> Numbers:
    """How much each source counts: span_mass [layers, heads, ..., spans] weighted by head.

    AT2, arXiv 2504.13752, whose weights are learnt: see fit_head_weights().
    """
    return np.asarray(np.einsum("lh,lh...s->...s", head_weights, mass))


def fit_head_weights(masses: Numbers, effects: Numbers, ridge: float = 1e-3) -> Numbers:
    """Weights of heads [layers, heads] whose attribution comes closest to measured effects.

    masses [examples, layers, heads, sources]; effects [examples, sources]: how much the answer's
    log-probability falls without each source. Both are taken less their mean over the sources of an
    example, as a correlation does. AT2 learns by gradient; this is ridge regression.
    """
    examples, layers, heads, sources = masses.shape
    features = (masses - masses.mean(-1, keepdims=True)).transpose(0, 3, 1, 2)
    features = features.reshape(examples * sources, layers * heads)
    wanted = (effects - effects.mean(-1, keepdims=True)).reshape(-1)
    normal = features.T @ features + ridge * np.eye(layers * heads)
    return np.asarray(np.linalg.solve(normal, features.T @ wanted)).reshape(layers, heads)
