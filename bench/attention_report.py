"""The records of bench/attention.py as a table (Markdown) and as a picture (SVG)."""

import html
import pathlib

HEADER = ("| case | set | threads | ms | rate | of its peak | peer ms | ratio | evidence "
          "| extra MiB |\n|---|---|---|---|---|---|---|---|---|---|")

LABEL_WIDTH, PANEL_WIDTH, ROW_HEIGHT, GAP = 290, 300, 22, 110
TOP = 64
INK, MUTED, OURS, PEAK = "#1f2328", "#6e7781", "#0969da", "#1a7f37"


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown"


def milliseconds(seconds):
    return f"{seconds * 1e3:,.1f}" if seconds < 1 else f"{seconds * 1e3:,.0f}"


def row(record):
    rate = (f"{record['gbytes_per_s']:.1f} GB/s" if "gbytes_per_s" in record
            else f"{record['tflops']:.3f} TFLOP/s")
    overhead = record.get("evidence_overhead")
    extra = record.get("extra_bytes")
    return "| " + " | ".join([
        record["case"], record["instruction_set"], str(record["threads"]),
        milliseconds(record["seconds"]), rate,
        f"{record['share_of_peak']:.0%} {record['peak']}",
        milliseconds(record["peer_seconds"]) if "peer" in record else "",
        f"{record['ratio']:.2f}" if "peer" in record else "",
        "" if overhead is None else f"{overhead:+.1%}",
        "" if extra is None else f"{extra / 2**20:.1f}"]) + " |"


def text(x, y, content, anchor="start", colour=INK, size=12):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
            f'font-size="{size}">{html.escape(content)}</text>')


def bars(left, title, values, limit, colour, mark, label):
    """One panel: a bar for each value that is there, its figure behind it, a line at `mark`."""
    height = TOP + ROW_HEIGHT * len(values)
    parts = [text(left, TOP - 18, title, size=13)]
    for index, value in enumerate(values):
        if value is None:
            continue
        width = PANEL_WIDTH * min(value, limit) / limit
        y = TOP + index * ROW_HEIGHT
        parts.append(f'<rect x="{left}" y="{y + 3}" width="{width:.1f}" height="{ROW_HEIGHT - 6}" '
                     f'fill="{colour}"/>')
        figure = label(value) + (" (bar cut off)" if value > limit else "")
        parts.append(text(left + width + 5, y + 15, figure, colour=MUTED))
    x = left + PANEL_WIDTH * mark / limit
    parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 8}" y2="{height}" stroke="{MUTED}" '
                 'stroke-dasharray="3 3"/>')
    return parts


def picture(records):
    """Speed beside PyTorch, and the share of the machine's peak, as horizontal bars."""
    shown = [record for record in records
             if not record["case"].startswith(("growth", "threads", "window", "memory"))]
    ratios = [record["ratio"] if record.get("peer", "").startswith("PyTorch") else None
              for record in shown]
    shares = [record["share_of_peak"] for record in shown]
    second = LABEL_WIDTH + PANEL_WIDTH + GAP
    width, height = second + PANEL_WIDTH + GAP, TOP + ROW_HEIGHT * len(shown) + 16
    machine = shown[0]["processor"] if shown else processor()
    threads = shown[0]["threads"] if shown else 0
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             f'width="{width}" height="{height}" font-family="sans-serif">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             text(12, 22, f"Attention with evidence on {machine}, {threads} threads", size=15)]
    parts += [text(LABEL_WIDTH - 10, TOP + index * ROW_HEIGHT + 15, record["case"], "end")
              for index, record in enumerate(shown)]
    # The eager path is so far away that its bar would make all others a line.
    farthest = max([ratio for ratio, record in zip(ratios, shown)
                    if ratio and not record["case"].startswith("weights_path")], default=1)
    parts += bars(LABEL_WIDTH, "times as fast as PyTorch", ratios, max(2.0, farthest * 1.05), OURS,
                  1.0, lambda value: f"{value:.2f}")
    parts += bars(second, "share of the machine's peak", shares, 1.0, PEAK, 1.0,
                  lambda value: f"{value:.0%}")
    return "\n".join(parts + ["</svg>"]) + "\n"
