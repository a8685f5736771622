"""whereof text: what was read of a document of each type, and what was not."""

import io
import json
import unittest
import zipfile

from program import EXAMPLES, ProgramTest

HTML = """<h1>Supply</h1><ol><li>Term<li>Price<ol type=a><li>net</ol></ol>
<p>seen<span style="display:none">unseen</span>\u200b"""


def epub(*pages):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        package.writestr("mimetype", "application/epub+zip")
        package.writestr(
            "META-INF/container.xml",
            '<container><rootfiles><rootfile full-path="b/p.opf"/></rootfiles></container>')
        items = "".join(
            f'<item id="i{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>'
            for n in range(len(pages)))
        refs = "".join(f'<itemref idref="i{n}"/>' for n in range(len(pages)))
        package.writestr(
            "b/p.opf",
            f"<package><manifest>{items}</manifest><spine>{refs}</spine></package>")
        for n, page in enumerate(pages):
            package.writestr(f"b/{n}.xhtml", page, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


class Text(ProgramTest):
    def text(self, *arguments, **options):
        result = self.run_program("text", *arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode(), result.stderr.decode()

    def test_text_and_report_of_html(self):
        text, report = self.text(self.write("a.html", HTML))
        self.assertEqual(text, "Supply\n1. Term\n2. Price\na. net\nseen\n")
        self.assertIn("a.html: HTML, no pages in this format or file, 36 characters", report)
        self.assertIn("6 hidden characters kept out", report)
        self.assertIn("1 invisible characters stripped", report)

    def test_pages_are_marked(self):
        text, report = self.text(self.write("a.txt", "1. Term\n<PAGE>\n2. Price\n\f3. End\n"))
        self.assertEqual(
            text,
            "--- page 1 ---\n1. Term\n--- page 2 ---\n2. Price\n--- page 3 ---\n3. End\n")
        self.assertIn("a.txt: text, 3 pages", report)

    def test_boxes_of_a_pdf_lie_on_its_page(self):
        file = EXAMPLES / "acquisition-agreement.pdf"
        rows = [row.split("\t") for row in self.text(file, "--boxes")[0].splitlines()]
        document = json.loads(self.text(file, "--json")[0])
        self.assertGreaterEqual(len(rows), len(document["lines"]))
        width, height = document["pages"][0]["width"], document["pages"][0]["height"]
        for row in rows:
            left, top, right, bottom = map(float, row[1:5])
            self.assertTrue(0 <= left <= right <= width + 1, row)
            self.assertTrue(0 <= top <= bottom <= height + 1, row)

    def test_boxes_where_there_are_none(self):
        text, _ = self.text(self.write("a.html", "<p>one<PAGE><p>two"), "--boxes")
        self.assertEqual(text, "1\t-\t-\t-\t-\tone\n2\t-\t-\t-\t-\ttwo\n")

    def test_json_has_lines_with_their_places(self):
        document = json.loads(self.text(self.write("a.html", HTML), "--json")[0])
        self.assertEqual(document["type"], "HTML")
        self.assertEqual(document["report"]["hidden_characters"], 6)
        line = document["lines"][3]
        self.assertEqual(line["text"], "a. net")
        self.assertEqual((line["level"], line["number_bytes"]), (1, 2))
        self.assertEqual(line["source"], HTML.index("<li>net"))
        self.assertNotIn("page", line)

    def test_an_epub_is_read_in_the_order_of_its_spine(self):
        file = self.write("a.epub", epub("<html><body><p>One<br/>1</p></body></html>",
                                         "<html><body><h1>Two</h1><script/><p>2</p></body></html>"))
        text, report = self.text(file)
        self.assertEqual(text, "One\n1\nTwo\n2\n")
        self.assertIn("a.epub: EPUB", report)

    def test_an_email_from_standard_input(self):
        mail = (b"MIME-Version: 1.0\r\nMessage-ID: <1@x>\r\nSubject: Offer\r\n"
                b"Content-Type: text/html; charset=gb2312\r\n"
                b"Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>=B5=DA=D2=BB=CC=F5</p>\r\n")
        text, report = self.text("-", input=mail)
        self.assertEqual(text, "Subject: Offer\n第一条\n")
        self.assertIn("standard input: e-mail", report)

    def test_nothing_in_a_document_steers_the_terminal(self):
        text, _ = self.text(self.write("a.html", "<p>a&#27;[31mb&#7;\u009bc"))
        self.assertNotIn("\x1b", text)
        self.assertNotIn("\x9b", text)

    def test_what_cannot_be_read_is_one_clear_line(self):
        result = self.run_program("text", self.write("a.html", "<script>x</script>"))
        self.assert_one_clear_line(result, 65, "a.html", "0 characters of text")
        both = self.run_program("text", "a.html", "--json", "--boxes")
        self.assertEqual(both.returncode, 2)


if __name__ == "__main__":
    unittest.main()
