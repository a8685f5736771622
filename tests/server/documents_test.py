"""What is told of a document: text, clauses, definitions, references, places, pictures."""

import struct
import unittest

from service import EXAMPLES, ServiceTest

PNG = b"\x89PNG\r\n\x1a\n"


class Documents(ServiceTest):
    def setUp(self):
        super().setUp()
        self.start()
        content = (EXAMPLES / "acquisition-agreement.pdf").read_bytes()
        self.id = self.upload("agreement.pdf", content).json()["id"]
        self.assertEqual(self.processed(self.id)["status"], "processed")
        self.document = self.get(f"/v1/documents/{self.id}").json()
        self.text = self.get(f"/v1/documents/{self.id}/text").body

    def path(self, rest):
        return f"/v1/documents/{self.id}{rest}"

    def test_the_document(self):
        self.assertEqual(self.document["id"], self.id)
        self.assertEqual(self.document["type"], "PDF")
        self.assertEqual(self.document["content_hash"][:24], self.id[5:])
        self.assertEqual(self.document["characters"], len(self.text.decode()))
        self.assertEqual(len(self.document["pages"]), self.document["report"]["pages"])
        for page in self.document["pages"]:
            self.assertGreater(page["width"], 0)
            self.assertLessEqual(page["text_begin"], page["text_end"])

    def test_clauses_lie_in_the_text(self):
        clauses = self.document["clauses"]
        self.assertGreater(len(clauses), 20)
        self.assertEqual(self.get(self.path("/clauses")).json(), {"clauses": clauses})
        for index, clause in enumerate(clauses):
            self.assertLess(clause["parent"], index)
            self.assertLessEqual(clause["text_begin"], clause["own_text_end"])
            self.assertLessEqual(clause["own_text_end"], clause["text_end"])
            words = self.text[clause["text_begin"]:clause["text_end"]].decode()
            if clause["kind"] == "clause":
                self.assertIn(clause["number"], words)

    def test_spans_of_the_text(self):
        for begin, end in ((0, 0), (0, 10), (5, len(self.text)), (len(self.text), len(self.text))):
            answer = self.get(self.path(f"/text?begin={begin}&end={end}"))
            self.assertEqual(answer.body, self.text[begin:end])
        inside = next(i for i, byte in enumerate(self.text) if byte & 0xC0 == 0x80)
        for query in (f"begin={len(self.text) + 1}", "begin=5&end=4", "begin=-1", "end=x", "end=",
                      "begin=+1", "begin=1.5", "begin=0x1", "end=99999999999999999999",
                      "begin=NaN", f"begin={inside}", f"end={inside}"):
            with self.subTest(query=query):
                self.assert_error(self.get(self.path(f"/text?{query}")), 400, "invalid_value")
                self.assert_error(self.get(self.path(f"/boxes?{query}")), 400, "invalid_value")

    def test_definitions_and_references(self):
        told = self.get(self.path("/definitions")).json()
        self.assertGreater(len(told["definitions"]), 3)
        for definition in told["definitions"]:
            words = self.text[definition["text_begin"]:definition["text_end"]].decode()
            self.assertIn(definition["term"].split()[0], words)
        self.assertIn("undefined_terms", told)
        clauses = self.document["clauses"]
        references = self.get(self.path("/references")).json()["references"]
        self.assertGreater(len(references), 3)
        for reference in references:
            self.assertEqual(len(reference["targets"]), len(reference["target_indices"]))
            for name, index in zip(reference["targets"], reference["target_indices"]):
                self.assertIn(clauses[index]["label"], (name, ""))

    def test_boxes(self):
        clause = self.document["clauses"][3]
        boxes = self.get(self.path(f"/boxes?begin={clause['text_begin']}"
                                   f"&end={clause['own_text_end']}")).json()["boxes"]
        self.assertTrue(boxes)
        for box in boxes:
            self.assertTrue(clause["first_page"] <= box["page"] <= clause["last_page"])
            page = self.document["pages"][box["page"] - 1]
            self.assertLess(page["text_begin"], clause["own_text_end"])
            self.assertGreater(page["text_end"], clause["text_begin"])
            self.assertLess(0, box["left"])
            self.assertLess(box["left"], box["right"])
            self.assertLess(box["right"], page["width"])
            self.assertLess(box["top"], box["bottom"])
            self.assertLess(box["bottom"], page["height"])

    def test_pictures(self):
        pages = len(self.document["pages"])
        page = self.document["pages"][pages - 1]
        for dots in (36, 96):
            answer = self.get(self.path(f"/pages/{pages}.png?dpi={dots}"))
            self.assertEqual((answer.status, answer.headers["content-type"]), (200, "image/png"))
            self.assertTrue(answer.body.startswith(PNG))
            columns, rows = struct.unpack(">II", answer.body[16:24])
            self.assertAlmostEqual(columns, page["width"] * dots / 72, delta=2)
            self.assertAlmostEqual(rows, page["height"] * dots / 72, delta=2)
        again = self.get(self.path(f"/pages/{pages}.png?dpi=96"),
                         **{"If-None-Match": answer.headers["etag"]})
        self.assertEqual((again.status, again.body), (304, b""))
        for number in ("0", str(pages + 1), "-1", "x", "1e3", "0x1", "99999999999999999999", "1.0"):
            self.assert_error(self.get(self.path(f"/pages/{number}.png")), 400, "invalid_value")
        for dots in ("0", "9", "301", "x", "-5", "1e308", ""):
            self.assert_error(self.get(self.path(f"/pages/1.png?dpi={dots}")), 400)
        self.assert_error(self.get(self.path("/pages/1.jpg")), 404)
        self.assert_error(self.get(self.path("/pages/.png")), 404)

    def test_documents_without_pages(self):
        file_id = self.upload("a.txt", b"1. One\nA line.\n\n2. Two\nAnother.\n").json()["id"]
        self.processed(file_id)
        document = self.get(f"/v1/documents/{file_id}").json()
        self.assertEqual(document["pages"], [])
        self.assertEqual({clause["first_page"] for clause in document["clauses"]}, {None})
        self.assert_error(self.get(f"/v1/documents/{file_id}/pages/1.png"), 404, "no_pages")
        self.assertEqual(self.get(f"/v1/documents/{file_id}/boxes").json(), {"boxes": []})

    def test_a_file_that_was_replaced_is_shown_no_more(self):
        content = next((self.library.parent / "files").rglob("content.pdf"))
        content.write_bytes(b"%PDF-1.4 other bytes")
        self.assert_error(self.get(self.path("/pages/1.png")), 409, "file_changed")
        self.assertEqual(self.get(self.path("/text")).body, self.text)


class Page(ServiceTest):
    def test_the_page_and_its_files(self):
        self.start()
        answer = self.get("/")
        self.assertEqual((answer.status, answer.headers["content-type"]),
                         (200, "text/html; charset=utf-8"))
        policy = answer.headers["content-security-policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(answer.headers["x-content-type-options"], "nosniff")
        self.assertEqual(answer.headers["referrer-policy"], "no-referrer")
        again = self.get("/", **{"If-None-Match": answer.headers["etag"]})
        self.assertEqual((again.status, again.body), (304, b""))
        head = self.request("HEAD", "/")
        self.assertEqual((head.status, head.body), (200, b""))
        self.assertEqual(int(head.headers["content-length"]), len(answer.body))

    def test_the_files_are_those_of_the_source(self):
        from service import SOURCE
        self.start()
        types = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
        folder = SOURCE / "apps" / "page"
        for path in folder.iterdir():
            if path.suffix not in types:
                continue
            answer = self.get(f"/app/{path.name}")
            self.assertEqual(answer.headers["content-type"], types[path.suffix])
            self.assertEqual(answer.body, path.read_bytes(), path.name)

    def test_names_that_are_no_files(self):
        self.start()
        for name in ("", "..", "../index.html", "%2e%2e/index.html", "app.js/", "nothing.js",
                     "/etc/passwd", "APP.JS"):
            self.assert_error(self.get(f"/app/{name}"), 404)


if __name__ == "__main__":
    unittest.main()
