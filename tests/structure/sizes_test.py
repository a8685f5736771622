"""Sizes, names and the few things that are banned outright."""

import ast
import re
import unittest

import sources

LINES_OF_A_FILE = 500
COLUMNS = 100
LINES_OF_A_FUNCTION = 70

BANNED_NAMES = {"util", "utils", "utilities", "common", "helper", "helpers", "misc", "base", "core"}
ALL_SUFFIXES = sources.CPP_SUFFIXES + sources.OTHER_SUFFIXES


def relative(path):
    return path.relative_to(sources.ROOT).as_posix()


def texts(suffixes=ALL_SUFFIXES, **where):
    for path in sources.files(suffixes, **where):
        yield relative(path), path.read_text(encoding="utf-8")


class Sizes(unittest.TestCase):
    def test_files(self):
        long_files = [f"{name}: {lines} lines" for name, text in texts()
                      if (lines := text.count("\n")) >= LINES_OF_A_FILE]
        self.assertEqual(long_files, [])

    def test_lines(self):
        long_lines = [f"{name}:{number}: {len(line)} columns" for name, text in texts()
                      for number, line in enumerate(text.splitlines(), 1) if len(line) > COLUMNS]
        self.assertEqual(long_lines, [])

    def test_cpp_functions(self):
        long_functions = [f"{name}:{first}: {last - first + 1} lines"
                          for name, text in texts(sources.CPP_SUFFIXES)
                          for first, last in sources.functions(text)
                          if last - first + 1 >= LINES_OF_A_FUNCTION]
        self.assertEqual(long_functions, [])

    def test_python_functions(self):
        long_functions = []
        for name, text in texts((".py",)):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    lines = node.end_lineno - node.lineno + 1
                    if lines >= LINES_OF_A_FUNCTION:
                        long_functions.append(f"{name}:{node.lineno}: {lines} lines")
        self.assertEqual(long_functions, [])

    def test_functions_are_found(self):
        count = sum(len(sources.functions(text)) for _, text in texts((".cc",), folders=("src",)))
        self.assertGreater(count, 100)


class Names(unittest.TestCase):
    def test_no_folder_or_file_is_called_anything(self):
        for path in sources.files(ALL_SUFFIXES):
            parts = path.relative_to(sources.ROOT).with_suffix("").parts
            self.assertFalse(BANNED_NAMES & {part.lower() for part in parts}, relative(path))

    def test_names_are_lower_case(self):
        for path in sources.files(ALL_SUFFIXES):
            self.assertRegex(path.stem, r"^[a-z0-9_-]+$|^__init__$", relative(path))

    def test_header_guards_name_their_file(self):
        for path in sources.files((".h",), ("include", "src", "apps", "bindings", "tests")):
            name = relative(path)
            for folder in ("include/", "src/", "apps/"):
                name = name[len(folder):] if name.startswith(folder) else name
            guard = re.sub(r"[^A-Z0-9]", "_", name.upper()) + "_"
            if not guard.startswith("WHEREOF_"):
                guard = "WHEREOF_" + guard
            self.assertIn(f"#ifndef {guard}\n#define {guard}\n", path.read_text(encoding="utf-8"),
                          relative(path))


class Banned(unittest.TestCase):
    def find(self, pattern, folders, strips=True):
        expression = re.compile(pattern)
        found = []
        for name, text in texts(sources.CPP_SUFFIXES, folders=folders):
            if strips:
                text = sources.without_comments_and_literals(text)
            found += [f"{name}:{number}" for number, line in enumerate(text.splitlines(), 1)
                      if expression.search(line)]
        return found

    def test_no_regex(self):
        self.assertEqual(self.find(r"\bstd::w?(regex|smatch|cmatch)\b|#\s*include\s*<regex>",
                                   sources.CODE_FOLDERS), [])

    def test_no_unfinished_marks(self):
        self.assertEqual(self.find(r"\b(TODO|FIXME|XXX|HACK)\b", sources.CODE_FOLDERS, False), [])

    def test_processors_are_asked_about_in_few_folders_only(self):
        allowed = ("src/cpu/", "src/kernels/", "src/linear/",
                   "src/parallel/",            # the pause instruction of a spinning thread
                   "src/document/sandbox.cc")  # numbers of system calls
        found = self.find(r"#\s*(el)?if\w*\b.*\b(__(AVX|SSE|AMX|x86_64|i386|aarch64|ARM)|_M_)",
                          ("include", "src", "apps", "bindings"))
        self.assertEqual([place for place in found if not place.startswith(allowed)], [])

    def test_nothing_below_the_apps_prints(self):
        found = self.find(r"\bstd::(cout|cerr|clog)\b|\b(std::)?(printf|puts)\s*\(", ("src",))
        self.assertEqual(found, [])


class TheScanItself(unittest.TestCase):
    def test_functions(self):
        source = '''namespace a {
struct S {
  int f() const {
    return 1;
  }
  int b = 0;
};
std::vector<int> v = {1, 2};
template <typename T>
T g(T x,
    int y = h(1)) noexcept {
  if (x) { return {}; }
  auto l = [&](int i) { return i; };
  const char* s = "}{";  // }
  char c = '{';
  auto r = R"x(}}}
)x";
  return x;
}
enum class E { a, b };
K::K(int n) : n_(n), m_{n} {
  run();
}
}
'''
        self.assertEqual(sources.functions(source), [(3, 5), (9, 19), (21, 23)])

    def test_digit_separators_open_no_literal(self):
        text = "int a = 1'000'000; int b = 0xFF'FF; char c = 'x';"
        self.assertIn("1'000'000", sources.without_comments_and_literals(text))

    def test_includes(self):
        self.assertEqual(sources.includes('#include <a>\n # include "b/c.h"\n// #include "d"\n'),
                         [(1, False, "a"), (2, True, "b/c.h")])


if __name__ == "__main__":
    unittest.main()
