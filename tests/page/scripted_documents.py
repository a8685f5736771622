"""Documents as the service would report them, made from plain lines of text.

Each line of a page stands at a known place, so that a test can say where a mark must be.
"""

import hashlib
import re

LINE_POINTS = 18
TOP_POINTS = 72
LEFT_POINTS = 72
CHARACTER_POINTS = 5.5
WIDTH, HEIGHT = 595.0, 842.0
LINES_OF_A_PAGE = 36
NUMBERED = re.compile(r"^(\d+(?:\.\d+)*)\s+(.*)|^(第.+?条)\s*(.*)")


class ScriptedDocument:
    """`lines` without line ends; a line that begins with a number begins a clause."""

    def __init__(self, name, kind, lines, has_pages=True):
        self.name, self.kind, self.lines = name, kind, lines
        self.text = "".join(line + "\n" for line in lines).encode()
        self.hash = hashlib.sha256(self.text + name.encode()).hexdigest()
        self.id = "file-" + self.hash[:24]
        self.begins = []
        at = 0
        for line in lines:
            self.begins.append(at)
            at += len(line.encode()) + 1
        self.begins.append(at)
        self.has_pages = has_pages
        self.pages = self._pages() if has_pages else []
        self.clauses = self._clauses()

    def _pages(self):
        pages = []
        for first in range(0, len(self.lines), LINES_OF_A_PAGE):
            last = min(first + LINES_OF_A_PAGE, len(self.lines))
            pages.append({"label": str(len(pages) + 1), "width": WIDTH, "height": HEIGHT,
                          "text_begin": self.begins[first], "text_end": self.begins[last]})
        return pages

    def page_of(self, place):
        """From 1; None without pages."""
        return next((i + 1 for i, page in enumerate(self.pages) if place < page["text_end"]), None)

    def _clauses(self):
        clauses, path = [], []
        for i, line in enumerate(self.lines):
            match = NUMBERED.match(line)
            if not match:
                continue
            number = match[1] or match[3]
            depth = number.count(".")
            while path and clauses[path[-1]]["depth"] >= depth:
                self._close(clauses[path.pop()], self.begins[i])
            heading = match[2] or match[4] or ""
            if path and clauses[path[-1]]["own_text_end"] is None:
                clauses[path[-1]]["own_text_end"] = self.begins[i]
            clauses.append({"kind": "clause", "parent": path[-1] if path else -1, "depth": depth,
                            "number": number, "label": number,
                            "heading": heading if len(heading) < 40 else "",
                            "text_begin": self.begins[i], "text_end": None, "own_text_end": None,
                            "first_page": self.page_of(self.begins[i]), "last_page": None})
            path.append(len(clauses) - 1)
        for index in path:
            self._close(clauses[index], self.begins[-1])
        return clauses

    def _close(self, clause, end):
        clause["text_end"] = end
        clause["own_text_end"] = clause["own_text_end"] or end
        clause["last_page"] = self.page_of(end - 1)

    def boxes(self, begin, end):
        """One box a line that the span touches."""
        boxes = []
        for i, line in enumerate(self.lines):
            if not self.has_pages or self.begins[i] >= end or self.begins[i + 1] <= begin:
                continue
            data = line.encode()
            left = len(data[:max(0, begin - self.begins[i])].decode(errors="ignore"))
            right = len(data[:max(0, end - self.begins[i])].decode(errors="ignore"))
            if right <= left:
                continue
            top = TOP_POINTS + LINE_POINTS * (i % LINES_OF_A_PAGE)
            width = CHARACTER_POINTS * (1 if line.isascii() else 2)
            boxes.append({"page": i // LINES_OF_A_PAGE + 1, "left": LEFT_POINTS + width * left,
                          "top": top, "right": LEFT_POINTS + width * right,
                          "bottom": top + LINE_POINTS - 4})
        return boxes

    def line_boxes(self, page):
        first = page * LINES_OF_A_PAGE
        last = min(first + LINES_OF_A_PAGE, len(self.lines))
        return [box for i in range(first, last)
                for box in self.boxes(self.begins[i], self.begins[i + 1])]

    def file(self, status="processed"):
        return {"id": self.id, "object": "file", "bytes": len(self.text),
                "created_at": 1_790_000_000, "filename": self.name, "purpose": "user_data",
                "status": status, "status_details": None,
                "whereof": {"type": self.kind, "pages": len(self.pages),
                            "characters": len(self.text.decode()), "pages_without_text": 0,
                            "pages_recognized": 0, "warnings": []}}

    def report(self):
        return {"id": self.id, "name": self.name, "type": self.kind, "content_hash": self.hash,
                "characters": len(self.text.decode()), "pages": self.pages,
                "clauses": self.clauses, "report": {}}

    def citation(self, words, share, lift=4.0):
        """The place of these words, as docs/answer.schema.json has it."""
        begin = self.text.index(words.encode())
        end = begin + len(words.encode())
        inside = [clause for clause in self.clauses
                  if clause["text_begin"] <= begin < clause["text_end"]]
        clause = inside[-1] if inside else {"label": "", "heading": ""}
        page = self.page_of(begin)
        return {"clause": clause["label"], "heading": clause["heading"], "quotation": words,
                "text_begin": begin, "text_end": end, "share": share, "lift": lift,
                "page": page,
                "page_label": self.pages[page - 1]["label"] if self.has_pages else None,
                "boxes": self.boxes(begin, end)}


def contract():
    lines = ["SERVICES AGREEMENT", "between Northwind Ltd and Contoso plc", ""]
    lines += ["1 Services", "1.1 The Supplier performs the Services with due care.",
              "1.2 Details are in clause 4.1.", "2 Fees",
              "2.1 The Customer pays the Fees within thirty days of an invoice.",
              "2.2 Late payment bears interest at four per cent.", "3 Term"]
    lines += ["3.1 This Agreement runs for three years.",
              "3.2 Either party may end it by sixty days' written notice.", "4 Liability",
              "4.1 Neither party is liable for loss of profit.",
              "4.2 Liability is limited to the Fees paid in a year.", "5 Governing law",
              "5.1 English law governs this Agreement."]
    for number in range(6, 30):
        lines += [f"{number} Further terms {number}"]
        lines += [f"{number}.{i} The parties agree to point {i} of part {number}."
                  for i in range(1, 5)]
    return ScriptedDocument("services-agreement.pdf", "PDF", lines)


def long_contract(pages=200):
    lines = [f"{i // 12 + 1}.{i % 12} Line {i} of a long agreement about many things."
             if i % 12 else f"{i // 12 + 1} Part {i // 12 + 1}"
             for i in range(pages * LINES_OF_A_PAGE)]
    return ScriptedDocument("long-agreement.pdf", "PDF", lines)


def chinese_contract():
    lines = ["股权转让协议", "第一条 定义", "本协议所称标的股权，是指目标公司百分之六十的股权。",
             "第二条 转让价款", "转让价款为人民币五千万元，买方应于交割日支付。",
             "第三条 适用法律", "本协议适用中华人民共和国法律。"]
    return ScriptedDocument("股权转让协议.pdf", "PDF", lines)


def hostile_text():
    """Markup, an image of another place, and orders: all of it must stay text."""
    lines = ["1 Payment", '<img src="https://images.example/planted.png" onerror="alert(1)">',
             "![planted](https://images.example/planted.png)",
             "<script>document.title = 'taken over'</script>",
             "1.1 The price is 100 euros.", "2 Ending", "2.1 It ends on 31 December."]
    return ScriptedDocument("notes.txt", "text", lines, has_pages=False)
