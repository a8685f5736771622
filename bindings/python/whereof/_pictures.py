"""Evidence as pictures and as a table for notebooks. matplotlib is imported only to draw."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import argument_error

if TYPE_CHECKING:
    from ._evidence import Evidence, Floats

_ROWS_OF_A_TABLE = 40


def axes_to_draw_on(axes: Any) -> Any:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError("a picture needs matplotlib: pip install 'whereof[plot]'") from missing
    return pyplot.subplots()[1]


def mean_shares(evidence: Evidence, batch: int = 0) -> Floats:
    """[groups, spans]: the mean weight of a row on each span, over heads."""
    rows = np.maximum(evidence.row_count[batch], 1)[:, None]
    shares: Floats = evidence.span_mass[batch].mean(0) / rows
    return shares


def labels_of(evidence: Evidence, labels: Sequence[str] | None) -> list[str]:
    if labels is None:
        return [f"{begin}:{end}" for begin, end in evidence.spans.tolist()]
    if len(labels) != len(evidence.spans):
        raise argument_error(f"labels has {len(labels)} entries; wanted one for each of the "
                             f"{len(evidence.spans)} spans")
    return list(labels)


def draw_map(evidence: Evidence, batch: int, labels: Sequence[str] | None, axes: Any) -> Any:
    names = labels_of(evidence, labels)
    if not names:
        raise argument_error("evidence has no spans; wanted a call with spans=")
    axes = axes_to_draw_on(axes)
    shares = mean_shares(evidence, batch)
    image = axes.imshow(shares, aspect="auto", vmin=0.0, cmap="viridis")
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_xlabel("span of keys")
    axes.set_ylabel("group of rows")
    axes.figure.colorbar(image, ax=axes, label="mean weight of a row")
    return axes


def plot_entropy(layers: Sequence[Evidence], *, batch: int = 0, axes: Any = None) -> Any:
    """Entropy by layer in nats: the mean over heads and rows, and between the heads at its ends.

    `layers` is the evidence of each layer. Draws on `axes` of matplotlib, or new ones, and returns
    them.
    """
    if not layers:
        raise argument_error("layers is empty; wanted the evidence of at least one layer")
    by_head = np.stack([layer.entropy[batch].sum(1) / max(1, int(layer.row_count[batch].sum()))
                        for layer in layers])
    axes = axes_to_draw_on(axes)
    places = np.arange(len(layers))
    axes.fill_between(places, by_head.min(1), by_head.max(1), alpha=0.25, label="heads")
    axes.plot(places, by_head.mean(1), marker="o", label="mean")
    axes.set_xlabel("layer")
    axes.set_ylabel("entropy of a row, nats")
    axes.legend()
    return axes


def table_of(evidence: Evidence) -> str:
    """HTML: what the first sequence of the batch looks at, spans of largest share first."""
    head = html.escape(repr(evidence))
    if not len(evidence.spans):
        return f"<p>{head}</p>"
    rows = np.maximum(evidence.row_count[0].sum(), 1)
    shares = evidence.span_mass[0].mean(0).sum(0) / rows
    lines = []
    for span in np.argsort(-shares, kind="stable")[:_ROWS_OF_A_TABLE]:
        begin, end = evidence.spans[span]
        percent = 100.0 * float(shares[span])
        bar = f"<div style='background:#4a7ab5;height:0.8em;width:{percent:.1f}px'></div>"
        lines.append(f"<tr><td>{begin}:{end}</td><td>{percent:.1f} %</td><td>{bar}</td></tr>")
    rest = len(evidence.spans) - len(lines)
    more = f"<p>and {rest} more</p>" if rest > 0 else ""
    return (f"<p>{head}</p><table><tr><th>span</th><th>mean weight</th><th></th></tr>"
            f"{''.join(lines)}</table>{more}")
