#!/usr/bin/env python3
"""Makes the example contracts of this folder from their sources in source/.

    /usr/bin/python3 examples/build_examples.py            both contracts
    /usr/bin/python3 examples/build_examples.py 收购协议     the ones named

For each source/NAME.txt it writes NAME.pdf, NAME.docx and NAME.txt and the questions about it, and
fails when a cross-reference dangles, a defined term has no use, the clauses that the example is
about no longer say what they are there for, a question names a line that does not exist, the
numbers that Word would count differ from the typed ones, or a font is not embedded. The same
source gives the same bytes.

Needed to run it, on Debian 12 (users of whereof need none of this; the results are in the folder):
    weasyprint python3-docx poppler-utils fonts-texgyre fonts-noto-cjk
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

# Read by the font subsetter when it is loaded, and stamped into the fonts that it writes:
# 9 March 2026, 00:00 UTC. So it has to stand before the imports that load it.
os.environ["SOURCE_DATE_EPOCH"] = "1773014400"

import check_docx  # noqa: E402
import contract_source  # noqa: E402
import typeset_pdf  # noqa: E402
import write_docx  # noqa: E402

HERE = Path(__file__).resolve().parent
QUESTIONS = {"acquisition-agreement": "questions.jsonl", "收购协议": "questions-zh.jsonl"}

# What clauses 2, 3 and 11 have to say and must not say: the question that both examples exist for
# can be answered only by reading clause 2 between clauses 3 and 11.
PLOT = {
    "en": {2: (["\u201cLosses\u201d means"], []),
           3: (["such compensation"], ["Losses", "reimburse"]),
           11: (["without limit in amount", "Losses"],
                ["compensation", "clause 3", "£18,500,000"])},
    "zh": {2: (["“损失”"], []),
           3: (["该等赔偿"], ["损失", "补偿"]),
           11: (["不设上限", "损失"], ["该等赔偿", "第三条"])},
}


class BuildError(Exception):
    """The result is not fit to be shipped: the message says what is wrong with it."""


def write_txt(contract, path: Path) -> str:
    """The contract as plain text: numbers typed, one paragraph a line, no page marks."""
    facts = contract.facts
    lines = [facts["title"]]
    lines += [facts[key] for key in ("object", "date") if key in facts]
    gap = "" if contract.language == "zh" else " "
    previous = ""
    for block in contract.blocks:
        cells = [contract.plain(block, text) for text in contract_source.texts(block)]
        if block.kind == "row" and len(cells) == 2:
            colon = "：" if contract.language == "zh" else ": "
            text = colon.join(cells)
        elif block.kind in ("row", "sign"):
            text = "\t".join(cells)
        else:
            text = cells[0]
        if block.number:
            wide = block.kind == "schedule" or block.number[-1] in "条款"
            text = block.number + ("　" if gap == "" and wide else gap) + text
        # Rows of one table stand together; everything else is set apart by a blank line.
        if not (block.kind == previous == "row"):
            lines.append("")
        lines.append(text)
        previous = block.kind
    text = "\n".join(lines) + "\n"
    path.write_text(text, encoding="utf-8")
    return text


def check_plot(contract) -> None:
    for clause, (present, absent) in PLOT[contract.language].items():
        said = "\n".join(contract.plain(block) for block in contract.blocks
                         if block.kind == "numbered" and not block.schedule
                         and block.path[0] == clause)
        for words in present:
            if words not in said:
                raise BuildError(f"clause {clause} does not say {words!r}")
        for words in absent:
            # "clause 3" must not be found in "clause 33".
            if re.search(re.escape(words) + r"(?!\d)", said):
                raise BuildError(f"clause {clause} says {words!r}")


def write_questions(contract, document: str, path: Path) -> int:
    rows = []
    for question, labels in contract.questions:
        for label in labels:
            if label not in contract.labels:
                raise BuildError(f"no line is labelled {label!r}: {question}")
        clauses = [contract.reference(contract.labels[label], 0) for label in labels]
        rows.append(json.dumps({"document": document, "question": question,
                                "answerable": bool(clauses), "clauses": clauses},
                               ensure_ascii=False))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return len(rows)


def check_fonts(path: Path) -> list:
    report = subprocess.run(["pdffonts", path], check=True, capture_output=True, text=True).stdout
    names = []
    for line in report.splitlines()[2:]:
        name, *_, embedded, subset, unicode, _, _ = line.split()
        if (embedded, subset, unicode) != ("yes", "yes", "yes"):
            raise BuildError(f"{path.name}: font {name} is not embedded as a subset with a "
                             "map to Unicode")
        names.append(name.partition("+")[2])
    if not names:
        raise BuildError(f"{path.name}: pdffonts found no font")
    return names


def check_numbers(contract, path: Path) -> None:
    """The numbers and texts that the Word document shows are those of the contract."""
    wanted = [(block.number, contract.plain(block)) for block in contract.blocks if block.number]
    found = check_docx.numbered_paragraphs(path)
    for want, got in zip(wanted, found):
        if want != got:
            raise BuildError(f"{path.name} counts {got[0]} {got[1][:40]!r}, "
                             f"wanted {want[0]} {want[1][:40]!r}")
    if len(wanted) != len(found):
        raise BuildError(f"{path.name} numbers {len(found)} paragraphs, wanted {len(wanted)}")


def build(source: Path) -> None:
    contract = contract_source.read(source)
    references = contract_source.check(contract)
    check_plot(contract)
    questions = write_questions(contract, source.stem, HERE / QUESTIONS[source.stem])
    text = write_txt(contract, HERE / f"{source.stem}.txt")
    pdf = HERE / f"{source.stem}.pdf"
    pages = typeset_pdf.write_pdf(contract, pdf)
    docx = HERE / f"{source.stem}.docx"
    write_docx.write_docx(contract, pages, docx)
    check_numbers(contract, docx)
    fonts = ", ".join(check_fonts(pdf))
    clauses = sum(1 for block in contract.blocks if block.kind == "numbered")
    size = (f"{len(text.split()):,} words" if contract.language == "en" else
            f"{sum(1 for sign in text if not sign.isspace()):,} characters")
    print(f"{source.stem}: {pages['']} pages, {size}, {clauses} numbered paragraphs, "
          f"{references} cross-references, {questions} questions; "
          f"{pdf.stat().st_size:,} bytes; fonts {fonts}")


def main(names: list) -> int:
    sources = sorted((HERE / "source").glob("*.txt"))
    try:
        for source in sources:
            if not names or source.stem in names:
                build(source)
    except (BuildError, contract_source.SourceError) as error:
        print(f"build_examples: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
