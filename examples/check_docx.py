"""Counts the automatic numbers of a Word document the way a word processor does.

Written apart from write_docx.py and without its library, from the package's XML alone, so that it
notices when the numbers that a reader of the file computes are not the ones that were meant.

The rules (ECMA-376 part 1, 17.9): a paragraph names a list (w:num) and a level, itself or through
its style; lists over one w:abstractNum share their counters, except that a w:startOverride sets a
level back when its list is first used; a paragraph of a level sets all deeper levels back; %n in
w:lvlText stands for the counter of level n in that level's own format.
"""

import xml.etree.ElementTree as tree
import zipfile
from pathlib import Path

from contract_source import han, letter, roman

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
FORMATS = {"decimal": str, "lowerLetter": letter, "lowerRoman": roman,
           "upperLetter": lambda number: letter(number).upper(), "chineseCountingThousand": han}


def value(element, path: str) -> str:
    found = element.find("/".join(W + step for step in path.split("/")))
    return "" if found is None else found.get(W + "val")


class Lists:
    def __init__(self, numbering, styles):
        self._levels, self._lists, self._styles = {}, {}, {}
        for abstract in numbering.iter(W + "abstractNum"):
            self._levels[abstract.get(W + "abstractNumId")] = [
                (value(level, "numFmt"), value(level, "lvlText"), int(value(level, "start")))
                for level in abstract.iter(W + "lvl")]
        for each in numbering.iter(W + "num"):
            overrides = {int(override.get(W + "ilvl")): int(value(override, "startOverride"))
                         for override in each.iter(W + "lvlOverride")}
            self._lists[each.get(W + "numId")] = (value(each, "abstractNumId"), overrides)
        for style in styles.iter(W + "style"):
            if value(style, "pPr/numPr/numId"):
                self._styles[style.get(W + "styleId")] = (
                    value(style, "pPr/numPr/numId"), int(value(style, "pPr/numPr/ilvl") or 0))
        self._counters, self._used = {}, set()

    def number(self, paragraph) -> str:
        """The number that stands before this paragraph; "" for none."""
        name = value(paragraph, "pPr/numPr/numId")
        level = int(value(paragraph, "pPr/numPr/ilvl") or 0)
        if not name:
            name, level = self._styles.get(value(paragraph, "pPr/pStyle"), ("", 0))
        if not name:
            return ""
        abstract, overrides = self._lists[name]
        levels = self._levels[abstract]
        counters = self._counters.setdefault(abstract, [start - 1 for _, _, start in levels])
        if name not in self._used:
            self._used.add(name)
            for each, start in overrides.items():
                counters[each] = start - 1
        counters[level] += 1
        for deeper in range(level + 1, len(levels)):
            counters[deeper] = levels[deeper][2] - 1
        text = levels[level][1]
        for each in range(level + 1):
            shown = FORMATS[levels[each][0]](counters[each]) if f"%{each + 1}" in text else ""
            text = text.replace(f"%{each + 1}", shown)
        return text


def numbered_paragraphs(path: Path) -> list:
    """(number, text) of every paragraph of the body that has an automatic number."""
    with zipfile.ZipFile(path) as package:
        document, numbering, styles = (tree.fromstring(package.read(f"word/{part}.xml"))
                                       for part in ("document", "numbering", "styles"))
    lists, found = Lists(numbering, styles), []
    for paragraph in document.iter(W + "p"):
        number = lists.number(paragraph)
        if number:
            found.append((number, "".join(text.text or "" for text in paragraph.iter(W + "t"))))
    return found
