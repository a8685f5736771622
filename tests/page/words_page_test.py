"""The words of the page in both languages, and the streams it reads."""

import re
import unittest

from browser import PageCase
from scripted_service import PAGE

# Keys that are put together at run time: their beginnings.
JOINED = ("verdict_", "about_", "theme_", "diagnosis_", "route_", "passage_", "pane_", "view_",
          "export_", "column_")


class Words(PageCase):
    def load(self, module, name):
        return self.browser.execute_async_script(
            "const done = arguments[2];"
            "import(arguments[0]).then((m) => done(m[arguments[1]]))", module, name)

    def test_both_languages_say_the_same(self):
        english = self.load("/app/words_en.js", "kEnglish")
        chinese = self.load("/app/words_zh.js", "kChinese")
        self.assertEqual(sorted(english), sorted(chinese))
        for key, text in english.items():
            with self.subTest(key=key):
                holes = set(re.findall(r"\{(\w+)\}", text))
                self.assertEqual(holes, set(re.findall(r"\{(\w+)\}", chinese[key])))

    def test_each_word_is_used_and_each_used_word_is_there(self):
        english = self.load("/app/words_en.js", "kEnglish")
        sources = "\n".join(file.read_text(encoding="utf-8") for file in PAGE.iterdir()
                            if not file.name.startswith("words_") and file.suffix != ".svg")
        used = set(re.findall(r"words\('(\w+)'", sources))
        used |= set(re.findall(r'data-(?:words|label|place)="(\w+)"', sources))
        self.assertEqual(sorted(used - set(english)), [])
        literals = set(re.findall(r"['\"](\w+)['\"]", sources)) | {"language_name"}
        unused = [key for key in english if key not in used | literals
                  and not key.startswith(JOINED)]
        self.assertEqual(unused, [])


class Modules(unittest.TestCase):
    def test_each_module_is_asked_for_at_once(self):
        """Else the browser finds them one import after the other."""
        index = (PAGE / "index.html").read_text(encoding="utf-8")
        named = re.findall(r'(?:modulepreload" href|module" src)="/app/(\w+\.js)"', index)
        self.assertEqual(sorted(named), sorted(file.name for file in PAGE.glob("*.js")))


class Streams(PageCase):
    def read(self, pieces):
        return self.browser.execute_async_script("""
            const [pieces, done] = arguments;
            const bytes = pieces.map((piece) => new Uint8Array(piece));
            const body = new ReadableStream({ start(control) {
              for (const piece of bytes) control.enqueue(piece);
              control.close();
            } });
            import('/app/sse.js').then(async ({ readEvents }) => {
              const events = [];
              for await (const event of readEvents(new Response(body))) {
                events.push([event.kind, event.data]);
              }
              done(events);
            });""", pieces)

    def test_events_cut_anywhere_are_the_same(self):
        data = (": keep-alive\r\n\r\nevent: text\ndata: {\"delta\":\"Änderung 合同\"}\n\n"
                "data: a\ndata: b\n\nevent: none\n\nid: 7\ndata:c\n\n").encode()
        expected = [["text", '{"delta":"Änderung 合同"}'], ["message", "a\nb"], ["message", "c"]]
        self.assertEqual(self.read([list(data)]), expected)
        self.assertEqual(self.read([[byte] for byte in data]), expected)
        for cut in range(0, len(data), 7):
            self.assertEqual(self.read([list(data[:cut]), list(data[cut:])]), expected)

    def test_an_event_that_is_not_ended_is_none(self):
        self.assertEqual(self.read([list(b"data: a\n\ndata: b\n")]), [["message", "a"]])


if __name__ == "__main__":
    unittest.main()
