# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
# ---
# %% [markdown]
# # Where does my model look in a 30,000-token document?
# Any causal model of transformers, on the CPU. Here it is a random one of a small size, so that
# this runs without a download; put your own in its place. Set LENGTH to what your document has:
# memory grows with the length, not with its square.

# %%
import os

import torch
import transformers

import whereof
import whereof.torch

LENGTH = int(os.environ.get("LENGTH", "30000"))
torch.manual_seed(0)
config = transformers.LlamaConfig(vocab_size=512, hidden_size=64, intermediate_size=128,
                                  num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2,
                                  max_position_embeddings=LENGTH)
model = transformers.LlamaModel(config).eval()

# %% [markdown]
# A document of fifty clauses, then a question of twelve tokens. The evidence is of its rows.

# %%
tokens = torch.randint(0, 512, (1, LENGTH))
question = (LENGTH - 12, LENGTH)
edges = [question[0] * i // 50 for i in range(51)]
clauses = list(zip(edges, edges[1:]))

with torch.no_grad(), whereof.torch.patch(model) as patched:
    patched.measure(spans=clauses, rows=[question], top_keys=3)
    model(tokens, use_cache=False)
    mass = patched.span_mass()  # [layers, batch, heads, groups, spans]
    layers = [patched.evidence[layer] for layer in sorted(patched.evidence)]

# %%
assert mass.shape == (4, 1, 4, 1, 50)
by_clause = mass[:, 0, :, 0].mean((0, 1)) / 12
print("clauses that the question looks at most:", by_clause.argsort()[::-1][:5])
print("heads that look at clause 7 most (layer, head):",
      whereof.signals.qr_heads(mass[:, 0, :, 0, 7][None], 3))

# %%
axes = whereof.plot_entropy(layers)

# %%
axes = layers[-1].plot(labels=[f"clause {i + 1}" for i in range(50)])
