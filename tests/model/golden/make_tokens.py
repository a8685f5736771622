#!/usr/bin/env python3
"""Token ids of the strings of strings.py, by llama-cpp-python: the golden tokenizer values.

    python make_tokens.py MODEL.gguf OUTPUT.jsonl [WITHOUT]

Strings that contain the text WITHOUT are left out. For Gemma 3 it is "</s>": the file calls it a
piece of text (the end tag of HTML), the reference takes it for a control token by its look.

One JSON object a line. For a string: {"text", "ids"}. For a long run of one character:
{"repeat": character, "count", "id_count", "ids_fnv1a"}, the last being FNV-1a (64 bits,
hexadecimal) over the ids as 32-bit little-endian words. No BOS is added, and the text of a
special token is text.
"""

import array
import json
import sys
import threading

import llama_cpp

import strings

THREAD_STACK_BYTES = 512 << 20  # the reference's std::regex recurses once a character


def fnv1a(ids):
    value = 0xCBF29CE484222325
    for byte in array.array("I", ids).tobytes():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def write_all(model_path, output_path, without=None):
    model = llama_cpp.Llama(model_path=model_path, vocab_only=True, verbose=False)
    with open(output_path, "w", encoding="utf-8", newline="\n") as output:
        for text in strings.generate():
            if without is not None and without in text:
                continue
            ids = model.tokenize(text.encode(), add_bos=False, special=False)
            output.write(json.dumps({"text": text, "ids": ids}, separators=(",", ":")) + "\n")
        for character, count in strings.runs():
            ids = model.tokenize((character * count).encode(), add_bos=False, special=False)
            line = {"repeat": character, "count": count, "id_count": len(ids),
                    "ids_fnv1a": fnv1a(ids)}
            output.write(json.dumps(line, separators=(",", ":")) + "\n")
            output.flush()


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    threading.stack_size(THREAD_STACK_BYTES)
    thread = threading.Thread(target=write_all, args=sys.argv[1:])
    thread.start()
    thread.join()


if __name__ == "__main__":
    main()
