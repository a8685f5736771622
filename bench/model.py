#!/usr/bin/env python3
"""Speed of a model in whereof and in llama.cpp, in turn, on the same file and threads.

    python3 bench/model.py [--model NAME-or-FILE]... [--prefill 512,2048] [--decode 64]
                           [--rounds 3] [--threads N] [--output bench/results/model.json]
                           [--llama-bench PROGRAM]

Each round runs each program once for each case, one after the other, so that a slow minute of
a shared machine hits both; a figure is the median over the rounds, a ratio the median of the
rounds' ratios. llama.cpp is run with and without its flash attention (16-bit cache), and the
faster of the two counts; a build of one's own can be named, else peers.py makes one.
Prefill: tokens a second of reading a prompt of that length; decode: tokens a second of the
given number of single steps after an empty prompt.
"""

import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys

import peers
from fetching import FetchError, store

PROJECT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = PROJECT / "build" / "bench" / "bench" / "model_bench"
PINS = PROJECT / "tools" / "fetching" / "pins.json"


def build_program():
    """model_bench, in a build folder of its own."""
    quiet = {"stdout": subprocess.DEVNULL, "check": True, "cwd": PROJECT}
    subprocess.run(["cmake", "--preset", "release", "-B", PROGRAM.parents[1],
                    "-DWHEREOF_BUILD_TESTS=OFF", "-DWHEREOF_BUILD_BENCH=ON"], **quiet)
    subprocess.run(["cmake", "--build", PROGRAM.parents[1], "--target", "model_bench"], **quiet)


def model_path(name):
    if os.path.exists(name):
        return pathlib.Path(name)
    models = json.loads(PINS.read_text(encoding="utf-8"))["models"]
    if name not in models:
        raise FetchError(f"no model {name!r}: a file, or one of {', '.join(models)}")
    models[name]["name"] = name
    return store.fetch_model(models[name], store.models_folder(os.environ), sys.stderr)[0]


def run_json(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise FetchError(f"{command[0]} failed with {done.returncode}: "
                         f"{done.stderr.strip().splitlines()[-1:]}")
    return json.loads(done.stdout)


def whereof_speed(model, kind, tokens, threads):
    return run_json([PROGRAM, model, f"--{kind}", tokens, "--threads", threads])[
        "tokens_per_second"]


def llama_speed(bench, model, kind, tokens, threads):
    """The faster of flash attention on and off; llama-bench warms up by itself."""
    counts = ["-p", tokens, "-n", 0] if kind == "prefill" else ["-p", 0, "-n", tokens]
    results = run_json([bench, "-m", model, *counts, "-t", threads, "-r", 1, "-fa", "off,on",
                        "-o", "json"])
    return max(result["avg_ts"] for result in results)


def measure(bench, model, case, arguments):
    """All rounds of one case, the two programs in turn."""
    kind, tokens = case
    ours, theirs = [], []
    for _ in range(arguments.rounds):
        ours.append(whereof_speed(model, kind, tokens, arguments.threads))
        theirs.append(llama_speed(bench, model, kind, tokens, arguments.threads))
    ratios = [one / other for one, other in zip(ours, theirs)]
    return {"case": kind, "tokens": tokens, "whereof_tokens_per_second": ours,
            "llama_cpp_tokens_per_second": theirs, "ratio": statistics.median(ratios)}


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown"


def parse_arguments():
    def numbers(text):
        return [int(number) for number in text.split(",") if number]

    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append")
    parser.add_argument("--prefill", type=numbers, default=[512, 2048])
    parser.add_argument("--decode", type=numbers, default=[64])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--output", type=pathlib.Path,
                        default=PROJECT / "bench" / "results" / "model.json")
    parser.add_argument("--llama-bench", type=pathlib.Path)
    return parser.parse_args()


def run(arguments):
    bench = arguments.llama_bench or peers.llama_bench()
    build_program()
    cases = [("prefill", n) for n in arguments.prefill] + [("decode", n) for n in arguments.decode]
    report = {"date": datetime.date.today().isoformat(), "processor": processor(),
              "threads": arguments.threads, "llama_cpp": f"{peers.PACKAGE} {peers.VERSION}",
              "command": "python3 bench/model.py " + " ".join(sys.argv[1:]), "models": {}}
    for name in arguments.model or ["qwen-0.5b"]:
        path = model_path(name)
        print(f"{path.name}, {arguments.threads} threads, tokens a second\n"
              f"{'':14} {'whereof':>10} {'llama.cpp':>10} {'ratio':>7}")
        results = report["models"][path.name] = []
        for case in cases:
            result = measure(bench, path, case, arguments)
            results.append(result)
            print(f"{case[0]:8} {case[1]:5} "
                  f"{statistics.median(result['whereof_tokens_per_second']):10.1f} "
                  f"{statistics.median(result['llama_cpp_tokens_per_second']):10.1f} "
                  f"{result['ratio']:7.2f}", flush=True)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(f"written to {arguments.output}")


def main():
    try:
        run(parse_arguments())
    except (FetchError, subprocess.CalledProcessError) as error:
        sys.exit(f"model.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
