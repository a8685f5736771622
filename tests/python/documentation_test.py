"""What docs/python.md shows runs as it stands there."""

import os
import pathlib
import re
import shutil

import numpy as np
import pytest

import whereof
from whereof import _native

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SNIPPETS = re.findall(r"^```python\n(.*?)^```", (SOURCE / "docs" / "python.md").read_text("utf-8"),
                      re.MULTILINE | re.DOTALL)


def snippet(words):
    """The one that holds these words."""
    found, = (text for text in SNIPPETS if words in text)
    return found


def run(words, **names):
    """Returns the names that there are afterwards."""
    exec(compile(snippet(words), "docs/python.md", "exec"), names)
    return names


@pytest.fixture(name="arrays", scope="module")
def _arrays():
    names = run("query = np.random")
    assert names["evidence"].span_mass.shape == (1, 14, 1, 3)
    return names


def test_all_are_run():
    assert len(SNIPPETS) == 6


def test_gradients(arrays):
    shapes = [arrays[name].shape for name in ("query", "key", "value")]
    few = {name: arrays[name][:, :300] for name in ("query", "key", "value")}
    names = run("attention_backward", whereof=whereof, grad_output=np.ones_like(few["query"]),
                **few)
    assert names["grad_key"].shape == (1, 300, *shapes[1][2:])


def test_a_cache(arrays):
    few = {name: arrays[name][:, -2:] for name in ("query", "key", "value")}
    names = run("whereof.decode", whereof=whereof, clauses=[(0, 1), (1, 2)], **few)
    np.testing.assert_allclose(names["evidence"].span_mass.sum(-1), 2.0, rtol=1e-5)


def test_gradients_of_tensors():
    torch = pytest.importorskip("torch")
    query, key, value = (torch.randn(1, heads, 30, 8, requires_grad=True) for heads in (4, 2, 2))
    run("output.sum().backward()", query=query, key=key, value=value)
    assert torch.isfinite(key.grad).all()


def test_a_model_of_transformers():
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(vocab_size=99, hidden_size=32, intermediate_size=32,
                                      num_hidden_layers=8, num_attention_heads=4,
                                      num_key_value_heads=2, max_position_embeddings=4096)
    names = run("whereof.torch.patch", model=transformers.LlamaForCausalLM(config).eval(),
                input_ids=torch.zeros(1, 4012, dtype=torch.long), clauses=[(0, 90), (90, 4000)])
    assert names["patched"].span_mass().shape == (8, 1, 4, 1, 2)


@pytest.mark.skipif(not _native.HAS_PRODUCT, reason="this wheel holds attention alone")
def test_documents_and_answers(capsys, monkeypatch, tmp_path):
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    monkeypatch.setenv("WHEREOF_MODELS", os.environ.get("WHEREOF_MODELS")
                       or os.path.join(cache, "whereof", "models"))
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setitem(globals(), "SNIPPETS", [text.replace("qwen2.5-coder-0.5b", "smollm2-135m")
                        .replace("agreement.pdf", "agreement.txt") for text in SNIPPETS])
    monkeypatch.chdir(tmp_path)
    shutil.copy(SOURCE / "examples" / "acquisition-agreement.txt", "agreement.txt")
    names = run("model.ask", whereof=whereof)
    assert names["answer"].text in capsys.readouterr().out
