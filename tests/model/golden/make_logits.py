#!/usr/bin/env python3
"""Logits of three prompts by llama-cpp-python: the golden values of the model tests.

    python make_logits.py run MODEL.gguf FOLDER [--flash] [--float32-cache] [--ubatch N]
    python make_logits.py golden FOLDER NAME
    python make_logits.py compare FOLDER OTHER [--json FILE --key NAME]

`run` evaluates the first 600 tokens of each file in prompts/ and writes all logits to FOLDER
(1.1 GB for Qwen2.5). `golden` condenses a folder into NAME.json and one NAME_PROMPT.bin for
each prompt. `compare` tells how far two runs of the reference are apart: the yardstick.
make_logits.sh holds the commands that made the files here. LLAMA_CPP_LIB_PATH selects the
build of the reference.
"""

import argparse
import ctypes
import json
import pathlib

import llama_cpp
import numpy

HERE = pathlib.Path(__file__).parent
TOKENS = 600
MARGINS = (0.0, 0.1, 0.25, 0.5, 1.0)


def prompts():
    return sorted((HERE / "prompts").glob("*.txt"))


def probe_ids(vocabulary):
    """The 64 fixed token ids: 32 of the frequent low ones, 32 spread over the vocabulary."""
    return [31 * i + 7 for i in range(32)] + [1024 + i * ((vocabulary - 1024) // 32)
                                             for i in range(32)]


def run(arguments):
    folder = pathlib.Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    cache_type = llama_cpp.GGML_TYPE_F32 if arguments.float32_cache else llama_cpp.GGML_TYPE_F16
    model = llama_cpp.Llama(model_path=arguments.model, n_ctx=1024, n_batch=1024,
                            n_ubatch=arguments.ubatch, n_threads=2, n_threads_batch=2,
                            logits_all=True, flash_attn=arguments.flash, type_k=cache_type,
                            type_v=cache_type, verbose=False)
    for prompt in prompts():
        ids = model.tokenize(prompt.read_bytes(), special=False)  # BOS as the file wants it
        if len(ids) < TOKENS:
            raise SystemExit(f"{prompt}: {len(ids)} tokens, needs {TOKENS}")
        ids = ids[:TOKENS]
        model.reset()
        model.eval(ids)
        numpy.save(folder / f"{prompt.stem}_ids.npy", numpy.array(ids, dtype=numpy.int32))
        numpy.save(folder / f"{prompt.stem}.npy", model.scores[:TOKENS].astype(numpy.float32))
    print(f"{folder}: {ctypes.string_at(llama_cpp.llama_print_system_info()).decode()}")


def golden(arguments):
    folder = pathlib.Path(arguments.folder)
    description = {"tokens": TOKENS, "prompts": {}}
    for prompt in prompts():
        logits = numpy.load(folder / f"{prompt.stem}.npy", mmap_mode="r")
        vocabulary = logits.shape[1]
        probes = probe_ids(vocabulary)
        top = numpy.empty(TOKENS, dtype="<i4")
        margin = numpy.empty(TOKENS, dtype="<f4")
        for position in range(TOKENS):
            second, first = numpy.sort(numpy.partition(logits[position], -2)[-2:])
            top[position] = int(numpy.argmax(logits[position]))
            margin[position] = first - second
        name = f"{arguments.name}_{prompt.stem}.bin"
        with open(HERE / name, "wb") as file:
            file.write(top.tobytes() + margin.tobytes())
            file.write(logits[:, probes].astype("<f4").tobytes())
        order = numpy.argsort(-logits[TOKENS - 1])[:10]
        description["vocabulary"] = vocabulary
        description["probe_ids"] = probes
        description["prompts"][prompt.stem] = {
            "file": name,
            "ids": numpy.load(folder / f"{prompt.stem}_ids.npy").tolist(),
            "last_top10": [{"id": int(i), "logit": float(logits[TOKENS - 1, i])} for i in order],
        }
    text = json.dumps(description, separators=(",", ":")).replace('"prompts"', '\n"prompts"')
    (HERE / f"{arguments.name}.json").write_text(text.replace('{"file"', '\n{"file"') + "\n")


def compare_prompt(one, other):
    """Distances over all logits and over the 64 probes, and how often the top token agrees."""
    probes = probe_ids(one.shape[1])
    ordered = numpy.sort(numpy.partition(one, -2, axis=1)[:, -2:], axis=1)
    margins = ordered[:, 1] - ordered[:, 0]
    agrees = numpy.argmax(one, axis=1) == numpy.argmax(other, axis=1)
    difference = numpy.abs(one - other)
    return {
        "mean_abs_difference": float(difference.mean(dtype=numpy.float64)),
        "mean_abs_difference_of_probes": float(difference[:, probes].mean(dtype=numpy.float64)),
        "max_abs_difference": float(difference.max()),
        "top1_agreement": {str(margin): round(float(agrees[margins >= margin].mean()), 4)
                           for margin in MARGINS},
        "largest_margin_of_a_disagreement": float(margins[~agrees].max(initial=0)),
    }


def compare(arguments):
    one, other = pathlib.Path(arguments.folder), pathlib.Path(arguments.other)
    result = {}
    for prompt in prompts():
        if not numpy.array_equal(numpy.load(one / f"{prompt.stem}_ids.npy"),
                                 numpy.load(other / f"{prompt.stem}_ids.npy")):
            raise SystemExit(f"{prompt.stem}: the runs have different tokens")
        result[prompt.stem] = compare_prompt(numpy.load(one / f"{prompt.stem}.npy"),
                                             numpy.load(other / f"{prompt.stem}.npy"))
    if arguments.json:
        path = pathlib.Path(arguments.json)
        everything = json.loads(path.read_text()) if path.exists() else {}
        everything[arguments.key] = result
        path.write_text(json.dumps(everything, indent=1) + "\n")
    print(arguments.key, {name: round(values["mean_abs_difference"], 5)
                          for name, values in result.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("run")
    command.add_argument("model")
    command.add_argument("folder")
    command.add_argument("--flash", action="store_true")
    command.add_argument("--float32-cache", action="store_true")
    command.add_argument("--ubatch", type=int, default=512)
    command.set_defaults(function=run)
    command = commands.add_parser("golden")
    command.add_argument("folder")
    command.add_argument("name")
    command.set_defaults(function=golden)
    command = commands.add_parser("compare")
    command.add_argument("folder")
    command.add_argument("other")
    command.add_argument("--json")
    command.add_argument("--key", default="")
    command.set_defaults(function=compare)
    arguments = parser.parse_args()
    arguments.function(arguments)


if __name__ == "__main__":
    main()
