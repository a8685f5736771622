"""Answers of the shape of docs/answer.schema.json, with the map of the service's /v1/ask."""

LAYERS = 24

PLAN = {"route": "whole_document", "reason": "The document fits the window and the time.",
        "document_tokens": 2400, "prompt_tokens": 2500, "kept_tokens": 2000, "windows": 0,
        "window_tokens_read": 0, "window_tokens": 32768, "passages_read": 0,
        "passages_in_document": 40, "passages_ranked": 0, "whole_seconds": 4.2,
        "predicted_seconds": 4.2, "ranking_seconds": 0.1,
        "added_words": [], "rewording_seconds": 0.0, "budget_seconds": 60.0, "passages": []}

SIGNALS = [{"name": "support_probability", "value": 0.91, "threshold": 0.59,
            "allows": "supported"},
           {"name": "document_mass", "value": 0.31, "threshold": None, "allows": None}]


def shares_for(document, peaks):
    """Of each clause: `peaks` {label: share}, the rest spread evenly."""
    rest = (1 - sum(peaks.values())) / max(1, len(document.clauses))
    return [peaks.get(clause["label"], rest) for clause in document.clauses]


def map_of(document, sentence_peaks):
    clauses = [{"clause": i, "label": clause["label"], "heading": clause["heading"],
                "begin": clause["text_begin"], "end": clause["text_end"]}
               for i, clause in enumerate(document.clauses)]
    answer = {label: share for peaks in sentence_peaks for label, share in peaks.items()}
    scale = max(1.0, sum(answer.values()))
    answer = {label: share / scale for label, share in answer.items()}
    rows = [{"name": "question", "shares": shares_for(document, answer)},
            {"name": "answer", "shares": shares_for(document, answer)}]
    rows += [{"name": f"sentence {i + 1}", "shares": shares_for(document, peaks)}
             for i, peaks in enumerate(sentence_peaks)]
    layers = [{"layer": i, "entropy": 0.7 - 0.5 * abs(i - 11) / 12 + (i % 3) / 20,
               "sink_mass": 0.15 + 0.6 * (i % 5) / 5,
               "shares": shares_for(document, {label: share * i / LAYERS
                                               for label, share in answer.items()})}
              for i in range(LAYERS)]
    return {"clauses": clauses, "rows": rows, "layers": layers}


def answer_of(document, question, sentences, verdict="supported", language="en", **more):
    """`sentences`: [(text, [citations], {label: share})]."""
    text = " ".join(sentence for sentence, _, _ in sentences)
    placed, at, citations = [], 0, []
    for sentence, cited, _ in sentences:
        length = len(sentence.encode())
        placed.append({"answer_begin": at, "answer_end": at + length, "citations": cited})
        at += length + 1
        citations += cited
    is_withheld = verdict == "no_basis"
    answer = {
        "question": question, "language": language,
        "document": {"name": document.name, "type": document.kind, "sha256": document.hash,
                     "pages": len(document.pages), "characters": len(document.text.decode()),
                     "clauses": len(document.clauses)},
        "model": "scripted", "verdict": verdict,
        "reasons": ["the signals together give a probability of 0.91 that the document answers it"],
        "verdict_signals": SIGNALS, "is_extract": False,
        "answer": None if is_withheld else text, "withheld": text if is_withheld else None,
        "is_truncated": False, "alarms": [],
        "nearest" if is_withheld else "citations": citations, "sentences": placed, "plan": PLAN,
        "evidence": {}, "timing": {"prefill_seconds": 3.1, "decode_seconds": 0.9,
                                   "answer_tokens": 24},
        "map": map_of(document, [peaks for _, _, peaks in sentences])}
    answer.update(more)
    return answer


def diagnosis_of(label):
    rows = {"share": 0.04, "lift": 0.8, "rank": 7}
    return {"outcome": "not_chosen", "expected": label, "places": [],
            "reasons": ["the question's rows looked at it, the answer's rows at another clause"],
            "advice": "Name the clause in the question.", "is_mentioned": False,
            "pages_without_text": 0, "sentences_read": 2, "sentences_hidden": 0,
            "clauses_read": 31, "question_rows": rows, "answer_rows": {**rows, "rank": 9},
            "ablation": {"fall": 0.2, "fall_per_token": 0.01, "depends_on": False}}


def document_map_of(document):
    """Figures that differ from cell to cell."""
    units = [{"clause": i, "label": clause["label"], "heading": clause["heading"],
              "begin": clause["text_begin"], "end": clause["own_text_end"], "tokens": 20}
             for i, clause in enumerate(document.clauses)]
    rows = [{"shares": [round(1 / max(row, 1), 6)] * row,
             "lifts": [(3 * row + 2 * column) % 19 / 2 for column in range(row)]}
            for row in range(len(units))]
    return {"model": "scripted", "units": units, "rows": rows, "tokens_read": 1000}
