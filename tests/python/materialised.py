"""Attention and its evidence from all weights at once, in double: what the library is held to."""

import numpy as np


def weights(query, key, *, scale=None, causal=False, window=0, hidden=(), soft_cap=0.0):
    """[batch, query_heads, query_length, key_length] of arrays [batch, length, heads, dim]."""
    query, key = np.asarray(query, np.float64), np.asarray(key, np.float64)
    rows, keys = query.shape[1], key.shape[1]
    key = np.repeat(key, query.shape[2] // key.shape[2], axis=2)
    scale = query.shape[3] ** -0.5 if scale is None else scale
    scores = scale * np.einsum("bihd,bjhd->bhij", query, key)
    if soft_cap:
        scores = soft_cap * np.tanh(scores / soft_cap)
    row, column = np.arange(rows)[:, None] + keys - rows, np.arange(keys)[None]
    sees = np.ones((rows, keys), bool)
    if causal:
        sees &= column <= row
    if window:
        sees &= np.abs(column - row) < window
    for begin, end in hidden:
        sees[:, begin:end] = False
    scores = np.where(sees, scores, -np.inf)
    highest = scores.max(-1, keepdims=True)
    parts = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = parts.sum(-1, keepdims=True)
    return np.divide(parts, total, out=np.zeros_like(parts), where=total > 0)


def output(all_weights, value):
    value = np.asarray(value, np.float64)
    value = np.repeat(value, all_weights.shape[1] // value.shape[2], axis=2)
    return np.einsum("bhij,bjhd->bihd", all_weights, value)


def entropy(all_weights):
    logs = np.log(all_weights, out=np.zeros_like(all_weights), where=all_weights > 0)
    return -(all_weights * logs).sum(-1)


def span_mass(all_weights, spans):
    """[batch, heads, rows, spans]."""
    return np.stack([all_weights[..., begin:end].sum(-1) for begin, end in spans], axis=-1)


def random_arrays(seed, *, batch=1, rows=33, keys=40, query_heads=4, kv_heads=2, dim=16,
                  value_dim=None, dtype=np.float32):
    """query, key and value, [batch, length, heads, dim]."""
    random = np.random.default_rng(seed)
    shapes = ((rows, query_heads, dim), (keys, kv_heads, dim), (keys, kv_heads, value_dim or dim))
    return tuple(random.standard_normal((batch, *shape)).astype(dtype) for shape in shapes)
