"""The project's own source files, and what can be read off them without a compiler."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE_FOLDERS = ("include", "src", "apps", "bindings", "tests", "bench", "tools", "cmake",
                "examples")
CPP_SUFFIXES = (".h", ".cc")
OTHER_SUFFIXES = (".py", ".sh", ".cmake", ".js", ".css", ".html")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def files(suffixes=CPP_SUFFIXES, folders=CODE_FOLDERS, root=ROOT):
    found = []
    for folder in folders:
        found += (path for path in (root / folder).rglob("*")
                  if path.suffix in suffixes and "__pycache__" not in path.parts)
    return sorted(found)


def includes(text):
    """[(line, is_quoted, path)] of the include directives."""
    return [(text.count("\n", 0, match.start(2)) + 1, match.group(1) == '"', match.group(2))
            for match in INCLUDE.finditer(text)]


_LITERALS = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|(?:u8|[uUL])?R"(?P<delimiter>[^()\\ ]{0,16})\(.*?\)(?P=delimiter)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL)


def without_comments_and_literals(text):
    """C++ text of the same lines, with comments and the insides of literals blanked."""
    return _LITERALS.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


_NOT_A_FUNCTION = re.compile(
    r"\b(namespace|class|struct|union|enum|extern)\b(?![^{]*\))|=\s*$|^\s*$|\breturn\b")
_MEMBER_INITIALISER = re.compile(r"\)[^;{}]*[^:]:[^:].*[\w>]\s*$", re.DOTALL)


def functions(text):
    """[(first line, last line)] of the C++ functions, from their declaration to their last brace.

    A brace opens a function when a parameter list stands before it and it is neither inside another
    function nor the body of a class, a namespace or an initialiser.
    """
    text = without_comments_and_literals(text)
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda match: re.sub(r"[^\n]", " ", match.group(0)),
                  text, flags=re.MULTILINE)
    found = []
    depth = 0
    function_depth = None
    header_begin = 0
    initialiser_depth = None  # inside the braces of a constructor's ": member{...}"
    for match in re.finditer(r"[{};]", text):
        at, sign = match.start(), match.group(0)
        if sign == "{":
            header = text[header_begin:at]
            if function_depth is None and _MEMBER_INITIALISER.search(header):
                initialiser_depth = depth
            elif function_depth is None and ")" in header and not _NOT_A_FUNCTION.search(header):
                function_depth = depth
                begin = header_begin + len(header) - len(header.lstrip())
                first_line = text.count("\n", 0, begin) + 1
            depth += 1
        elif sign == "}":
            depth -= 1
            if initialiser_depth == depth:
                initialiser_depth = None
                continue
            if function_depth == depth:
                found.append((first_line, text.count("\n", 0, at) + 1))
                function_depth = None
        if function_depth is None and initialiser_depth is None:
            header_begin = at + 1
    return found
