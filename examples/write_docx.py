"""Writes a contract as a Word document with automatic numbering.

No number of a clause is typed: every numbered paragraph carries w:numPr, directly or through its
style, and a reader has to count through w:abstractNum, w:num and w:lvlOverride to know what a
word processor shows. Cross-references are REF fields to bookmarks, with the number that they show
cached in the field; the contents are a TOC field, cached likewise; the running lines and the page
numbers stand in headers and footers.
"""

import io
import re
import zipfile
from datetime import datetime
from pathlib import Path

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK, WD_TAB_ALIGNMENT, WD_TAB_LEADER
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Mm, Pt

from contract_source import TERM

STAMP = datetime(2026, 3, 9)
FONTS = {"en": ("Times New Roman", "Times New Roman"), "zh": ("Times New Roman", "SimSun")}

# (w:numFmt, w:lvlText, left indent and hanging in twips) of each level.
BODY = {
    "en": [("decimal", "%1.", 720, 720), ("decimal", "%1.%2", 720, 720),
           ("lowerLetter", "(%3)", 1287, 567), ("lowerRoman", "(%4)", 1854, 567)],
    "zh": [("chineseCountingThousand", "第%1条", 0, 0),
           ("chineseCountingThousand", "第%2款", 0, 0),
           ("chineseCountingThousand", "（%3）", 1100, 660), ("decimal", "%4.", 1540, 440)],
}
SCHEDULE = {
    "en": BODY["en"],
    "zh": [("chineseCountingThousand", "%1、", 0, 0),
           ("chineseCountingThousand", "（%2）", 0, 0),
           ("decimal", "%3.", 1100, 440), ("decimal", "（%4）", 1540, 660)],
}
SINGLE = {
    "en": {"party": ("decimal", "(%1)", 720, 720), "recital": ("upperLetter", "(%1)", 720, 720),
           "schedule": ("decimal", "Schedule %1", 0, 0)},
    "zh": {"party": ("chineseCountingThousand", "（%1）", 0, 0),
           "recital": ("decimal", "%1.", 0, 0),
           "schedule": ("chineseCountingThousand", "附件%1", 0, 0)},
}
WORDS = {
    "en": {"contents": "Contents", "page": ("Page ", " of ", ""), "between": "and",
           "signature": "Signature", "date": "Date"},
    "zh": {"contents": "目　录", "page": ("第 ", " 页　共 ", " 页"), "between": "与",
           "signature": "签字", "date": "日期"},
}


class Numbering:
    """The document's numbering part: abstract definitions first, then the lists that use them."""

    def __init__(self, document, language: str):
        part = document.part.numbering_part.element
        for child in list(part):
            part.remove(child)
        self._part = part
        self._lists = 0
        self._abstracts = [BODY[language], SCHEDULE[language]]
        self._abstracts += [[SINGLE[language][kind]] for kind in ("party", "recital", "schedule")]
        for number, levels in enumerate(self._abstracts):
            part.append(parse_xml(self._abstract(number, levels)))
        self.body = self.add(0)
        self.party, self.recital, self.schedule = self.add(2), self.add(3), self.add(4)

    @staticmethod
    def _abstract(number: int, levels: list) -> str:
        kind = "multilevel" if len(levels) > 1 else "singleLevel"
        out = [f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{number}">'
               f'<w:multiLevelType w:val="{kind}"/>']
        for level, (fmt, text, left, hanging) in enumerate(levels):
            # A style that numbers its paragraphs has to be named by the level that it stands for.
            style = {(0, 0): "Heading1", (4, 0): "Heading2"}.get((number, level))
            link = f'<w:pStyle w:val="{style}"/>' if style else ""
            suffix = "tab" if hanging else "space"
            out.append(f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{fmt}"/>'
                       f'{link}<w:suff w:val="{suffix}"/><w:lvlText w:val="{text}"/>'
                       f'<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="{left}" '
                       f'w:hanging="{hanging}"/></w:pPr></w:lvl>')
        return "".join(out) + "</w:abstractNum>"

    def add(self, abstract: int) -> int:
        """A new list over an abstract definition, all its levels starting again at 1."""
        self._lists += 1
        levels = range(len(self._abstracts[abstract]))
        restart = "".join(f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="1"/>'
                          "</w:lvlOverride>" for level in levels)
        self._part.append(parse_xml(
            f'<w:num {nsdecls("w")} w:numId="{self._lists}"><w:abstractNumId '
            f'w:val="{abstract}"/>{restart}</w:num>'))
        return self._lists


def number_properties(properties, list_id: int, level: int) -> None:
    """Puts w:numPr into a w:pPr, where the schema wants it."""
    properties.insert_element_before(
        parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/>'
                  f'<w:numId w:val="{list_id}"/></w:numPr>'),
        "w:suppressLineNumbers", "w:pBdr", "w:shd", "w:tabs", "w:spacing", "w:ind", "w:jc",
        "w:outlineLvl", "w:rPr")


def field(paragraph, instruction: str, shown: str, is_dirty: bool = False) -> None:
    """A complex field with the result that is shown until it is next brought up to date."""
    def mark(kind):
        element = OxmlElement("w:fldChar")
        element.set(qn("w:fldCharType"), kind)
        if kind == "begin" and is_dirty:
            element.set(qn("w:dirty"), "true")
        paragraph.add_run()._r.append(element)
    mark("begin")
    code = OxmlElement("w:instrText")
    code.set(qn("xml:space"), "preserve")
    code.text = f" {instruction} "
    paragraph.add_run()._r.append(code)
    mark("separate")
    if shown:
        paragraph.add_run(shown)
        mark("end")


def end_field(paragraph) -> None:
    element = OxmlElement("w:fldChar")
    element.set(qn("w:fldCharType"), "end")
    paragraph.add_run()._r.append(element)


class Writer:
    def __init__(self, contract, pages: dict):
        self.contract, self.pages = contract, pages
        self.language, self.words = contract.language, WORDS[contract.language]
        self.document = Document()
        self.numbering = Numbering(self.document, self.language)
        self.lists = {0: self.numbering.body}
        self.referenced = {target.label for block in contract.blocks
                           for text in (block.cells or [block.text])
                           for _, target in contract.pieces(block, text) if target}
        self.bookmarks = 0
        self._page()
        self._styles()

    def _page(self) -> None:
        section = self.document.sections[0]
        section.page_width, section.page_height = Mm(210), Mm(297)
        section.left_margin = section.right_margin = Mm(27)
        section.top_margin = section.bottom_margin = Mm(29)
        section.different_first_page_header_footer = True
        facts = self.contract.facts
        head, foot = section.header.paragraphs[0], section.footer.paragraphs[0]
        for paragraph in (head, foot):
            stops = paragraph.paragraph_format.tab_stops
            stops.add_tab_stop(Mm(78), WD_TAB_ALIGNMENT.CENTER)
            stops.add_tab_stop(Mm(156), WD_TAB_ALIGNMENT.RIGHT)
        head.add_run(f"{facts['short']}\t\t{facts['subject']}").italic = self.language == "en"
        before, between, after = self.words["page"]
        foot.add_run(f"{facts['reference']}\t{before}")
        field(foot, "PAGE", "2")
        foot.add_run(between)
        field(foot, "NUMPAGES", str(self.pages[""]))
        foot.add_run(f"{after}\t{facts['status']}")

    def _styles(self) -> None:
        styles = self.document.styles
        latin, east = FONTS[self.language]
        for name in ("Normal", "Heading 1", "Heading 2", "Heading 3"):
            font = styles[name].font
            font.name, font.size, font.color.rgb = latin, Pt(11), None
            properties = styles[name].element.get_or_add_rPr()
            fonts = properties.find(qn("w:rFonts"))
            for attribute in ("w:asciiTheme", "w:hAnsiTheme", "w:eastAsiaTheme", "w:cstheme"):
                fonts.attrib.pop(qn(attribute), None)
            fonts.set(qn("w:eastAsia"), east)
        normal = styles["Normal"].paragraph_format
        normal.space_after, normal.line_spacing = Pt(7), 1.25
        # Clause headings are numbered through their style, the paragraphs below them directly.
        number_properties(styles["Heading 1"].element.get_or_add_pPr(), self.numbering.body, 0)
        styles["Heading 2"].paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
        number_properties(styles["Heading 2"].element.get_or_add_pPr(), self.numbering.schedule, 0)

    def _text(self, paragraph, block, text=None) -> None:
        for piece, target in self.contract.pieces(block, text):
            if target is None:
                for at, part in enumerate(re.split(f"({TERM.pattern})", piece)):
                    if part:
                        paragraph.add_run(part).bold = bool(at % 2) or None
                continue
            words, number = self._split_reference(target, piece)
            if words:
                paragraph.add_run(words)
            if number:
                field(paragraph, f"REF _Ref_{target.label} \\w \\h", number)

    def _split_reference(self, target, shown: str) -> tuple:
        """(typed words, what a REF field with full context shows once it is brought up to date)."""
        if target.kind == "schedule":
            return "", shown
        if self.language == "zh":
            # Word would write 第三条第二款（一） for 第三条第二款第（一）项: those stay typed.
            is_same = target.schedule == 0 and len(target.path) <= 2
            return ("", shown) if is_same else (shown, "")
        words, gap, number = shown.rpartition(" ")
        return words + gap, number

    def _bookmark(self, paragraph, block) -> None:
        if block.label not in self.referenced:
            return
        self.bookmarks += 1
        start = parse_xml(f'<w:bookmarkStart {nsdecls("w")} w:id="{self.bookmarks}" '
                          f'w:name="_Ref_{block.label}"/>')
        runs = paragraph._p.findall(qn("w:r"))
        runs[0].addprevious(start)
        paragraph._p.append(parse_xml(
            f'<w:bookmarkEnd {nsdecls("w")} w:id="{self.bookmarks}"/>'))

    def cover(self) -> None:
        facts, document = self.contract.facts, self.document
        lines = [(facts["reference"], 10, False), (facts["status"], 10, False), ("", 11, False),
                 (facts["date"], 13, False), ("", 11, False), (facts["title"], 20, True)]
        if "object" in facts:
            lines.append((facts["object"], 13, False))
        for at, (name, role) in enumerate(facts["party"]):
            lines += [(self.words["between"] if at else "", 11, False), (name, 13, True),
                      (role, 11, False)]
        lines += [("", 11, False), (facts.get("firm", ""), 10, False)]
        for text, size, bold in lines:
            paragraph = document.add_paragraph()
            paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
            run = paragraph.add_run(text)
            run.font.size, run.bold = Pt(size), bold
        paragraph.add_run().add_break(WD_BREAK.PAGE)

    def contents(self) -> None:
        title = self.document.add_paragraph()
        title.alignment = WD_ALIGN_PARAGRAPH.CENTER
        title.add_run(self.words["contents"]).bold = True
        paragraph, is_first = None, True
        for block in self.contract.blocks:
            is_clause = block.level == 1 and not block.schedule
            if not is_clause and block.kind != "schedule":
                continue
            paragraph = self.document.add_paragraph()
            paragraph.paragraph_format.space_after = Pt(1)
            stops = paragraph.paragraph_format.tab_stops
            stops.add_tab_stop(Mm(25))
            stops.add_tab_stop(Mm(156), WD_TAB_ALIGNMENT.RIGHT, WD_TAB_LEADER.DOTS)
            if is_first:
                field(paragraph, 'TOC \\o "1-2" \\h', "", is_dirty=True)
                is_first = False
            key = f"s{block.schedule}-" + "-".join(map(str, block.path))
            paragraph.add_run(f"{block.number}\t{self.contract.plain(block)}\t{self.pages[key]}")
        end_field(paragraph)
        paragraph.add_run().add_break(WD_BREAK.PAGE)

    def table(self, rows: list) -> None:
        table = self.document.add_table(len(rows), len(rows[0].cells), "Table Grid")
        for row, block in zip(table.rows, rows):
            for cell, text in zip(row.cells, block.cells):
                self._text(cell.paragraphs[0], block, text)
                for run in cell.paragraphs[0].runs if block.is_table_head else ():
                    run.bold = True
        self.document.add_paragraph()

    def signatures(self, rows: list) -> None:
        for block in rows:
            party, person, office = block.cells
            table = self.document.add_table(2, 2)
            table.cell(0, 0).text, table.cell(0, 1).text = party, self.words["signature"] + " ____"
            table.cell(1, 0).text = f"{person}, {office}"
            table.cell(1, 1).text = self.words["date"] + " ____"
            self.document.add_paragraph()

    def paragraph(self, block) -> None:
        name = {"schedule": "Heading 2"}.get(block.kind, "Normal")
        if block.kind == "numbered" and block.level == 1:
            name = "Heading 3" if block.schedule else "Heading 1"
        paragraph = self.document.add_paragraph(style=name)
        properties = paragraph._p.get_or_add_pPr()
        if block.kind == "schedule":
            paragraph.paragraph_format.page_break_before = True
            self.lists[block.schedule] = self.numbering.add(1)
        elif block.kind in ("party", "recital"):
            number_properties(properties, getattr(self.numbering, block.kind), 0)
        elif block.kind == "numbered" and (block.level > 1 or block.schedule):
            number_properties(properties, self.lists[block.schedule], block.level - 1)
        elif block.kind in ("definition", "plain"):
            paragraph.paragraph_format.left_indent = Mm(0 if self.language == "zh" else 12.7)
        self._text(paragraph, block)
        self._bookmark(paragraph, block)
        if block.kind in ("banner", "part"):
            for run in paragraph.runs:
                run.bold = True
            paragraph.paragraph_format.page_break_before = block.label == "signatures"
        elif name == "Normal":
            paragraph.alignment = WD_ALIGN_PARAGRAPH.JUSTIFY

    def write(self, path: Path) -> None:
        self.cover()
        self.contents()
        blocks, at = self.contract.blocks, 0
        while at < len(blocks):
            kind, end = blocks[at].kind, at + 1
            if kind in ("row", "sign"):
                while end < len(blocks) and blocks[end].kind == kind:
                    end += 1
                (self.table if kind == "row" else self.signatures)(blocks[at:end])
            else:
                self.paragraph(blocks[at])
            at = end
        core, facts = self.document.core_properties, self.contract.facts
        core.title, core.author, core.comments = facts["title"], facts["party"][0][0], ""
        core.last_modified_by = core.author
        core.created = core.modified = STAMP
        core.language = "zh-CN" if self.language == "zh" else "en-GB"
        buffer = io.BytesIO()
        self.document.save(buffer)
        restamp(buffer, path)


def restamp(buffer, path: Path) -> None:
    """Copies the package with one fixed time on every member, so that it is the same each day."""
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            info = zipfile.ZipInfo(name, STAMP.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, source.read(name))


def write_docx(contract, pages: dict, path: Path) -> None:
    Writer(contract, pages).write(path)
