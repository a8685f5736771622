#!/usr/bin/env python3
"""Vocabularies and token ids for the pre-tokenizers llama-bpe and tekken, by llama-cpp-python.

    python make_llama_bpe.py OUTPUT_FOLDER

For each NAME a small vocabulary of our own, NAME.gguf: bytes, merges learned from strings.py, and
words that no merges make, which these pre-tokenizers take whole all the same; and NAME.jsonl, ids
of its strings, of words in mixed case and of runs of digits: {"text", "ids"} a line.
"""

import collections
import json
import pathlib
import random
import sys

import gguf
import llama_cpp

import strings

NAMES = ("llama-bpe", "tekken")
MERGES = 500
STRINGS = 400
UNREACHABLE = [" Seller", " clause", "Purchaser", "第三条", "2024", "\n\n\n", " the parties", "ÀÉ"]
CASES = [
    "camelCase", "PascalCaseWord", "HTTPServer", "ÉtatMAJOR", "ÀÉ", "ABCdefGHI", "ÉA", "aÉ", "AÉb",
    "ΑΒΓαβγ", "iPhone15Pro", "x/y\n/z", " /a//", "...///\n\n/x", "A", "a", "É", "(ABc)", "-Ab",
    "1234567890", "1 22 333 4444", "12345.678", "１２３４", "٣٤٥٦٧", "Don'T", "WE'LL we'Ll", "'S",
    "Clause 12.3456", "a1b22c333d4444", "DŽǅǆ", "ʰA", "ªB", "甲A乙b", "Straße STRASSE", "\t\tTABbed",
]


def byte_letters():
    """GPT-2's letter for each byte."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain},
            **{byte: chr(256 + i) for i, byte in enumerate(others)}}


LETTERS = byte_letters()


def letters(text):
    return "".join(LETTERS[byte] for byte in text.encode())


def learn_merges(texts):
    words = collections.Counter()
    for text in texts:
        for word in text.replace(" ", "\0 ").split("\0"):
            words[tuple(letters(word))] += 1
    merges = []
    while len(merges) < MERGES:
        pairs = collections.Counter()
        for word, count in words.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += count
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        merged_words = collections.Counter()
        for word, count in words.items():
            parts, i = [], 0
            while i < len(word):
                is_pair = word[i:i + 2] == best
                parts.append("".join(best) if is_pair else word[i])
                i += 2 if is_pair else 1
            merged_words[tuple(parts)] += count
        words = merged_words
    return merges


def write_vocabulary(path, name, merges):
    tokens = list(dict.fromkeys([*LETTERS.values(), *map("".join, merges),
                                 *map(letters, UNREACHABLE)]))
    types = [gguf.TokenType.NORMAL] * len(tokens) + [gguf.TokenType.CONTROL] * 2
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(name)
    writer.add_token_list([*tokens, "<|begin_of_text|>", "<|end_of_text|>"])
    writer.add_token_types(types)
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_bos_token_id(len(tokens))
    writer.add_eos_token_id(len(tokens) + 1)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    every = list(strings.generate())
    merges = learn_merges(every)
    texts = CASES + random.Random(strings.SEED).sample(every, STRINGS - len(CASES))
    for name in NAMES:
        path = folder / f"{name}.gguf"
        write_vocabulary(path, name, merges)
        model = llama_cpp.Llama(model_path=str(path), vocab_only=True, verbose=False)
        with open(folder / f"{name}.jsonl", "w", encoding="utf-8", newline="\n") as output:
            for text in texts:
                ids = model.tokenize(text.encode(), add_bos=False, special=False)
                output.write(json.dumps({"text": text, "ids": ids}, separators=(",", ":")) + "\n")
        print(name, "adds BOS:", bool(model._model.add_bos_token()))


if __name__ == "__main__":
    main()
