#!/usr/bin/env python3
"""Speed of attention in whereof beside PyTorch, and beside what this machine can do.

    python3 bench/attention.py [--only PART]... [--skip PART]... [--rounds 5] [--threads N]
                               [--resume] [--out bench/results/attention.json]
                               [--svg docs/attention-performance.svg] [--table]

The cases are those of attention_bench --list. Both programs stay alive through a case; each round
runs the machine's peak, ours without and with evidence, and the peer, one after the other, so that
a slow minute of a shared machine hits all of them. A record is written as soon as its case is
done, in place of an older one of that name; --resume keeps those that are there, and --table
prints the file and draws it without measuring anything.

    seconds, tflops, gbytes_per_s   ours with evidence (all rows summed, 200 spans): the median
    share_of_peak                   the median of the rounds' shares of the peak named by `peak`
    ratio                           peer_seconds / seconds, both medians over the rounds; where
                                    PyTorch can be asked in several ways (peer_ways), the fastest
    evidence_overhead               the fastest run with evidence over the fastest without, less 1:
                                    what other programs add to single runs is more than evidence is
    extra_bytes                     highest resident memory of the first run, above inputs and
                                    outputs; peer_extra_bytes the same for the peer's first run
    processor_seconds               what the first run took of all processors together
"""

import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import attention_report
from torch_environment import FetchError, torch_python

PROJECT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = PROJECT / "build" / "bench-attention" / "bench" / "attention_bench"
# A case that takes longer than this is content with fewer rounds.
PATIENCE_SECONDS = 90
LEAST_ROUNDS = 3
LENGTH_OF_ONE_RUN = 131072
# Threads that wait for work spin for a moment: a turn begins when the other's have gone to sleep.
PAUSE_SECONDS = 0.1
# What keeps PyTorch to the instructions of a kernel set that we are forced to.
PEER_ENVIRONMENT = {
    "": {},
    "avx512": {"ATEN_CPU_CAPABILITY": "avx512", "ONEDNN_MAX_CPU_ISA": "AVX512_CORE",
               "MKL_ENABLE_INSTRUCTIONS": "AVX512"},
}


class Worker:
    """A program that greets with a line of JSON and answers each line with one."""

    def __init__(self, command, environment):
        self.name = pathlib.Path(command[-2]).name
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment})
        self.greeting = self._read()

    def _read(self):
        line = self.process.stdout.readline()
        if not line:
            raise FetchError(f"{self.name} ended with {self.process.wait()}")
        return json.loads(line)

    def ask(self):
        time.sleep(PAUSE_SECONDS)
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self._read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Nobody:
    """The peer of a case that has none."""
    greeting = {}

    def ask(self):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def build_program(target="attention_bench"):
    """A target of this folder, in a build folder of its own, without models and documents."""
    quiet = {"stdout": subprocess.DEVNULL, "check": True, "cwd": PROJECT}
    subprocess.run(["cmake", "--preset", "release", "-B", PROGRAM.parents[1],
                    "-DWHEREOF_BUILD_PRODUCT=OFF", "-DWHEREOF_BUILD_TESTS=OFF",
                    "-DWHEREOF_BUILD_BENCH=ON"], **quiet)
    subprocess.run(["cmake", "--build", PROGRAM.parents[1], "--target", target], **quiet)


def list_cases():
    done = subprocess.run([PROGRAM, "--list"], stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def own_worker(name, threads):
    return Worker([PROGRAM, "--serve", name], {"WHEREOF_THREADS": str(threads)})


def peer_worker(case, threads, names):
    """PyTorch, another case of ours, or nobody."""
    if not case["peer"]:
        return Nobody()
    if case["peer"] in names:
        return own_worker(case["peer"], threads)
    description = json.dumps(dict(case, threads=threads))
    return Worker([torch_python(), PROJECT / "bench" / "torch_attention.py", description],
                  PEER_ENVIRONMENT[case["forced_set"]])


def run_rounds(own, peer, rounds):
    """[(our answer, peer's answer)]; stops early when patience is at its end."""
    begin = time.monotonic()
    answers = []
    while len(answers) < rounds:
        answers.append((own.ask(), peer.ask()))
        if len(answers) >= LEAST_ROUNDS and time.monotonic() - begin > PATIENCE_SECONDS:
            break
    return answers


def own_figures(case, greeting, answers):
    seconds = statistics.median(answer["seconds"] for answer in answers)
    record = {"case": case["case"], "dtype": case["dtype"], "threads": greeting["threads"],
              "instruction_set": greeting["instruction_set"], "seconds": seconds,
              "peak": greeting["peak"],
              "peak_per_second": statistics.median(a["peak_per_second"] for a in answers),
              "share_of_peak": statistics.median(
                  greeting["work"] / answer["seconds"] / answer["peak_per_second"]
                  for answer in answers)}
    if "processor_seconds" in greeting:
        record["processor_seconds"] = greeting["processor_seconds"]
    if case["work"] != "backward":
        record["evidence"] = "all rows summed, 200 spans"
    if greeting["peak"] == "read_bandwidth":
        record["gbytes_per_s"] = greeting["work"] / seconds * 1e-9
    else:
        record["tflops"] = greeting["work"] / seconds * 1e-12
    if "fastest_plain_seconds" in answers[0]:
        record["evidence_overhead"] = (min(answer["fastest_seconds"] for answer in answers) /
                                       min(a["fastest_plain_seconds"] for a in answers) - 1)
    if "extra_bytes" in greeting:
        record["extra_bytes"] = greeting["extra_bytes"]
    return record


def peer_figures(case, greeting, answers, seconds):
    if answers[0] is None:
        return {}
    if "instruction_set" in greeting:  # a case of ours
        peer_seconds = statistics.median(answer["seconds"] for answer in answers)
        figures = {"peer": f"whereof, {case['peer']}", "peer_seconds": peer_seconds,
                   "ratio": peer_seconds / seconds}
        if case["case"].startswith("growth"):
            figures["growth"] = seconds / peer_seconds
        return figures
    medians = {way: statistics.median(answer[way] for answer in answers) for way in answers[0]}
    way = min(medians, key=medians.get)
    return {"peer": greeting["peer"], "peer_way": way, "peer_ways": medians,
            "peer_seconds": medians[way],
            "ratio": medians[way] / seconds, "peer_extra_bytes": greeting["extra_bytes"][way],
            "peer_capability": greeting["capability"],
            "peer_environment": PEER_ENVIRONMENT[case["forced_set"]]}


def measure(case, arguments, names):
    # Minutes a run: the first one, whose memory is watched, is the only one.
    rounds = 0 if case["query_length"] >= LENGTH_OF_ONE_RUN else arguments.rounds
    with own_worker(case["case"], arguments.threads) as own, \
            peer_worker(case, arguments.threads, names) as peer:
        answers = run_rounds(own, peer, rounds) or [(own.greeting, peer.greeting or None)]
        record = own_figures(case, own.greeting, [own_answer for own_answer, _ in answers])
        record.update(peer_figures(case, peer.greeting, [answer for _, answer in answers],
                                   record["seconds"]))
    record.update(rounds=len(answers), processor=attention_report.processor(),
                  date=datetime.date.today().isoformat())
    return record


def read_records(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def write_records(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".tmp")
    unfinished.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    os.replace(unfinished, path)


def chosen(cases, arguments, records):
    done = {record["case"] for record in records} if arguments.resume else ()
    return [case for case in cases
            if (not arguments.only or any(part in case["case"] for part in arguments.only))
            and not any(part in case["case"] for part in arguments.skip)
            and case["case"] not in done]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--out", type=pathlib.Path,
                        default=PROJECT / "bench" / "results" / "attention.json")
    parser.add_argument("--svg", type=pathlib.Path,
                        default=PROJECT / "docs" / "attention-performance.svg")
    return parser.parse_args()


def run(arguments):
    records = read_records(arguments.out)
    if not arguments.table:
        build_program()
        cases = list_cases()
        names = [case["case"] for case in cases]
        print(attention_report.HEADER, flush=True)
        for case in chosen(cases, arguments, records):
            record = measure(case, arguments, names)
            kept = [old for old in records if old["case"] in names and old["case"] != case["case"]]
            records = sorted(kept + [record], key=lambda one: names.index(one["case"]))
            write_records(arguments.out, records)
            print(attention_report.row(record), flush=True)
    else:
        print("\n".join([attention_report.HEADER, *map(attention_report.row, records)]))
    arguments.svg.write_text(attention_report.picture(records), encoding="utf-8")
    print(f"\nrecords in {arguments.out}, picture in {arguments.svg}")


def main():
    try:
        run(parse_arguments())
    except (FetchError, subprocess.CalledProcessError) as error:
        sys.exit(f"attention.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
