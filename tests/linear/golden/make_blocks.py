#!/usr/bin/env python3
"""Golden dequantised blocks, made by the `gguf` package (0.19.0 from PyPI).

    python3 make_blocks.py > blocks.jsonl

One line a tensor type: random bytes with finite half-precision scales, and the 512 floats that
the package makes of them (32-bit little-endian, hexadecimal).
"""

import json

import gguf
import numpy

SEED = 20261130
CHUNKS = 2
# Where a block's half-precision numbers stand.
HALVES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82],
          "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0],
          "IQ4_XS": [0], "F16": [0], "BF16": [], "F32": []}


def main():
    random = numpy.random.default_rng(SEED)
    for name, halves in HALVES.items():
        kind = gguf.GGMLQuantizationType[name]
        elements, size = gguf.GGML_QUANT_SIZES[kind]
        count = CHUNKS * 256 // elements
        blocks = random.integers(0, 256, (count, size), dtype=numpy.uint8)
        for at in halves:
            scales = random.normal(0, 0.01, count).astype(numpy.float16)
            blocks[:, at:at + 2] = scales.view(numpy.uint8).reshape(count, 2)
        if name in ("F32", "BF16"):
            values = random.normal(0, 1, count).astype(numpy.float32).view(numpy.uint8)
            blocks = values.reshape(count, 4)[:, 4 - size:].copy()
        values = gguf.quants.dequantize(blocks.reshape(1, -1), kind).astype("<f4")
        print(json.dumps({"type": name.lower(), "blocks": blocks.tobytes().hex(),
                          "values": values.tobytes().hex()}))


if __name__ == "__main__":
    main()
