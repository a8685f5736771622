"""whereof clauses, on the examples."""

import base64
import json
import struct
import unittest
import zlib
from xml.etree import ElementTree

from program import EXAMPLES, ProgramTest


class Clauses(ProgramTest):
    def clauses_of(self, name):
        result = self.run_program("clauses", EXAMPLES / name, "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return json.loads(result.stdout)

    def test_the_three_forms_of_a_contract_have_the_same_clauses(self):
        for stem in ("acquisition-agreement", "收购协议"):
            labels = {
                kind: [
                    clause["label"]
                    for clause in self.clauses_of(stem + kind)["clauses"]
                    if clause["kind"] in ("clause", "schedule", "part")
                ]
                for kind in (".txt", ".pdf", ".docx")
            }
            self.assertGreater(len(labels[".txt"]), 50)
            self.assertEqual(labels[".pdf"], labels[".txt"])
            self.assertEqual(labels[".docx"], labels[".txt"])

    def test_clauses_know_their_pages(self):
        document = self.clauses_of("acquisition-agreement.pdf")
        pages = {clause["label"]: clause["first_page"] for clause in document["clauses"]}
        self.assertGreaterEqual(document["pages"], 40)
        self.assertLess(int(pages["3"]), int(pages["11"]))

    def test_the_tree_is_indented(self):
        result = self.run_program("clauses", EXAMPLES / "acquisition-agreement.txt")
        lines = result.stdout.decode().splitlines()
        self.assertTrue(any(line.startswith("3 ") for line in lines))
        self.assertTrue(any(line.startswith("  3.1 ") for line in lines))

    def test_definitions_and_references_name_clauses_that_exist(self):
        result = self.run_program("clauses", EXAMPLES / "acquisition-agreement.txt", "--json",
                                  "--definitions", "--references")
        document = json.loads(result.stdout)
        labels = {clause["label"] for clause in document["clauses"]} | {"preamble"}
        self.assertGreater(len(document["definitions"]), 20)
        self.assertGreater(len(document["references"]), 20)
        for definition in document["definitions"]:
            self.assertIn(definition["term"], definition["text"])
        for reference in document["references"]:
            self.assertTrue(set(reference["targets"]) <= labels)
            self.assertEqual(reference["kind"] == "resolved",
                             bool(reference["targets"]) and not reference["missing"])

    def test_references_that_lead_nowhere_are_listed(self):
        text = "1. Sale\n\nUnder Section 9 the Buyer pays.\n\n2. End\n\nSee Exhibit B.\n"
        result = self.run_program("clauses", "-", "--references", input=text.encode())
        output = result.stdout.decode()
        self.assertIn("Lead to no clause (1):\n  1: Section 9\n", output)
        self.assertIn("Not in this file (1):\n  2: Exhibit B\n", output)

    def test_the_graph_is_a_picture(self):
        result = self.run_program("clauses", EXAMPLES / "收购协议.txt", "--graph")
        root = ElementTree.fromstring(result.stdout)
        paths = root.findall("{http://www.w3.org/2000/svg}path")
        self.assertGreater(len(paths), 3)

    def test_a_page_is_drawn_with_its_clauses(self):
        for name, page, labels in (("acquisition-agreement.pdf", 12, {"5.6(b)", "6", "6.1(e)"}),
                                   ("收购协议.pdf", 8, {"第六条", "第六条第一款（四）"})):
            result = self.run_program("clauses", EXAMPLES / name, "--picture", page)
            self.assertEqual(result.returncode, 0, result.stderr.decode())
            root = ElementTree.fromstring(result.stdout)
            space = "{http://www.w3.org/2000/svg}"
            self.assertLessEqual(labels, {text.text for text in root.findall(space + "text")})
            height = float(root.get("viewBox").split()[3])
            for box in root.findall(space + "rect"):
                self.assertLess(float(box.get("y")) + float(box.get("height")), height)
            columns, rows, pixels = self.pixels_of(root.find(space + "image").get("href"))
            self.assertAlmostEqual(rows / columns, height / 595.3, delta=0.01)
            dark = sum(byte < 0x88 for byte in pixels)
            self.assertGreater(dark, 5000)
            self.assertLess(dark, len(pixels) / 4)

    def pixels_of(self, link):
        png = base64.b64decode(link.removeprefix("data:image/png;base64,"), validate=True)
        chunks, at = {}, 8
        while at < len(png):
            length, name = struct.unpack(">I4s", png[at:at + 8])
            content = png[at + 8:at + 8 + length]
            (checksum,) = struct.unpack(">I", png[at + 8 + length:at + 12 + length])
            self.assertEqual(checksum, zlib.crc32(name + content))
            chunks[name] = content
            at += 12 + length
        columns, rows = struct.unpack(">II", chunks[b"IHDR"][:8])
        pixels = zlib.decompress(chunks[b"IDAT"])  # checks the sum that ends them
        self.assertEqual(len(pixels), rows * ((columns + 1) // 2 + 1))
        return columns, rows, pixels

    def test_pictures_are_of_pages_that_a_pdf_has(self):
        result = self.run_program("clauses", EXAMPLES / "acquisition-agreement.pdf",
                                  "--picture", 56)
        self.assert_one_clear_line(result, 2, "page 56", "has 55")
        result = self.run_program("clauses", EXAMPLES / "acquisition-agreement.txt",
                                  "--picture", 1)
        self.assert_one_clear_line(result, 2, "pages of a PDF")


if __name__ == "__main__":
    unittest.main()
