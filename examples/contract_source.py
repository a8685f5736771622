"""Reads a contract in the plain markup of examples/source and gives it numbers.

One paragraph a line; blank lines and lines that begin with // are passed over.

    %key value         a fact for the cover and the running lines (repeated for %party)
    === text           a heading without a number (Parties, Background, Signatures)
    p. text / r. text  a party, numbered (1), (2) / a recital, numbered (A), (B)
    # text             a clause heading             1.     第一条   (in a schedule 一、)
    ## text            a paragraph of a clause      1.1    第一款   (in a schedule （一）)
    - text             an item                      (a)    （一）   (in a schedule 1.)
    -- text            an item of an item           (i)    1.       (in a schedule （1）)
    : text             a definition, without a number
    + text             a paragraph without a number
    ! text             a schedule, on a new page    Schedule 1     附件一
    !! text            the heading of a part of a schedule, without a number
    | a | b            a row of a table; |! is its heading row
    sign: a | b | c    a signature block: party, signatory, office
    ? text | @a @b     a question about the document and the lines that answer it; without lines,
                       a question that the document does not answer

A line may end in {#label}; @label in any text becomes the number of that line, written as the
language writes it: "3.2(a)" for a clause in English (the word "clause" stands in the text),
"Schedule 2, paragraph 3" or, inside that schedule, "paragraph 3"; "第三条第二款第（一）项" in
Chinese. So a reference always points where its author meant, and `check` reads the finished text
once more, as a reader would, and fails on a number that does not exist.
"""

import re
from dataclasses import dataclass, field

LEVELS = {"#": 1, "##": 2, "-": 3, "--": 4}
KINDS = {"===": "banner", "p.": "party", "r.": "recital", ":": "definition", "+": "plain",
         "!": "schedule", "!!": "part", "|": "row", "|!": "row", "sign:": "sign"}
LABEL = re.compile(r"\s*\{#([a-z0-9-]+)\}$")
REFERENCE = re.compile(r"(?<![\w.])@([a-z][a-z0-9-]*[a-z0-9])", re.ASCII)
# A term in quotation marks where it is defined: “Losses” means, (the “Seller”), “损失”是指.
TERM = re.compile("(?<=\u201c)[^\u201d]+"
                  "(?=\u201d(?:[)\uff09]|指|是指|具有| means| has| includes| is an))")
HAN = "零一二三四五六七八九"


class SourceError(Exception):
    """The source does not say a contract: the message names the line or the reference."""


def han(number: int) -> str:
    """1 to 99 in Chinese numerals: 一, 十, 十一, 二十三."""
    tens, ones = divmod(number, 10)
    if tens == 0:
        return HAN[ones]
    return (HAN[tens] if tens > 1 else "") + "十" + (HAN[ones] if ones else "")


def letter(number: int) -> str:
    if number > 26:
        raise SourceError(f"a list of {number} items runs past (z)")
    return chr(ord("a") + number - 1)


def roman(number: int) -> str:
    digits = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
    text = ""
    for value, sign in digits:
        while number >= value:
            text, number = text + sign, number - value
    return text


@dataclass
class Block:
    kind: str                 # banner, party, recital, numbered, definition, plain, ...
    text: str                 # with references still as @label
    level: int = 0            # 1 to 4 for kind "numbered"
    schedule: int = 0         # 0 in the body
    path: tuple = ()          # (3, 2, 1) is 3.2(a); shorter where a level is left out
    number: str = ""          # as it stands at the head of the paragraph
    label: str = ""
    cells: list = field(default_factory=list)
    is_table_head: bool = False


@dataclass
class Contract:
    language: str
    facts: dict               # %key -> value; "party" -> [(name, role)]
    blocks: list
    labels: dict              # label -> Block
    questions: list           # (question, [label])

    def pieces(self, block: Block, text: str | None = None):
        """The text as a list of (piece, target): target is the Block that a reference names."""
        text = block.text if text is None else text
        at, found = 0, []
        for match in REFERENCE.finditer(text):
            target = self.labels.get(match[1])
            if target is None:
                raise SourceError(f"no line is labelled {match[1]!r}: {text[:60]}")
            found.append((text[at:match.start()], None))
            found.append((self.reference(target, block.schedule), target))
            at = match.end()
        found.append((text[at:], None))
        return [piece for piece in found if piece[0]]

    def plain(self, block: Block, text: str | None = None) -> str:
        return "".join(piece for piece, _ in self.pieces(block, text))

    def reference(self, target: Block, from_schedule: int) -> str:
        """How a sentence names this line."""
        if target.kind == "schedule":
            return schedule_name(self.language, target.schedule)
        if self.language == "zh":
            return self._reference_zh(target, from_schedule)
        number = reference_en(target.path)
        if target.schedule == 0:
            return number
        if target.schedule == from_schedule:
            # "this paragraph 3" and "paragraph 3" both read well, so the word is ours.
            return f"paragraph {number}"
        return f"{schedule_name('en', target.schedule)}, paragraph {number}"

    def _reference_zh(self, target: Block, from_schedule: int) -> str:
        if target.schedule == 0:
            return reference_zh(target.path)
        prefix = "本附件" if target.schedule == from_schedule else schedule_name(
            "zh", target.schedule)
        units = ("第{}节", "第（{}）项", "第{}目")
        shown = (han, han, str)
        return prefix + "".join(unit.format(show(value)) for unit, show, value in
                                zip(units, shown, target.path))


def reference_en(path: tuple) -> str:
    text = ".".join(str(value) for value in path[:2])
    if len(path) > 2:
        text += f"({letter(path[2])})"
    if len(path) > 3:
        text += f"({roman(path[3])})"
    return text


def reference_zh(path: tuple) -> str:
    units = ("第{}条", "第{}款", "第（{}）项", "第{}目")
    shown = (han, han, han, str)
    return "".join(unit.format(show(value)) for unit, show, value in zip(units, shown, path))


def schedule_name(language: str, number: int) -> str:
    return f"附件{han(number)}" if language == "zh" else f"Schedule {number}"


def paragraph_number(language: str, level: int, path: tuple, schedule: int) -> str:
    """The number at the head of a paragraph."""
    last = path[-1]
    if language == "en":
        return (f"{last}.", f"{path[0]}.{last}", f"({letter(last)})" if level == 3 else "",
                f"({roman(last)})")[level - 1]
    if schedule:
        return (f"{han(last)}、", f"（{han(last)}）", f"{last}.", f"（{last}）")[level - 1]
    return (f"第{han(last)}条", f"第{han(last)}款", f"（{han(last)}）", f"{last}.")[level - 1]


def curly(text: str) -> str:
    text = re.sub(r'(^|[\s(])"', "\\1\u201c", text).replace('"', "\u201d")
    return text.replace("'", "\u2019")


def read(path) -> Contract:
    facts, blocks, labels, questions = {"party": []}, [], {}, []
    counters, schedule, parties, recitals = [0, 0, 0, 0], 0, 0, 0
    for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("//"):
            continue
        if line.startswith("%"):
            key, _, value = line[1:].partition(" ")
            value = curly(value) if facts.get("language") == "en" else value
            if key == "party":
                facts["party"].append(tuple(part.strip() for part in value.split("|")))
            else:
                facts[key] = value
            continue
        mark, _, text = line.partition(" ")
        if mark == "?":
            text, _, lines = text.rpartition("|")
            questions.append((text.strip(), REFERENCE.findall(lines)))
            continue
        found = LABEL.search(text)
        label = found[1] if found else ""
        text = LABEL.sub("", text).strip()
        text = curly(text) if facts["language"] == "en" else text
        if mark in LEVELS:
            level = LEVELS[mark]
            counters[level - 1] += 1
            counters[level:] = [0] * (4 - level)
            numbers = tuple(counters[:level])
            if 0 in numbers:
                raise SourceError(f"{path.name}:{row}: level {level} without the one above it")
            block = Block("numbered", text, level, schedule, numbers, paragraph_number(
                facts["language"], level, numbers, schedule))
        elif mark in KINDS:
            block = Block(KINDS[mark], text, schedule=schedule)
            if block.kind == "schedule":
                schedule += 1
                counters = [0, 0, 0, 0]
                block.schedule = schedule
                block.number = schedule_name(facts["language"], schedule)
            elif block.kind == "party":
                parties += 1
                block.number = f"（{han(parties)}）" if facts["language"] == "zh" else f"({parties})"
            elif block.kind == "recital":
                recitals += 1
                block.number = f"({letter(recitals).upper()})"
                if facts["language"] == "zh":
                    block.number = f"{recitals}."
            elif block.kind in ("row", "sign"):
                block.cells = [cell.strip() for cell in text.split("|")]
                block.is_table_head = mark == "|!"
        else:
            raise SourceError(f"{path.name}:{row}: unknown mark {mark!r}")
        block.label = label
        if label:
            if label in labels:
                raise SourceError(f"{path.name}:{row}: label {label!r} is given twice")
            labels[label] = block
        blocks.append(block)
    return Contract(facts["language"], facts, blocks, labels, questions)


def texts(block: Block) -> list:
    return block.cells if block.cells else [block.text]


def check(contract: Contract) -> int:
    """Reads every finished sentence and looks each cross-reference up. Returns how many there
    are; raises SourceError at the first that dangles, and for a defined term without a use."""
    known = set()
    for block in contract.blocks:
        if block.kind == "numbered":
            known.add((block.schedule, contract.reference(block, block.schedule)))
        elif block.kind == "schedule":
            known.add((block.schedule, block.number))
    count = 0
    for block in contract.blocks:
        for text in texts(block):
            sentence = contract.plain(block, text)
            twice = re.search(r"\b(\w+) \1\b|(\w{2}[条款项节])\2", sentence)
            if twice:
                raise SourceError(f"{twice[0]!r} stands twice in: {sentence[:90]}")
            for key in named_in(contract.language, sentence, block.schedule):
                count += 1
                if key not in known:
                    raise SourceError(f"dangling reference {key[1]!r} in: {sentence[:90]}")
    check_terms(contract)
    return count


def named_in(language: str, sentence: str, schedule: int):
    """The (schedule, reference) pairs that a sentence names."""
    if language == "zh":
        han_number = "[零一二三四五六七八九十]+"
        for match in re.finditer(f"(附件{han_number})?(第{han_number}节(?:第（{han_number}）项)?"
                                 r"(?:第\d+目)?)", sentence):
            number = schedule
            if match[1]:
                number = next(n for n in range(1, 99) if schedule_name("zh", n) == match[1])
            yield number, "本附件" + match[2]
        for match in re.finditer(f"(?<!》)第{han_number}条(?:第{han_number}款)?"
                                 f"(?:第（{han_number}）项)?" r"(?:第\d+目)?", sentence):
            yield 0, match[0]
        for match in re.finditer(f"附件({han_number})", sentence):
            yield next(n for n in range(1, 99) if han(n) == match[1]), match[0]
        return
    number = r"\d+(?:\.\d+)?(?:\([a-z]\))?(?:\([ivx]+\))?"
    several = rf"\bclauses? ({number}(?:(?:, | to | and | or ){number})*)"
    for match in re.finditer(several, sentence):
        for each in re.findall(number, match[1]):
            yield 0, each
    for match in re.finditer(rf"(Schedule (\d+))?(?:, )?\bparagraphs? ({number})", sentence):
        yield int(match[2]) if match[2] else schedule, f"paragraph {match[3]}"
    for match in re.finditer(r"Schedule (\d+)", sentence):
        yield int(match[1]), match[0]


def check_terms(contract: Contract) -> None:
    """Every term of the list of definitions is used outside its own definition, and in English
    the list is in alphabetical order."""
    definitions = [block for block in contract.blocks if block.kind == "definition"]
    everything = [(block, text) for block in contract.blocks for text in texts(block)]
    previous = ""
    for block in definitions:
        terms = TERM.findall(block.text)
        if not terms:
            raise SourceError(f"a definition without a term: {block.text[:60]}")
        for term in terms:
            if not any(term in text for other, text in everything if other is not block):
                raise SourceError(f"{term!r} is defined but not used")
        if contract.language == "en":
            if terms[0].lower() < previous:
                raise SourceError(f"{terms[0]!r} is out of alphabetical order")
            previous = terms[0].lower()
