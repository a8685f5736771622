# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
# ---
# %% [markdown]
# # Attention and its evidence
# Exact attention over 6,000 keys, and where its weights lie, without the matrix of weights.

# %%
import numpy as np

import whereof

random = np.random.default_rng(0)
query = random.standard_normal((1, 64, 8, 64), dtype=np.float32)  # [batch, length, heads, dim]
key = random.standard_normal((1, 6000, 2, 64), dtype=np.float32)
value = random.standard_normal((1, 6000, 2, 64), dtype=np.float32)

# %% [markdown]
# One key is what the last row looks for: it is planted in the third of five spans.

# %%
spans = [(0, 1000), (1000, 2500), (2500, 3000), (3000, 5000), (5000, 6000)]
key[0, 2700, :] = 3 * query[0, -1, ::4]
output, evidence = whereof.attention(query, key, value, causal=True, spans=spans, rows=[63],
                                     top_keys=3)
evidence

# %%
assert evidence.top_key[0, 0, 0, 0] == 2700
print("found at", evidence.top_key[0, 0, 0, 0], "with weight", evidence.top_weight[0, 0, 0, 0])
print("weight on each span, head 0:", evidence.span_mass[0, 0, 0].round(3))

# %% [markdown]
# The clause map: eight groups of rows against the spans.

# %%
groups = [(begin, begin + 8) for begin in range(0, 64, 8)]
_, by_group = whereof.attention(query, key, value, causal=True, spans=spans, rows=groups)
axes = by_group.plot()

# %% [markdown]
# The same figures from all weights, for those who want to see it: 64 rows are few enough.

# %%
doubles = query.astype(np.float64), np.repeat(key, 4, axis=2).astype(np.float64)
scores = np.einsum("bihd,bjhd->bhij", *doubles) / 8.0
scores = np.where(np.arange(6000) > np.arange(64)[:, None] + 5936, -np.inf, scores)
weights = np.exp(scores - scores.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)
by_hand = np.stack([weights[:, :, 63, begin:end].sum(-1) for begin, end in spans], axis=-1)
print("largest difference:", np.abs(by_hand - evidence.span_mass[:, :, 0]).max())
assert np.abs(by_hand - evidence.span_mass[:, :, 0]).max() < 1e-5

# %% [markdown]
# Gradients, from what the call has left.

# %%
grad_query, grad_key, grad_value = whereof.attention_backward(
    np.ones_like(output), query, key, value, output, evidence.row_log_sum_exp, causal=True)
print(grad_query.shape, grad_key.shape, grad_value.shape)
