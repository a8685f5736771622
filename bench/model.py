#!/usr/bin/env python3
"""Speed and memory of a model in whereof and in llama.cpp, in turn, on the same file and threads.

    python3 bench/model.py [--model NAME-or-FILE]... [--prefill 512,2048,8192,32000]
                           [--decode 0,8192] [--second 30000] [--rounds 3] [--threads N]
                           [--output bench/results/model.json] [--llama-bench PROGRAM]
                           [--flash off,on] [--only CASE,...]

Each round runs each program once for each case, one after the other, so that a slow minute of
a shared machine hits both; a figure is the median over the rounds, a ratio the median of the
rounds' ratios, above 1 where whereof is better. llama.cpp is run with and without its flash
attention (16-bit cache), and the better of the two counts (--flash on: only with it); a build of
one's own can be named, else peers.py makes one. Lengths over a model's window are left out.
--only names the cases to take, by their beginnings.

    prefill_N        tokens a second of reading a prompt of N tokens; evidence_overhead is the
                     fraction of time that the mass of a span each 64 keys adds, all rows summed
    decode_D         tokens a second of 32 single steps after D tokens
    load             seconds from the start of the process to the end of its first token, the file
                     in the system's cache
    memory_8192      peak resident bytes of reading 8,192 tokens, model file included
    second_question  seconds to the first token over N tokens that are kept from before; `reading`
                     is what reading them took (no peer)
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import peers
from fetching import FetchError, store

PROJECT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = PROJECT / "build" / "bench" / "bench" / "model_bench"
PINS = PROJECT / "tools" / "fetching" / "pins.json"
MEMORY_TOKENS = 8192
DECODED = 32


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


class Finished:
    """A command that has run: its output, seconds of wall time, peak resident bytes."""

    def __init__(self, command):
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            begin = time.monotonic()
            process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds = time.monotonic() - begin
            self.peak_bytes = usage.ru_maxrss * 1024
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            errors.seek(0)
            self.output = output.read().decode()
            if process.returncode != 0:
                last = errors.read().decode(errors="replace").strip().splitlines()[-1:]
                raise FetchError(f"{command[0]} failed with {process.returncode}: {last}")


class Whereof:
    """What model_bench says of one model."""

    def __init__(self, model, threads):
        self.command = [PROGRAM, model, "--threads", threads]
        self.instruction_set = ""

    def run(self, *arguments):
        finished = Finished([*self.command, *arguments])
        records = [json.loads(line) for line in finished.output.splitlines()]
        self.instruction_set = records[0]["instruction_set"]
        return finished, records

    def prefill(self, tokens, *more):
        return self.run("--prefill", tokens, *more)[1][0]["tokens_per_second"]

    def decode(self, depth):
        return self.run("--decode", DECODED, "--depth", depth)[1][0]["tokens_per_second"]

    def load(self):
        return self.run("--prefill", 1, "--cold")[0].seconds

    def memory(self, tokens):
        return self.run("--prefill", tokens)[0].peak_bytes

    def second(self, tokens):
        first, second = self.run("--second", tokens)[1]
        return first["seconds"], second["seconds"]


class LlamaCpp:
    """The same of llama-bench; the better of flash attention on and off."""

    def __init__(self, bench, model, threads, flash):
        self.command = [bench, "-m", model, "-t", threads, "-r", 1, "-o", "json"]
        self.flash = flash

    def speed(self, *arguments):
        finished = Finished([*self.command, "-fa", ",".join(self.flash), *arguments])
        return max(result["avg_ts"] for result in json.loads(finished.output))

    def prefill(self, tokens):
        return self.speed("-p", tokens, "-n", 0)

    def decode(self, depth):
        return self.speed("-p", 0, "-n", DECODED, "-d", depth)

    def single(self, tokens):
        return [Finished([*self.command, "-fa", flash, "-p", tokens, "-n", 0, "--no-warmup"])
                for flash in self.flash]

    def load(self):
        return min(finished.seconds for finished in self.single(1))

    def memory(self, tokens):
        return min(finished.peak_bytes for finished in self.single(tokens))


def compare(ours, theirs, rounds, is_larger_better):
    """Medians over rounds of two measurements taken in turn."""
    own, other = [], []
    for _ in range(rounds):
        own.append(ours())
        other.append(theirs())
    ratios = [a / b if is_larger_better else b / a for a, b in zip(own, other)]
    return statistics.median(own), statistics.median(other), statistics.median(ratios)


class Bench:
    def __init__(self, path, bench, arguments):
        self.path = path
        self.arguments = arguments
        self.whereof = Whereof(path, arguments.threads)
        self.llama_cpp = LlamaCpp(bench, path, arguments.threads, arguments.flash)

    def record(self, case, unit, compared, **more):
        own, other, ratio = compared
        return {"case": case, "model": self.path.name, "threads": self.arguments.threads,
                "instruction_set": self.whereof.instruction_set, unit: own,
                "peer": f"llama.cpp ({peers.PACKAGE} {peers.VERSION})", "peer_value": other,
                "ratio": ratio, **more}

    def window(self):
        finished = Finished([PROGRAM, self.path, "--window"])
        return json.loads(finished.output)["window_tokens"]

    def prefill(self, tokens):
        compared = compare(lambda: self.whereof.prefill(tokens),
                           lambda: self.llama_cpp.prefill(tokens), self.arguments.rounds, True)
        overheads = [self.whereof.prefill(tokens) / self.whereof.prefill(tokens, "--evidence") - 1
                     for _ in range(self.arguments.rounds)]
        return self.record(f"prefill_{tokens}", "tokens_per_s", compared,
                           evidence_overhead=statistics.median(overheads))

    def decode(self, depth):
        return self.record(f"decode_{depth}", "tokens_per_s", compare(
            lambda: self.whereof.decode(depth), lambda: self.llama_cpp.decode(depth),
            self.arguments.rounds, True))

    def load(self):
        return self.record("load", "seconds", compare(
            self.whereof.load, self.llama_cpp.load, self.arguments.rounds, False))

    def memory(self):
        return self.record(f"memory_{MEMORY_TOKENS}", "bytes", compare(
            lambda: self.whereof.memory(MEMORY_TOKENS),
            lambda: self.llama_cpp.memory(MEMORY_TOKENS), 1, False))

    def second_question(self, tokens):
        reading, seconds = self.whereof.second(tokens)
        return {"case": "second_question", "model": self.path.name,
                "threads": self.arguments.threads, "tokens": tokens,
                "instruction_set": self.whereof.instruction_set, "seconds": seconds,
                "reading": reading, "share_of_reading": seconds / reading}

    def cases(self):
        """Names, and what measures them."""
        arguments = self.arguments
        window = self.window()
        yield "load", self.load
        for tokens in arguments.prefill:
            if tokens <= window:
                yield f"prefill_{tokens}", lambda: self.prefill(tokens)
        for depth in arguments.decode:
            if depth + DECODED <= window:
                yield f"decode_{depth}", lambda: self.decode(depth)
        if MEMORY_TOKENS <= window:
            yield f"memory_{MEMORY_TOKENS}", self.memory
        if arguments.second > 0:
            yield "second_question", lambda: self.second_question(min(arguments.second,
                                                                      window - 64))

    def records(self):
        for name, measure in self.cases():
            if name.startswith(tuple(self.arguments.only)):
                yield measure()


def shown(record):
    for unit in ("tokens_per_s", "seconds", "bytes"):
        if unit in record:
            line = f"{record['case']:16} {record[unit]:14,.2f} {unit:13}"
            break
    if "ratio" in record:
        line += f" llama.cpp {record['peer_value']:14,.2f}   ratio {record['ratio']:6.2f}"
    if "evidence_overhead" in record:
        line += f"   evidence {100 * record['evidence_overhead']:+5.1f} %"
    if "share_of_reading" in record:
        line += f" reading {record['reading']:.1f} s, 1/{1 / record['share_of_reading']:.0f} of it"
    return line


def parse_arguments():
    def numbers(text):
        return [int(number) for number in text.split(",") if number]

    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append")
    parser.add_argument("--prefill", type=numbers, default=[512, 2048, 8192, 32000])
    parser.add_argument("--decode", type=numbers, default=[0, 8192])
    parser.add_argument("--second", type=int, default=30000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--output", type=pathlib.Path,
                        default=PROJECT / "bench" / "results" / "model.json")
    parser.add_argument("--llama-bench", type=pathlib.Path)
    parser.add_argument("--flash", type=lambda text: text.split(","), default=["off", "on"])
    parser.add_argument("--only", type=lambda text: text.split(","), default=[""])
    return parser.parse_args()


def run(arguments):
    bench = arguments.llama_bench or peers.llama_bench()
    build_program()
    records = []
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    for name in arguments.model or ["smollm2-135m", "qwen-0.5b", "qwen-1.5b"]:
        path = model_path(name)
        print(f"{path.name}, {arguments.threads} threads")
        for record in Bench(path, bench, arguments).records():
            records.append(record)
            print(shown(record), flush=True)
            arguments.output.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
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
