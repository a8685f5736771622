#!/usr/bin/env python3
"""Perplexity of a text in whereof and in llama.cpp: the same file, model and blocks.

    python3 bench/perplexity.py TEXTFILE --model NAME-or-FILE... [--characters 20000]

Needs the Python package llama-cpp-python, pinned in peers.py, beside this interpreter. Both read
the text in blocks of 512 tokens without more context and score each token but a block's first.
Exits with 1 when the token counts differ or a ratio is off by more than one per cent.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
from llama_cpp import Llama

import model as bench_model

BLOCK = 512


def llama_cpp_nats(path, text, threads):
    llama = Llama(model_path=str(path), n_ctx=BLOCK, n_batch=BLOCK, n_ubatch=BLOCK,
                  n_threads=threads, n_threads_batch=threads, logits_all=True, verbose=False)
    tokens = llama.tokenize(text.encode(), add_bos=False, special=False)
    total, scored = 0.0, 0
    for begin in range(0, len(tokens) - 1, BLOCK):
        block = tokens[begin:begin + BLOCK]
        llama.reset()
        llama.eval(block)
        logits = numpy.array(llama.scores[:len(block) - 1], dtype=numpy.float64)
        largest = logits.max(axis=1)
        sums = numpy.log(numpy.exp(logits - largest[:, None]).sum(axis=1)) + largest
        total += float((sums - logits[numpy.arange(len(block) - 1), block[1:]]).sum())
        scored += len(block) - 1
    return len(tokens), total / scored


def whereof_nats(path, file, threads):
    done = subprocess.run([bench_model.PROGRAM, path, "--perplexity", file, "--threads",
                           str(threads)], capture_output=True, text=True, check=True)
    record = json.loads(done.stdout)
    return record["tokens"], record["nats"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=pathlib.Path)
    parser.add_argument("--model", nargs="+", required=True)
    parser.add_argument("--characters", type=int, default=20000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    text = arguments.text.read_text(encoding="utf-8")[:arguments.characters]
    bench_model.build_program()
    is_right = True
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        for name in arguments.model:
            path = bench_model.model_path(name)
            our_tokens, ours = whereof_nats(path, file.name, arguments.threads)
            their_tokens, theirs = llama_cpp_nats(path, text, arguments.threads)
            ratio = math.exp(ours - theirs)
            is_right &= our_tokens == their_tokens and abs(ratio - 1) < 0.01
            print(f"{path.name:42} {our_tokens} tokens, perplexity {math.exp(ours):.4f}, "
                  f"llama.cpp {their_tokens} tokens, {math.exp(theirs):.4f}, ratio {ratio:.5f}",
                  flush=True)
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
