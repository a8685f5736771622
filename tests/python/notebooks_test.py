"""The notebooks of examples/python run to their end, small."""

import os
import pathlib
import runpy

import pytest

from whereof import _native

SOURCE = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = SOURCE / "examples" / "python"


@pytest.fixture(autouse=True)
def _without_windows(monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.setenv("LENGTH", "3000")
    yield
    from matplotlib import pyplot
    pyplot.close("all")


def test_all_are_tested():
    names = {path.stem for path in NOTEBOOKS.glob("*.py")}
    assert names == {"attention_and_its_evidence", "where_a_model_looks", "asking_a_contract"}


def test_attention_and_its_evidence(capsys):
    runpy.run_path(str(NOTEBOOKS / "attention_and_its_evidence.py"))
    assert "found at 2700" in capsys.readouterr().out


def test_where_a_model_looks(capsys):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    runpy.run_path(str(NOTEBOOKS / "where_a_model_looks.py"))
    assert "clauses that the question looks at most" in capsys.readouterr().out


@pytest.mark.skipif(not _native.HAS_PRODUCT, reason="this wheel holds attention alone")
def test_asking_a_contract(capsys, monkeypatch, tmp_path):
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    monkeypatch.setenv("WHEREOF_MODELS", os.environ.get("WHEREOF_MODELS")
                       or os.path.join(cache, "whereof", "models"))
    settings = {"XDG_CACHE_HOME": tmp_path / "cache", "XDG_DATA_HOME": tmp_path / "data",
                "EXAMPLES": SOURCE / "examples", "MODEL": "smollm2-135m", "MAX_TOKENS": "12"}
    for name, value in settings.items():
        monkeypatch.setenv(name, str(value))
    runpy.run_path(str(NOTEBOOKS / "asking_a_contract.py"))
    assert "acquisition-agreement.txt" in capsys.readouterr().out
