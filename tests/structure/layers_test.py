"""Includes go one way only, down the table of ARCHITECTURE.md."""

import tempfile
import unittest
from pathlib import Path

import layers
import sources

TABLE = layers.read_table((sources.ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))


class Layers(unittest.TestCase):
    def test_the_table_is_read(self):
        self.assertIn("src/attention", TABLE)
        self.assertIn("kernels", TABLE["src/attention"])
        self.assertEqual(TABLE["src/error"], set())

    def test_every_folder_is_in_the_table(self):
        folders = {path.relative_to(sources.ROOT).as_posix()
                   for top in ("src", "apps") for path in (sources.ROOT / top).glob("*")
                   if path.is_dir() and any(path.rglob("*.cc")) or any(path.rglob("*.h"))}
        self.assertEqual(folders - set(TABLE), set())

    def test_the_table_names_only_its_own_folders(self):
        for folder, used in TABLE.items():
            for name in used:
                top = "apps" if folder.startswith(("apps/", "bindings/")) else "src"
                self.assertIn(f"{top}/{name}", TABLE, f"in the row of {folder}")

    def test_the_table_has_no_cycle(self):
        graph = {folder: layers.granted(TABLE, folder) for folder in TABLE}
        self.assertEqual(layers.cycle(graph), [])

    def test_includes_obey_the_table(self):
        self.assertEqual(layers.violations(TABLE), [])

    def test_files_include_each_other_without_a_cycle(self):
        self.assertEqual(layers.cycle(layers.include_graph()), [])

    def test_nothing_below_answering_knows_a_document_and_a_model(self):
        above = ("src/answering/", "src/evaluation/", "apps/", "bindings/", "tests/", "bench/")
        for path in sources.files(folders=("src",)):
            if path.relative_to(sources.ROOT).as_posix().startswith(above):
                continue
            used = layers.public_headers_used(path)
            self.assertFalse(used & {"document", "retrieval"} and used & {"model", "gguf"}, path)


class TheCheckItself(unittest.TestCase):
    """A layer test that finds nothing must be one that could."""

    def violations(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            table = {"src/low": set(), "src/high": {"low"},
                     "apps/json": set(), "apps/cli": {"json"}}
            return layers.violations(table, root)

    def test_downward_and_public_includes_pass(self):
        self.assertEqual(self.violations({
            "include/whereof/a.h": "#include <vector>\n",
            "src/low/low.h": '#include "whereof/a.h"\n',
            "src/high/high.cc": '#include "low/low.h"\n#include "whereof/a.h"\n',
            "apps/cli/own.h": "",
            "apps/json/json.h": "",
            "apps/cli/main.cc": '#include "own.h"\n#include "json/json.h"\n'
                                '#include "whereof/a.h"\n'}), [])

    def test_what_it_finds(self):
        header = {"src/high/high.h": "", "src/low/low.h": "", "include/whereof/a.h": "",
                  "apps/cli/main.h": ""}
        for name, text in (("src/low/low.cc", '#include "high/high.h"'),
                           ("src/low/low.cc", '  #  include "high/high.h"'),
                           ("src/low/low.cc", '#include "low/missing.h"'),
                           ("src/low/low.cc", "#include <whereof/a.h>"),
                           ("include/whereof/b.h", '#include "low/low.h"'),
                           ("apps/cli/main.cc", '#include "low/low.h"'),
                           ("apps/json/a.cc", '#include "cli/main.h"'),
                           ("src/elsewhere/a.cc", "")):
            with self.subTest(name=name, text=text):
                self.assertEqual(len(self.violations({**header, name: text + "\n"})), 1)

    def test_cycles_are_found(self):
        self.assertEqual(layers.cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c", "b"])
        self.assertEqual(layers.cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}), [])


if __name__ == "__main__":
    unittest.main()
