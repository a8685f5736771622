#!/usr/bin/env python3
"""Draws of the sampler, computed by its description in Python: golden values.

    python make_samples.py > samples.jsonl

One JSON object a line: {"temperature", "top_k", "top_p", "seed", "choices"}: 50 choices one after
the other from the logits ((i * 37) % 101) / 8, i = 0 .. 199 (each value stands there twice or
once, so ties matter).
"""

import json
import math

MASK = (1 << 64) - 1
LOGITS = [((i * 37) % 101) / 8 for i in range(200)]


def splitmix64(state):
    state = state + 0x9E3779B97F4A7C15 & MASK
    z = state
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return state, z ^ z >> 31


def draws(temperature, top_k, top_p, seed, count):
    order = sorted(range(len(LOGITS)), key=lambda i: (-LOGITS[i], i))
    order = order[:top_k] if top_k else order
    weights = [math.exp((LOGITS[i] - LOGITS[order[0]]) / temperature) for i in order]
    total = sum(weights)
    kept = 0
    size = 0
    while size < len(order) and (size == 0 or kept < top_p * total):
        kept += weights[size]
        size += 1
    for _ in range(count):
        seed, bits = splitmix64(seed)
        left = (bits >> 11) * 2.0**-53 * kept
        choice = 0
        running = weights[0]
        while choice + 1 < size and left >= running:
            choice += 1
            running += weights[choice]
        yield order[choice]


def main():
    for temperature, top_k, top_p, seed in [(1.0, 0, 1.0, 0), (0.5, 40, 0.9375, 1),
                                            (2.0, 7, 1.0, 2), (1.5, 0, 0.5, 2**64 - 1),
                                            (1.0, 1, 1.0, 4), (4.0, 199, 0.0, 5)]:
        choices = list(draws(temperature, top_k, top_p, seed, 50))
        print(json.dumps({"temperature": temperature, "top_k": top_k, "top_p": top_p,
                          "seed": seed, "choices": choices}))


if __name__ == "__main__":
    main()
