"""evidence.plot(), plot_entropy() and the table of a notebook."""

import builtins

import numpy as np
import pytest

import materialised
import whereof


@pytest.fixture(name="evidence")
def _evidence():
    arrays = materialised.random_arrays(1)
    spans = [(0, 10), (10, 30), (30, 40)]
    return whereof.attention(*arrays, spans=spans, rows=[(0, 5), (5, 33)])[1]


@pytest.fixture(name="pyplot")
def _pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    yield pyplot
    pyplot.close("all")


def test_map(evidence, pyplot):
    axes = evidence.plot(labels=["1.", "2.", "3."])
    shares = axes.images[0].get_array()
    wanted = evidence.span_mass[0].mean(0) / np.array([[5.0], [28.0]])
    np.testing.assert_allclose(shares, wanted, rtol=1e-6)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1.", "2.", "3."]
    own = pyplot.subplots()[1]
    assert evidence.plot(axes=own) is own
    assert [label.get_text() for label in own.get_xticklabels()] == ["0:10", "10:30", "30:40"]
    own.figure.canvas.draw()


def test_entropy_by_layer(evidence, pyplot):
    axes = whereof.plot_entropy([evidence, evidence])
    mean = evidence.entropy[0].sum(1).mean() / 33
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [mean, mean], rtol=1e-6)
    axes.figure.canvas.draw()
    with pytest.raises(whereof.ArgumentError, match="layers is empty"):
        whereof.plot_entropy([])


def test_what_a_picture_refuses(evidence, pyplot):
    with pytest.raises(whereof.ArgumentError, match="labels has 2 entries; wanted one for each of "
                                                    "the 3 spans"):
        evidence.plot(labels=["a", "b"])
    bare = whereof.attention(*materialised.random_arrays(2))[1]
    with pytest.raises(whereof.ArgumentError, match="evidence has no spans"):
        bare.plot()
    assert not pyplot.get_fignums()


def test_without_matplotlib(evidence, monkeypatch):
    genuine = builtins.__import__

    def without(name, *rest, **more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return genuine(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"a picture needs matplotlib: pip install 'whereof\["):
        evidence.plot()


def test_table(evidence):
    table = evidence._repr_html_()
    share = 100 * evidence.span_mass[0, :, :, 1].sum() / 4 / 33
    assert f"<td>10:30</td><td>{share:.1f} %</td>" in table
    assert "&lt;whereof.Evidence batch=1 heads=4 groups=2 spans=3&gt;" in table
    many = whereof.attention(*materialised.random_arrays(3, keys=60),
                             spans=[(key, key + 1) for key in range(60)])[1]
    assert many._repr_html_().count("<tr>") == 41 and "and 20 more" in many._repr_html_()
    bare = whereof.attention(*materialised.random_arrays(4))[1]
    assert "<table>" not in bare._repr_html_()
