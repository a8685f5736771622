"""Chooses and weighs heads for ranking passages, from masses that `whereof eval --masses` kept.

    whereof eval ../shared/corpus/cuad --retrieval-only --retrieval attention --masses cuad.masses
    /usr/bin/python3 bench/choose_heads.py cuad.masses nli.masses --model "NAME" > NAME.calibration

Fits on one half of each file's documents (--fit-half, by the document's name, so that halves stay
the same when more documents are read) and says on standard error what the other half gives.

With share(h, p) as in include/whereof/passage_ranking.h and words(p) the standardised full-text
score, score(p) = sum over heads of w(h) share(h, p) + b words(p), w >= 0; what is made small is the
cross-entropy of the right passages under softmax(score), each file counting alike, with an L1
penalty (few heads) and a small L2 one, by Adam with projection. Needs numpy.
"""
import argparse
import hashlib
import json
import sys

import numpy


class Question:
    def __init__(self, share, gold, full_text):
        self.share = share  # [heads of all layers, passages]
        self.gold = gold
        self.full_text = standardised(numpy.array(full_text))


def standardised(scores):
    deviation = scores.std()
    return (scores - scores.mean()) / deviation if deviation > 0 else scores * 0


def records(path):
    """(header, masses [1 + questions, layers * heads, passages]) of each whole record."""
    with open(path, "rb") as file:
        while line := file.readline():
            header = json.loads(line)
            shape = (1 + header["questions"], header["layers"] * header["heads"],
                     header["passages"])
            size = int(numpy.prod(shape)) * 4
            raw = file.read(size)
            if len(raw) < size or file.read(1) != b"\n":
                return
            yield header, numpy.frombuffer(raw, dtype="<f4").reshape(shape)


def half_of(document):
    return hashlib.sha256(document.encode()).digest()[0] % 2 + 1


def load(paths):
    """Questions of half 1 and 2, for each file; and layers, heads."""
    sets, shape = [], None
    for path in paths:
        halves = {1: [], 2: []}
        for header, masses in records(path):
            shape = header["layers"], header["heads"]
            for i in range(header["questions"]):
                lift = numpy.maximum(masses[1 + i] - masses[0], 0)
                total = masses[1 + i].sum(axis=1, keepdims=True)
                share = numpy.divide(lift, total, out=numpy.zeros_like(lift), where=total > 0)
                details = header["details"]
                if details["gold"][i]:
                    halves[half_of(details["document"])].append(
                        Question(share, details["gold"][i], details["full_text"][i]))
        sets.append((path, halves))
    return sets, shape


def ranks(scores, gold):
    """Place of the best right passage, for each row of scores [rows, passages]; ties by place."""
    best = scores[:, gold].max(axis=1, keepdims=True)
    first = numpy.array([min(g for g in gold if row[g] == b) for row, b in zip(scores, best[:, 0])])
    before = numpy.arange(scores.shape[1])[None, :] < first[:, None]
    return 1 + (scores > best).sum(axis=1) + ((scores == best) & before).sum(axis=1)


def fit(sets, half, l1, l2, steps=400):
    """Weights of heads and of full text."""
    questions, parts = [], []
    for _, halves in sets:
        questions += halves[half]
        parts += [1 / max(1, len(halves[half]))] * len(halves[half])
    parts = numpy.array(parts) / sum(parts)
    # Heads differ by orders of magnitude in what they give: each is fitted in its own unit.
    unit = numpy.sqrt(numpy.mean([(q.share**2).mean(axis=1) for q in questions], axis=0)) + 1e-9
    tables = [numpy.vstack([q.share / unit[:, None], q.full_text[None]]) for q in questions]
    weights = numpy.full(len(unit) + 1, 0.5 / len(unit))
    weights[-1] = 0.5
    mean, square = numpy.zeros_like(weights), numpy.zeros_like(weights)
    for step in range(1, steps + 1):
        slope = numpy.zeros_like(weights)
        for table, question, part in zip(tables, questions, parts):
            scores = weights @ table
            odds = numpy.exp(scores - scores.max())
            error = odds / odds.sum()
            error[question.gold] -= odds[question.gold] / odds[question.gold].sum()
            slope += part * (table @ error)
        slope[:-1] += l2 * weights[:-1] + l1
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope * slope
        rate = 0.02 if step < 0.6 * steps else 0.006
        move = (mean / (1 - 0.9**step)) / (numpy.sqrt(square / (1 - 0.99**step)) + 1e-9)
        weights = numpy.maximum(weights - rate * move, 0)
    return weights[:-1] / unit, float(weights[-1])


def scores_of(question, weights):
    return weights @ question.share


def report(name, questions, score):
    places = numpy.array([ranks(score(q)[None, :], q.gold)[0] for q in questions])
    recalls = " / ".join(f"{(places <= k).mean():.3f}" for k in (1, 5, 10))
    print(f"  {name:<22} {recalls}  MRR {(1 / places).mean():.3f}", file=sys.stderr)
    return (1 / places).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("masses", nargs="+")
    parser.add_argument("--model", default="")
    parser.add_argument("--fit-half", type=int, default=1, choices=(1, 2))
    parser.add_argument("--l1", type=float, default=0.01)
    parser.add_argument("--l2", type=float, default=0.003)
    arguments = parser.parse_args()
    sets, (layers, heads) = load(arguments.masses)
    weights, full_text_weight = fit(sets, arguments.fit_half, arguments.l1, arguments.l2)
    weights[weights < 1e-3 * weights.max()] = 0
    for path, halves in sets:
        for half in (arguments.fit_half, 3 - arguments.fit_half):
            kind = "fitted on" if half == arguments.fit_half else "held out"
            print(f"{path}, {kind}: {len(halves[half])} questions", file=sys.stderr)
            if not halves[half]:
                continue
            report("full text", halves[half], lambda q: q.full_text)
            report("chosen heads", halves[half], lambda q: scores_of(q, weights))
            report("both", halves[half],
                   lambda q: scores_of(q, weights) + full_text_weight * q.full_text)
    print(f"model {arguments.model}\nshape {layers} {heads}\nfull_text {full_text_weight:.3f}")
    for head in numpy.argsort(-weights, kind="stable"):
        if weights[head] > 0:
            print(f"head {head // heads} {head % heads} {weights[head]:.4g}")


if __name__ == "__main__":
    main()
