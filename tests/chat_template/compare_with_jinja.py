#!/usr/bin/env python3
"""Random templates, rendered by render_lines and by Jinja2 side by side.

    python compare_with_jinja.py build/dev/tests/chat_template/render_lines [SEED] [COUNT]

Prints each difference and a count. What is an error here for want of a feature or by a limit
(unsupported) is counted apart; what is an error there must be one here. Needs jinja2.
"""

import collections
import json
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "golden"))
import environment  # noqa: E402  pylint: disable=wrong-import-position

VARIABLES = {
    "messages": [{"role": "system", "content": " Be brief.\n"},
                 {"role": "user", "content": "第三条 <|im_end|> it's \"so\"", "n": 3},
                 {"role": "assistant", "content": "", "tool_calls": [{"name": "f", "n": 1.5}]}],
    "flag": True, "off": False, "nothing": None, "zero": 0, "three": 3, "half": 0.5, "minus": -7,
    "word": "Hello World", "blank": "", "spaced": "  a b\tc \n", "numbers": [3, 1, 2, 3],
    "words": ["b", "A", "c", "a"], "map": {"b": 1, "a": [1, "x"], "C": None},
    "pairs": [["x", 1], ["y", 2]], "eos_token": "</s>"}
NAMES = list(VARIABLES) * 2 + ["missing", "item", "x", "ns", "messages[1]", "messages[1].content"]
FILTERS = ["trim", "upper", "lower", "length", "first", "last", "list", "string", "int", "float",
           "tojson", "capitalize", "title", "sort", "unique|list", "reverse", "abs", "round",
           "default('d')", "default('d', true)", "join", "join(', ')", "replace('a', 'b')",
           "items|list", "dictsort", "indent", "indent(2, true)", "map('upper')|list", "sum", "min",
           "map(attribute='role')|join('-')", "selectattr('role', 'equalto', 'user')|list", "max",
           "rejectattr('n')|list", "select('string')|list", "reject('none')|list", "safe", "count",
           "tojson(indent=2)", "round(1)", "batch(2)|list", "trim('a ')", "sort(reverse=true)"]
TESTS = ["defined", "undefined", "none", "string", "mapping", "iterable", "number", "boolean",
         "true", "false", "sequence", "integer", "float", "odd", "even", "upper", "lower",
         "equalto 3", "eq('a')", "in [1, 2, 'a']", "divisibleby 3", "callable", "ne 'x'", "gt 1"]
METHODS = ["strip()", "lstrip()", "rstrip()", "strip('a ')", "split()", "split(' ')", "upper()",
           "split('a', 1)", "rsplit(' ', 1)", "startswith('H')", "endswith(('d', 'x'))", "lower()",
           "replace('l', 'L')", "replace('l', 'L', 1)", "title()", "items()|list", "keys()|list",
           "values()|list", "get('a')", "get('q', 5)", "capitalize()", "splitlines()", "find('o')",
           "count('l')", "join(['a', 'b'])", "append(1)", "rfind('o')", "index(3)", "isdigit()",
           "removeprefix('He')", "pop()"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", "<=", ">", ">=", "in", "not in",
             "and", "or", "**"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.in_loop = 0

    def one(self, *choices):
        return self.random.choice(choices)()

    def pick(self, values):
        return self.random.choice(values)

    def literal(self):
        return self.pick(["'a'", "\"b c\"", "''", "'条'", "1", "0", "2.5", "-3", "true", "none",
                          "[]", "[1, 'a']", "{'k': 1, 'b': 'x'}", "(1, 2)", "()", "'\\n'", "10",
                          "range(3)|list", "1e3", "['x', none, true, 1.0]", "'it\\'s'"])

    def name(self):
        name = self.pick(NAMES)
        if self.in_loop and self.random.random() < 0.3:
            return self.pick(["loop.index", "loop.first", "loop.last", "loop.index0", "item",
                              "loop.previtem", "loop.nextitem", "loop.length", "loop.revindex",
                              "loop.cycle('a', 'b')", "loop.changed(item)"])
        return name

    def expression(self, depth):
        if depth <= 0:
            return self.one(self.literal, self.name, self.name)
        if self.random.random() < 0.5:
            return self.likely()
        inner = lambda: self.expression(depth - 1 - self.random.randrange(2))  # noqa: E731
        kind = self.random.randrange(14)
        if kind == 0:
            return f"({inner()})"
        if kind <= 3:
            return f"{inner()} {self.pick(OPERATORS)} {inner()}"
        if kind == 4:
            return f"not {inner()}"
        if kind == 5:
            return f"{inner()} if {inner()} else {inner()}"
        if kind == 6:
            return f"{self.name()}.{self.pick(['role', 'content', 'a', 'n', 'missing', 'name'])}"
        if kind == 7:
            places = ["0", "-1", "1:", ":-1", "::-1", "1:3", "5", inner()]
            return f"{self.name()}[{self.pick(places)}]"
        if kind <= 9:
            return f"{inner()}|{self.pick(FILTERS)}"
        if kind == 10:
            return f"{inner()} is {self.pick(['', 'not '])}{self.pick(TESTS)}"
        if kind == 11:
            return f"{self.name()}.{self.pick(METHODS)}"
        if kind == 12:
            return f"[{inner()}, {inner()}]"
        return f"{{'p': {inner()}, {self.literal()}: {inner()}}}"

    def likely(self):
        """An expression of kinds that fit, so that it seldom fails."""
        text = self.pick(["word", "spaced", "eos_token", "'a b'", "messages[1].content", "blank"])
        number = self.pick(["three", "minus", "2", "half", "zero", "words|length"])
        sequence = self.pick(["words", "numbers", "messages", "pairs", "[1, 'a']", "map", "text"])
        return self.pick([
            f"{text} + {text}", f"{text} ~ {number}", f"{number} + {number} * 2", f"{number} % 3",
            f"{text}.{self.pick(METHODS[:12])}", f"{text}[{self.pick(['0', '1:', '::-1', '-2:'])}]",
            f"{sequence}|{self.pick(['length', 'first', 'list', 'join', 'tojson', 'string'])}",
            f"messages|{self.pick(FILTERS[-15:-10])}",
            f"words|{self.pick(['sort', 'join', 'last'])}",
            f"{text}|{self.pick(FILTERS[:3] + FILTERS[9:13])}",
            f"{number}|{self.pick(['abs', 'int'])}",
            f"{number} < {number}", f"{text} in {sequence}", f"{text} is {self.pick(TESTS[:12])}",
            f"{text} if {sequence} else {number}", f"{sequence} == {sequence}", f"map.{text}"])

    def tag(self, text):
        return "{%" + self.pick(["", "", "-", "+"]) + f" {text} " + self.pick(["", "", "-"]) + "%}"

    def data(self):
        return self.pick(["", "", " ", "\n", "text", "  \n  ", "\n\n", "{", "a\n", "\t", " } "])

    def block(self, depth):
        return "".join(self.data() + self.statement(depth)
                       for _ in range(self.random.randrange(1, 4)))

    def statement(self, depth):
        kind = self.random.randrange(12) if depth > 0 else self.random.randrange(4)
        size = self.random.randrange(3)
        if kind < 3:
            signs = self.pick(["", "-"]), self.pick(["", "-"])
            return "{{" + signs[0] + f" {self.expression(size)} " + signs[1] + "}}"
        if kind == 3:
            return self.tag(f"set {self.pick(['x', 'word', 'three'])} = {self.expression(size)}")
        if kind == 4:
            return (self.tag(f"if {self.expression(2)}") + self.block(depth - 1)
                    + (self.tag(f"elif {self.expression(1)}") + self.block(0)
                       if self.random.random() < 0.3 else "")
                    + (self.tag("else") + self.block(0) if self.random.random() < 0.5 else "")
                    + self.tag("endif"))
        if kind <= 7:
            return self.loop(depth)
        if kind == 8:
            return self.tag("set x") + self.block(depth - 1) + self.tag("endset")
        if kind == 9:
            return (self.tag("set ns = namespace(a=1)")
                    + self.tag(f"set ns.a = {self.expression(1)}") + "{{ ns.a }}")
        if kind == 10:
            return self.macro(depth)
        return self.pick(["{# note #}", "{#- note -#}", "{% raw %}{{ x }}{% endraw %}",
                          "{%- raw -%} {% y %}\n{%- endraw -%}\n"])

    def loop(self, depth):
        iterable = self.pick(["messages", "numbers", "words", "map.items()", "pairs", "range(3)",
                              "missing", "[]", "map", self.expression(1), "messages[1:]"])
        target = "k, item" if "items" in iterable or iterable == "pairs" else "item"
        condition = f" if {self.expression(1)}" if self.random.random() < 0.2 else ""
        self.in_loop += 1
        body = self.block(depth - 1)
        if self.random.random() < 0.2:
            body += self.tag("if loop.index == 2") + self.tag(self.pick(["break", "continue"]))
            body += self.tag("endif") + self.block(0)
        self.in_loop -= 1
        otherwise = self.tag("else") + self.block(0) if self.random.random() < 0.3 else ""
        return (self.tag(f"for {target} in {iterable}{condition}") + body + otherwise
                + self.tag("endfor"))

    def macro(self, depth):
        in_loop, self.in_loop = self.in_loop, 0
        text = (self.tag("macro m(x, item=2)") + self.block(depth - 1) + self.tag("endmacro"))
        self.in_loop = in_loop
        arguments = self.pick(["1", "'a', 'b'", "item='q'", "", "x=1", "1, 2, 3"])
        return text + "{{ m(" + arguments + ") }}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
    maker = Maker(seed)
    jinja = environment.make()
    counts = collections.Counter()
    with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as ours:
        for _ in range(count):
            template = maker.block(3)
            ours.stdin.write(json.dumps({"template": template, "variables": VARIABLES}) + "\n")
            ours.stdin.flush()
            answer = json.loads(ours.stdout.readline())
            theirs = environment.rendered(jinja, template, VARIABLES)
            if answer.get("text") == theirs:
                counts["same text" if theirs is not None else "both errors"] += 1
            elif "error" in answer and answer["error"].startswith("unsupported"):
                counts["unsupported here"] += 1
            else:
                counts["different"] += 1
                print(json.dumps(template, ensure_ascii=False), "\n  here ", answer, "\n  there",
                      repr(theirs))
        ours.stdin.close()
    print(f"seed {seed}, {count} templates:", dict(counts))


if __name__ == "__main__":
    main()
