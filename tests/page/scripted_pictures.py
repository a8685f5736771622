"""Pictures of pages without a picture library: grey bars where lines of text stand."""

import struct
import zlib


def png(width, height, rows):
    """8-bit grey; rows are bytes of `width` each."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))

    raw = b"".join(b"\0" + row for row in rows)
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(raw, 1)) + chunk(b"IEND", b""))


def page_picture(page, lines, dpi):
    """`lines` are boxes in points; each becomes a grey bar."""
    scale = dpi / 72
    width, height = round(page["width"] * scale), round(page["height"] * scale)
    white = b"\xff" * width
    rows = [white] * height
    for box in lines:
        left, right = round(box["left"] * scale), round(box["right"] * scale)
        bar = b"\xff" * left + b"\x78" * (right - left) + b"\xff" * (width - right)
        for row in range(round(box["top"] * scale) + 2, round(box["bottom"] * scale) - 1):
            if row < height:
                rows[row] = bar
    return png(width, height, rows)
