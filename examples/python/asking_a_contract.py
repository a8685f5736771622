# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
# ---
# %% [markdown]
# # Asking a contract
# An answer with the clauses it was read from. `pip install .` builds this part of whereof where
# `tools/setup.sh build` has been run before; models come by `python3 tools/fetch.py model NAME`.

# %%
import os
import pathlib

import whereof

folder = pathlib.Path(os.environ.get("EXAMPLES", "examples"))
document = whereof.Document(folder / "acquisition-agreement.txt")
print(document, "with", len(document.clauses), "clauses")

# %%
model = whereof.Model(os.environ.get("MODEL", "qwen2.5-coder-0.5b"))
options = {"max_tokens": int(os.environ.get("MAX_TOKENS", "120")), "budget_seconds": 20}
with model.stream(document, "What is the cap on liability?", **options) as words:
    for word in words:
        print(word, end="", flush=True)
    answer = words.answer

# %%
print(answer.verdict, answer.reasons)
for citation in answer.citations:
    print(f"{citation.clause} ({citation.share:.0%}): {citation.quotation}")
    assert document.slice(citation.span) == citation.quotation

# %% [markdown]
# The share of the evidence on each clause, and what each layer did.

# %%
axes = answer.plot()

# %%
print("share of the largest entropy, by layer:", answer.layers["entropy_share"].round(2))
answer
