"""Alarms of clean runs: what is normal for each layer of a model, and how often an alarm is false.

    W=build/release/apps/cli/whereof; C=../shared/corpus; M=smollm2-135m-instruct-q4_1
    python3 bench/clean_runs.py $W $C --model $M --half 1 --runs 40 --fit $M.calibration
    python3 bench/clean_runs.py $W $C --model $M --half 2 --runs 70

Each run is `whereof monitor` over a piece of a contract or of the Civil Code with a question in its
language. Pieces and questions are drawn by a seed; half 1 and 2 share no document (of the Civil
Code: the first articles and the rest). --fit writes the thresholds into a calibration file as lines
of "alarm NAME VALUE", in place of those of the same names: for each layer a third of the smallest
entropy share seen, and the largest plus half of what is left up to 1; twice the largest
log_sum_exp.
Without it the alarms are counted and named, and the exit code is 1 if there was one.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

QUESTIONS = {
    "en": ["Which law governs this Agreement?", "What is the notice period?",
           "Who may terminate the Agreement, and when?", "Is there a cap on liability?",
           "What must be kept confidential?", "How are payments to be made?",
           "Is assignment allowed?", "What is the capital of Peru?"],
    "zh": ["诉讼时效期间是多少年？", "合同何时成立？", "谁承担违约责任？", "利率有上限吗？",
           "月球的直径是多少？"],
}


def half_of(name):
    return hashlib.sha256(name.encode()).digest()[0] % 2 + 1


def texts(corpus, half):
    """[(language, text)] of the documents of one half."""
    found = []
    for path in sorted((corpus / "cuad").glob("*.txt")):
        if half_of(path.stem) == half:
            found.append(("en", path.read_text(encoding="utf-8", errors="replace")))
    for document in json.loads((corpus / "contract-nli" / "dev.json").read_text())["documents"]:
        if half_of(document["file_name"]) == half:
            found.append(("en", document["text"]))
    code = (corpus / "zh" / "civil-code.txt").read_text(encoding="utf-8")
    middle = len(code) // 2
    rest = code[:middle] if half == 1 else code[middle:]
    step = len(rest) // 12
    return found + [("zh", rest[i * step:(i + 1) * step]) for i in range(12)]


def piece_of(draw, language, text):
    most = 2500 if language == "en" else 1000
    if draw.random() < 0.1:
        most *= 3
    size = draw.randint(most // 8, most)
    begin = draw.randint(0, max(0, len(text) - size))
    return text[begin:begin + size]


def monitor(arguments, folder, text, question):
    path = folder / "piece.txt"
    path.write_text(text, encoding="utf-8")
    result = subprocess.run(
        [arguments.binary, "monitor", path, question, "--model", arguments.model, "--max-tokens",
         str(arguments.tokens), "--no-keep", "--library", folder / "library.db", "--json"],
        capture_output=True, check=False, env={**os.environ, "WHEREOF_KEPT": str(folder / "kept")})
    if result.returncode not in (0, 1) or not result.stdout:
        sys.exit(result.stderr.decode(errors="replace"))
    return json.loads(result.stdout)


def thresholds(runs):
    named = {}
    for layer, figures in enumerate(zip(*[run["layers"] for run in runs])):
        shares = [one["entropy_share"] for one in figures]
        named[f"entropy_share_least.{layer}"] = min(shares) / 3
        named[f"entropy_share_most.{layer}"] = 0.5 * (1 + max(shares))
    named["log_sum_exp_most"] = 2 * max(layer["log_sum_exp"] for run in runs
                                        for layer in run["layers"])
    return named


def write_thresholds(path, model, runs):
    named = thresholds(runs)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else [
        f"# Alarms: the range of clean runs (bench/clean_runs.py, {len(runs)} runs).",
        f"model {model}"]
    kept = [line for line in lines
            if not (line.startswith("alarm ") and line.split()[1] in named)]
    kept += [f"alarm {name} {value:.4g}" for name, value in named.items()]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")


def ranges(runs):
    """(smallest, largest) over layers and runs."""
    layers = [layer for run in runs for layer in run["layers"]]
    return {name: (min(one[name] for one in layers), max(one[name] for one in layers))
            for name in ("entropy_share", "sink_mass", "log_sum_exp")}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--half", type=int, choices=(1, 2), required=True)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--tokens", type=int, default=8, help="of an answer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", type=pathlib.Path)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    documents = texts(arguments.corpus, arguments.half)
    runs, false_alarms = [], 0
    with tempfile.TemporaryDirectory() as name:
        for _ in range(arguments.runs):
            language, text = draw.choice(documents)
            piece = piece_of(draw, language, text)
            run = monitor(arguments, pathlib.Path(name), piece, draw.choice(QUESTIONS[language]))
            runs.append(run)
            if not run["alarms"] or arguments.fit:
                continue
            false_alarms += 1
            for alarm in run["alarms"]:
                print(f"{len(piece)} characters ({language}): {alarm['text']}")
    print(f"{arguments.model}: {len(runs)} clean runs, {false_alarms} with an alarm")
    for name, (least, most) in ranges(runs).items():
        print(f"  {name}: {least:.4g} to {most:.4g} over layers and runs")
    if arguments.fit:
        write_thresholds(arguments.fit, runs[0]["model"], runs)
    return 1 if false_alarms else 0


if __name__ == "__main__":
    sys.exit(main())
