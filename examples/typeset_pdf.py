"""Sets a contract as a PDF: HTML and paged CSS, laid out by WeasyPrint.

The contents page takes its page numbers from the layout (target-counter), the running lines stand
in the page margins, lines are justified and hyphenated, and the fonts are embedded as subsets.
"""

import html
import re
from pathlib import Path

from weasyprint import HTML

from contract_source import TERM

WORDS = {
    "en": {"contents": "Contents", "page": '"Page " counter(page) " of " counter(pages)',
           "between": "and", "signed": "Signed by", "for": "for and on behalf of",
           "signature": "Signature", "office": "Office", "date": "Date"},
    "zh": {"contents": "目　录", "page": '"第 " counter(page) " 页　共 " counter(pages) " 页"',
           "between": "与", "signed": "签署人", "for": "", "signature": "签字",
           "office": "职务", "date": "日期"},
}

FACES = {"en": "TeX Gyre Termes", "zh": "Noto Serif CJK SC"}


def style(contract) -> str:
    sheet = Path(__file__).with_name("contract.css").read_text(encoding="utf-8")
    facts = contract.facts
    values = {"short": facts["short"], "subject": facts["subject"],
              "reference": facts["reference"], "status": facts["status"],
              "face": FACES[contract.language],
              "slant": "italic" if contract.language == "en" else "normal"}
    for key, value in values.items():
        sheet = sheet.replace(f"$({key})", value.replace('"', ""))
    return sheet.replace("$(page)", WORDS[contract.language]["page"])


def anchor(block) -> str:
    return f"s{block.schedule}-" + "-".join(map(str, block.path))


def inline(contract, block, text=None) -> str:
    """The text with references as links and terms in quotation marks in bold."""
    out = []
    for piece, target in contract.pieces(block, text):
        escaped = html.escape(piece, quote=False)
        escaped = TERM.sub("<b>\\g<0></b>", escaped)
        out.append(f'<a href="#{anchor(target)}">{escaped}</a>' if target else escaped)
    return "".join(out)


def cover(contract) -> str:
    facts, words = contract.facts, WORDS[contract.language]
    parties = f'<p class="between">{words["between"]}</p>'.join(
        f'<p class="party"><b>{html.escape(name)}</b><br><i>{html.escape(role)}</i></p>'
        for name, role in facts["party"])
    title = html.escape(facts["title"])
    if "object" in facts:
        title += f'<span>{html.escape(facts["object"])}</span>'
    return (f'<section class="cover"><p class="reference">{facts["reference"]}<br>'
            f'{facts["status"]}</p><p class="dated">{facts["date"]}</p>'
            f'<h1>{title}</h1>{parties}'
            f'<p class="firm">{facts.get("firm", "")}</p></section>')


def contents(contract) -> str:
    rows = []
    for block in contract.blocks:
        if block.level == 1 and not block.schedule:
            rows.append(f'<li><a href="#{anchor(block)}"><span class="n">{block.number}</span>'
                        f"{inline(contract, block)}</a></li>")
        elif block.kind == "schedule":
            rows.append(f'<li class="schedule"><a href="#{anchor(block)}"><span class="n">'
                        f"{block.number}</span>{inline(contract, block)}</a></li>")
    title = WORDS[contract.language]["contents"]
    return f'<section class="contents"><h2>{title}</h2><ul>{"".join(rows)}</ul></section>'


def table(contract, rows) -> str:
    columns = len(rows[0].cells)
    out = [f'<table class="columns{columns}">']
    for block in rows:
        tag = "th" if block.is_table_head else "td"
        out.append("<tr>" + "".join(f"<{tag}>{inline(contract, block, cell)}</{tag}>"
                                    for cell in block.cells) + "</tr>")
    return "".join(out) + "</table>"


def signatures(contract, rows) -> str:
    words, out = WORDS[contract.language], []
    for block in rows:
        party, person, office = (html.escape(cell) for cell in block.cells)
        if contract.language == "zh":
            head = f"<b>{party}</b>（盖章）<br>{words['signed']}：{person}"
        else:
            head = (f"{words['signed']} <b>{person}</b><br>{words['for']}<br><b>{party}</b>")
        out.append(f'<table class="sign"><tr><td rowspan="3">{head}</td>'
                   f'<td class="line">{words["signature"]}</td></tr>'
                   f'<tr><td class="line">{words["office"]}<span>{office}</span></td></tr>'
                   f'<tr><td class="line">{words["date"]}</td></tr></table>')
    return "".join(out)


def paragraph(contract, block) -> str:
    text = inline(contract, block)
    if block.kind == "banner":
        name = "banner fresh" if block.label == "signatures" else "banner"
        return f'<h3 class="{name}">{text}</h3>'
    if block.kind == "part":
        return f'<h4 class="part">{text}</h4>'
    if block.kind == "schedule":
        return (f'<h2 class="schedule" id="{anchor(block)}"><span>{block.number}</span>'
                f"<br>{text}</h2>")
    if block.kind in ("definition", "plain"):
        return f'<p class="{block.kind}">{text}</p>'
    if block.kind == "party":
        text = re.sub("^[^,\uff0c]+", "<b>\\g<0></b>", text)
    name, mark = (f"l{block.level}", f' id="{anchor(block)}"') if block.level else ("head", "")
    tag = "h3" if block.level == 1 else "p"
    return f'<{tag} class="{name}"{mark}><span class="n">{block.number}</span>{text}</{tag}>'


def page_of_html(contract) -> str:
    out, blocks, at = [], contract.blocks, 0
    while at < len(blocks):
        kind = blocks[at].kind
        if kind in ("row", "sign"):
            end = at
            while end < len(blocks) and blocks[end].kind == kind:
                end += 1
            make = table if kind == "row" else signatures
            out.append(make(contract, blocks[at:end]))
            at = end
        else:
            out.append(paragraph(contract, blocks[at]))
            at += 1
    language = "en" if contract.language == "en" else "zh-Hans"
    facts = contract.facts
    return (f'<!DOCTYPE html><html lang="{language}" class="{contract.language}"><head>'
            f'<meta charset="utf-8"><title>{html.escape(facts["title"])}</title>'
            f'<meta name="author" content="{html.escape(facts["party"][0][0])}">'
            f"<style>{style(contract)}</style></head><body>{cover(contract)}"
            f'{contents(contract)}<main>{"".join(out)}</main></body></html>')


def write_pdf(contract, path: Path) -> dict:
    """Writes the PDF; returns the page (from 1) on which each heading begins, by anchor."""
    document = HTML(string=page_of_html(contract)).render()
    document.write_pdf(path, identifier=path.stem.encode())
    pages = {"": len(document.pages)}
    for number, page in enumerate(document.pages, 1):
        for name in page.anchors:
            pages.setdefault(name, number)
    return pages
