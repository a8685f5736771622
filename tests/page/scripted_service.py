"""The page's service with scripted answers: the HTTP contract of docs/service.md without a model.

It gives what a real model cannot be made to give on demand: answers full of markup, failures in the
middle of a stream, a document of 200 pages at once. Every request is kept for the tests to read.
"""

import json
import pathlib
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import scripted_answers
import scripted_documents
from scripted_pictures import page_picture

PAGE = pathlib.Path(__file__).resolve().parents[2] / "apps" / "page"
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
PLANTED = ('It is <img src="https://images.example/answer.png" onerror="alert(1)"> 100 euros '
           '![x](https://images.example/answer.png)<script>document.title="taken"</script>.')


class ScriptedService(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, documents=(), key=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.documents = {document.id: document for document in documents}
        self.reading = set()   # ids of uploads whose reading no one has followed yet
        self.key = key
        self.requests = []     # (method, path, JSON body or None)
        self.event_seconds = 0.02
        self.picture_asked = threading.Event()
        self.holds_documents = False  # until a picture is asked for
        self.was_asked_early = None
        self.list_seconds = 0  # until the list of files is sent, as it was when it was asked for
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/"

    def bodies(self, path):
        """Of what was posted there."""
        return [body for method, requested, body in self.requests
                if method == "POST" and requested == path]

    def handle_error(self, request, client_address):
        """A browser that hangs up is no failure of a test."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def send(self, data, kind, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)

    def send_json(self, value, status=200):
        self.send(json.dumps(value).encode(), "application/json", status)

    def fail(self, status, message, code="scripted"):
        self.send_json({"error": {"message": message, "type": "invalid_request_error",
                                  "param": None, "code": code}}, status)

    def send_events(self, events):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b": keep-alive\n\n")
        for name, value in events:
            self.wfile.write(f"event: {name}\ndata: {json.dumps(value)}\n\n".encode())
            self.wfile.flush()
            time.sleep(self.server.event_seconds)
        self.close_connection = True

    def is_allowed(self):
        key = self.server.key
        if key is None or not self.path.startswith("/v1/"):
            return True
        if self.headers.get("Authorization") == f"Bearer {key}":
            return True
        self.fail(401, "a key is needed")
        return False

    def do_GET(self):
        self.server.requests.append(("GET", self.path, None))
        if not self.is_allowed():
            return
        address = urllib.parse.urlsplit(self.path)
        parts = [urllib.parse.unquote(part) for part in address.path.strip("/").split("/")]
        query = dict(urllib.parse.parse_qsl(address.query))
        if parts == [""]:
            self.send_page("index.html")
        elif parts[0] == "app" and len(parts) == 2:
            self.send_page(parts[1])
        elif parts[:2] == ["v1", "models"]:
            self.send_json({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        elif parts[:2] == ["v1", "files"]:
            self.send_file(parts[2:])
        elif parts[:2] == ["v1", "documents"] and parts[2] in self.server.documents:
            self.send_document(self.server.documents[parts[2]], parts[3:], query)
        else:
            self.fail(404, f"nothing at {self.path}")

    def send_page(self, name):
        file = PAGE / name
        if not file.is_file():
            self.fail(404, f"no file {name}")
        else:
            self.send(file.read_bytes(), TYPES[file.suffix])

    def send_file(self, rest):
        documents = self.server.documents
        if not rest:
            listed = [document.file() for document in documents.values()]
            time.sleep(self.server.list_seconds)
            self.send_json({"object": "list", "data": listed})
        elif rest[0] not in documents:
            self.fail(404, f"no file {rest[0]}")
        elif rest[1:] == ["events"]:
            self.server.reading.discard(rest[0])
            steps = [("progress", {"done": i, "total": 4, "seconds_left": (4 - i) / 50})
                     for i in range(1, 5)]
            self.send_events([*steps, ("file", documents[rest[0]].file()), ("done", {})])
        else:
            self.send_json(documents[rest[0]].file())

    def send_document(self, document, rest, query):
        begin, end = int(query.get("begin", 0)), int(query.get("end", len(document.text)))
        if not rest:
            if self.server.holds_documents:
                self.server.was_asked_early = self.server.picture_asked.wait(20)
            self.send_json(document.report())
        elif rest == ["text"]:
            self.send(document.text[begin:end], "text/plain; charset=utf-8")
        elif rest == ["boxes"]:
            self.send_json({"boxes": document.boxes(begin, end)})
        elif rest == ["definitions"]:
            self.send_json({"definitions": self.definitions(document), "undefined_terms": []})
        elif rest == ["references"]:
            self.send_json({"references": self.references(document)})
        elif rest[0] == "pages":
            self.server.picture_asked.set()
            page = int(rest[1].removesuffix(".png")) - 1
            picture = page_picture(document.pages[page], document.line_boxes(page),
                                   int(query["dpi"]))
            self.send(picture, "image/png")
        else:
            self.fail(404, f"nothing at {self.path}")

    @staticmethod
    def definitions(document):
        if b"pays the Fees" not in document.text:
            return []
        begin = document.text.index(b"the Fees")
        use = document.text.rindex(b"the Fees")
        return [{"term": "Fees", "clause": "2.1", "text": "the Fees", "text_begin": begin,
                 "text_end": begin + 8,
                 "uses": [{"clause": "4.2", "text_begin": use, "text_end": use + 8}]}]

    @staticmethod
    def references(document):
        if b"Details are in clause 4.1" not in document.text:
            return []
        begin = document.text.index(b"clause 4.1")
        labels = [clause["label"] for clause in document.clauses]
        return [{"text": "clause 4.1", "text_begin": begin, "text_end": begin + 10,
                 "clause": "1.2", "kind": "resolved", "targets": ["4.1"], "missing": [],
                 "clause_index": labels.index("1.2"), "target_indices": [labels.index("4.1")]}]

    def do_DELETE(self):
        self.server.requests.append(("DELETE", self.path, None))
        self.server.documents.pop(self.path.rsplit("/", 1)[1], None)
        self.send_json({"deleted": True})

    def do_POST(self):
        data = self.rfile.read(int(self.headers["Content-Length"]))
        is_json = self.headers["Content-Type"].startswith("application/json")
        body = json.loads(data) if is_json else None
        self.server.requests.append(("POST", self.path, body))
        if not self.is_allowed():
            return
        if self.path == "/v1/files":
            self.take_upload(data)
        elif self.path in ("/v1/ask", "/v1/why"):
            self.send_events(self.answered(body))
        elif self.path.startswith("/v1/documents/") and self.path.endswith("/map"):
            self.send_events(self.mapped(self.path.split("/")[3]))
        else:
            self.fail(404, f"nothing at {self.path}")

    def take_upload(self, data):
        """The text of a document of lines; one that begins with %PDF gets pages."""
        name = data.split(b'filename="', 1)[1].split(b'"', 1)[0].decode()
        content = data.rsplit(b"\r\n\r\n", 1)[1].rsplit(b"\r\n--", 1)[0]
        if name.endswith(".exe"):
            self.fail(400, f"{name}: no document that can be read: its first bytes are MZ")
            return
        has_pages = content.startswith(b"%PDF")
        lines = content.decode().splitlines()[1 if has_pages else 0:]
        document = scripted_documents.ScriptedDocument(name, "PDF" if has_pages else "text", lines,
                                                       has_pages)
        self.server.documents[document.id] = document
        self.server.reading.add(document.id)
        self.send_json(document.file("processing"))

    def mapped(self, document):
        yield "queued", {"ahead": 1}
        if len(self.server.documents[document].pages) > 100:
            yield "error", {"error": {"message": "90000 tokens, the window has 8192",
                                      "type": "invalid_request_error", "param": None,
                                      "code": "context_length_exceeded"}}
            return
        yield "progress", {"done": 500, "total": 1000, "seconds_left": 2}
        yield "map", scripted_answers.document_map_of(self.server.documents[document])
        yield "done", {}

    def answered(self, body):
        question = body["question"]
        first = next(iter(self.server.documents.values()))
        document = self.server.documents.get(body.get("document"), first)
        yield "queued", {"ahead": 0}
        yield "plan", scripted_answers.PLAN
        for done in range(0, 2500, 500):
            yield "progress", {"done": done, "total": 2500, "seconds_left": (2500 - done) / 900}
        if "break" in question:
            yield "error", {"error": {"message": "the model file changed while it was read",
                                      "type": "server_error", "param": None, "code": None}}
            return
        answer = self.answer(document, question)
        if "clause" in body:
            answer["diagnosis"] = scripted_answers.diagnosis_of(body["clause"])
        for word in (answer["answer"] or answer["withheld"]).split(" "):
            yield "text", {"delta": word + " "}
        yield "answer", answer
        yield "done", {}

    @staticmethod
    def answer(document, question):
        answer_of = scripted_answers.answer_of
        if "pet" in question:
            sentence = ("The agreement allows cats.", [], {"3.2": 0.1})
            answer = answer_of(document, question, [sentence], "no_basis",
                               reasons=["no passage carries the answer"])
            answer["nearest"] = [document.citation("Details are in clause 4.1", 0.03, 1.2)]
            return answer
        if document.kind == "text":
            cited = document.citation("The price is 100 euros.", 0.6)
            return answer_of(document, question, [(PLANTED, [cited], {"1.1": 0.6})])
        if "协议" in document.name:
            cited = document.citation("转让价款为人民币五千万元", 0.7)
            return answer_of(document, question, [("价款为人民币五千万元。", [cited],
                                                   {"第二条": 0.7})], language="zh",
                             reasons=["文件回答此问题的概率为 0.91"])
        notice = document.citation("Either party may end it by sixty days' written notice.", 0.52)
        law = document.citation("English law governs this Agreement.", 0.38)
        alarm = {"kind": "attention_collapse", "layer": 7, "figure": 0.2, "threshold": 0.4,
                 "text": "layer 7 looks at few tokens only: entropy 0.20, usually over 0.40"}
        return answer_of(document, question, [
            ("Either party may end it by sixty days' notice.", [notice], {"3.2": 0.55, "3.1": 0.1}),
            ("English law governs it.", [law], {"5.1": 0.6})], alarms=[alarm])
