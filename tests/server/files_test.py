"""Uploads: kept whole, read in the background, found again; ids and forms of every wrong kind."""

import http.client
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from service import BINARY, EXAMPLES, PATIENCE, Server, ServiceTest, events, form

CONTRACT = b"""SUPPLY AGREEMENT

1. Term
This Agreement runs for a term of five years from the Effective Date.

2. Price
2.1 The "Price" means 40 euros for each unit.
2.2 Invoices are payable within 30 days, see clause 1.
"""
STRANGE_IDS = ("x", "file-", "file-0", "file-" + "0" * 24, "file-" + "g" * 24, "file-" + "0" * 64,
               "..", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "file-%2f..%2f..", "a" * 8000,
               "%F0%9F%98%80", "' OR 1=1 --", "-1", "null", "file-" + "0" * 23 + "%0a")


class Files(ServiceTest):
    def setUp(self):
        super().setUp()
        self.start()

    def test_the_life_of_a_file(self):
        sent = self.upload("contract.txt", CONTRACT, purpose="assistants").json()
        self.assertRegex(sent["id"], "^file-[0-9a-f]{24}$")
        self.assertEqual((sent["object"], sent["bytes"], sent["filename"], sent["purpose"]),
                         ("file", len(CONTRACT), "contract.txt", "assistants"))
        self.assertAlmostEqual(sent["created_at"], time.time(), delta=PATIENCE)
        file = self.processed(sent["id"])
        self.assertEqual((file["status"], file["status_details"]), ("processed", None))
        self.assertEqual(file["whereof"]["type"], "text")
        self.assertGreater(file["whereof"]["characters"], 100)
        self.assertEqual(self.get("/v1/files").json()["data"], [file])
        document = self.get(f"/v1/documents/{sent['id']}").json()
        self.assertEqual(document["name"], "contract.txt")
        answer = self.request("DELETE", f"/v1/files/{sent['id']}")
        self.assertEqual(answer.json(), {"id": sent["id"], "object": "file", "deleted": True})
        for path in (f"/v1/files/{sent['id']}", f"/v1/documents/{sent['id']}"):
            self.assert_error(self.get(path), 404, "file_not_found")
        self.assertEqual(self.get("/v1/files").json()["data"], [])
        self.assertEqual(os.listdir(self.library.parent / "files"), [])

    def test_the_same_bytes_are_one_file_with_the_last_name(self):
        first = self.upload("one.txt", CONTRACT).json()
        self.processed(first["id"])
        second = self.upload("two.txt", CONTRACT).json()
        self.assertEqual(first["id"], second["id"])
        files = self.get("/v1/files").json()["data"]
        self.assertEqual([(file["filename"], file["status"]) for file in files],
                         [("two.txt", "processed")])
        for i in range(20):  # also while it is being read
            content = CONTRACT + b"%d" % i
            for name in ("three.txt", "four.txt"):
                file_id = self.upload(name, content).json()["id"]
            self.assertEqual(self.processed(file_id)["filename"], "four.txt")
        self.server.end(signal.SIGKILL)
        self.start()
        names = [file["filename"] for file in self.get("/v1/files").json()["data"]]
        self.assertEqual(sorted(names), ["four.txt"] * 20 + ["two.txt"])

    def test_pages_of_the_list(self):
        ids = [self.upload(f"{i}.txt", CONTRACT + b"%d" % i).json()["id"] for i in range(5)]
        for file_id in ids:
            self.processed(file_id)
        everything = [file["id"] for file in self.get("/v1/files").json()["data"]]
        self.assertEqual(set(everything), set(ids))
        seen, after = [], ""
        while True:
            page = self.get(f"/v1/files?limit=2{after}").json()
            seen += [file["id"] for file in page["data"]]
            self.assertEqual(page["last_id"], seen[-1])
            if not page["has_more"]:
                break
            after = f"&after={seen[-1]}"
        self.assertEqual(seen, everything)
        backwards = self.get("/v1/files?order=asc").json()["data"]
        self.assertEqual([file["id"] for file in backwards], everything[::-1])
        self.assertEqual(self.get("/v1/files?purpose=none").json()["data"], [])
        for query in ("limit=0", "limit=-1", "limit=x", "limit=", "limit=1e3", "limit=99999999999",
                      "order=up", "after=file-0"):
            self.assert_error(self.get(f"/v1/files?{query}"), 400, "invalid_value")

    def test_names_never_become_paths(self):
        for name, kept in (("../../evil.txt", "evil.txt"), ("/etc/passwd", "passwd"),
                           ("C:\\temp\\a.txt", "a.txt"), ("..", "document"), ("", "document"),
                           ("a\tb.txt", "a\ufffdb.txt"), ("Vertrag ü 合同.txt", "Vertrag ü 合同.txt"),
                           ("x" * 300 + ".txt", "x" * 200), ("name.../", "document")):
            with self.subTest(name=name):
                content = CONTRACT + name.encode()
                file = self.upload(name, content).json()
                self.assertEqual(self.processed(file["id"])["filename"], kept)
        files = (self.library.parent / "files").rglob("*")
        inside = {path.name for path in files if path.is_file()}
        self.assertLessEqual(inside, {"about.json", "content.txt", "content"})
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"data"})

    def test_names_of_other_character_sets(self):
        body = (b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"; '
                b"filename*=UTF-8''%e5%90%88%e5%90%8c.txt\r\n\r\n" + CONTRACT + b"\r\n--b--\r\n")
        file = self.request("POST", "/v1/files", body,
                            {"Content-Type": "multipart/form-data; boundary=b"}).json()
        self.assertEqual(file["filename"], "合同.txt")

    def test_files_that_cannot_be_read(self):
        for name, content, word in (("broken.pdf", b"%PDF-1.7 nothing", "broken.pdf"),
                                    ("broken.docx", b"PK\x03\x04 nothing", "broken.docx"),
                                    ("x.bin", bytes(range(256)) * 8, "x.bin")):
            with self.subTest(name=name):
                file = self.processed(self.upload(name, content).json()["id"])
                self.assertEqual(file["status"], "error")
                self.assertIn(word, file["status_details"])
                self.assertNotIn("content", file["status_details"])
                self.assertNotIn(str(self.folder), file["status_details"])
                self.assert_error(self.get(f"/v1/documents/{file['id']}"), 409, "file_unreadable")

    def test_forms_of_every_wrong_kind(self):
        good, kind = form("a.txt", CONTRACT)
        two = good.removesuffix(b"------boundary--\r\n") + good
        cases = [
            (good, "application/json", 415), (good, "", 415), (good, "multipart/form-data", 415),
            (good, "multipart/form-data; boundary=", 415),
            (good, "multipart/form-data; boundary=" + "b" * 71, 415),
            (good, "multipart/mixed; boundary=----boundary", 415),
            (good, "multipart/form-data; boundary=other", 400), (b"", kind, 400),
            (good[:-30], kind, 400), (two, kind, 400), (form("a.txt", b"")[0], kind, 400),
            (good.replace(b'; filename="a.txt"', b""), kind, 400),
            (good.replace(b'name="file"', b'name="data"'), kind, 400),
            (good.replace(b"form-data", b"attachment"), kind, 400),
            (b"------boundary\r\n\r\n\r\n------boundary--", kind, 400),
            (b"------boundary\r\n" + b"X: y\r\n" * 5000 + good, kind, 400),
            (b"------boundary", kind, 400), (b"------boundary\r\n", kind, 400),
            (form("a.txt", CONTRACT, purpose="")[0], kind, 400),
            (form("a.txt", CONTRACT, purpose="a b")[0], kind, 400),
            (form("a.txt", CONTRACT, purpose="a" * 65)[0], kind, 400),
            (form("a.txt", CONTRACT, **{f"f{i}": "" for i in range(16)})[0], kind, 400),
        ]
        for number, (body, content_type, status) in enumerate(cases):
            with self.subTest(number=number):
                answer = self.request("POST", "/v1/files", body, {"Content-Type": content_type})
                self.assert_error(answer, status)
        self.assertEqual(self.get("/v1/files").json()["data"], [])

    def test_content_that_looks_like_a_form(self):
        content = b"\r\n------boundar\r\n--\r\n------boundary2" + CONTRACT
        body, kind = form("a.txt", content, boundary="another")
        file = self.request("POST", "/v1/files", body, {"Content-Type": kind}).json()
        self.assertEqual(file["bytes"], len(content))

    def test_a_chunked_upload(self):
        body, kind = form("a.txt", CONTRACT)
        pieces = [body[i:i + 7] for i in range(0, len(body), 7)]
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.request("POST", "/v1/files", iter(pieces),
                           {"Content-Type": kind, "Transfer-Encoding": "chunked"},
                           encode_chunked=True)
        self.assertEqual(json.loads(connection.getresponse().read())["bytes"], len(CONTRACT))
        connection.close()

    def test_ids_that_do_not_exist(self):
        for file_id in STRANGE_IDS:
            file_id = file_id.replace(" ", "%20").replace("'", "%27")
            with self.subTest(file_id=file_id):
                self.assert_error(self.get(f"/v1/files/{file_id}"), 404)
                self.assert_error(self.request("DELETE", f"/v1/files/{file_id}"), 404)
                self.assert_error(self.get(f"/v1/files/{file_id}/events"), 404)
                self.assert_error(self.get(f"/v1/documents/{file_id}"), 404)
                self.assert_error(self.get(f"/v1/documents/{file_id}/pages/1.png"), 404)

    def test_methods_that_a_route_does_not_take(self):
        for method in ("PUT", "PATCH", "TRACE", "CONNECT", "POST", "BREW"):
            answer = self.request(method, "/v1/files/x")
            self.assert_error(answer, 405, "method_not_allowed")
            self.assertEqual(answer.headers["allow"], "GET, DELETE")

    def test_events_of_reading(self):
        content = (EXAMPLES / "acquisition-agreement.pdf").read_bytes()
        file_id = self.upload("agreement.pdf", content).json()["id"]
        answer = self.get(f"/v1/files/{file_id}/events")
        self.assertEqual(answer.headers["content-type"], "text/event-stream")
        told = events(answer.body)
        self.assertEqual(told[-1][0], "file")
        self.assertEqual(told[-1][1]["status"], "processed")
        for name, value in told[:-1]:
            self.assertEqual((name, set(value)), ("progress", {"done", "total", "seconds_left"}))
        again = events(self.get(f"/v1/files/{file_id}/events").body)
        self.assertEqual(again, told[-1:])


class Survival(ServiceTest):
    def test_files_are_found_again_after_a_kill(self):
        self.start()
        kept = self.upload("kept.txt", CONTRACT).json()
        self.processed(kept["id"])
        # Many at once: some are read, some wait, when the process dies.
        ids = [self.upload(f"{i}.txt", CONTRACT + b"%d" % i).json()["id"] for i in range(20)]
        self.server.end(signal.SIGKILL)
        self.start()
        files = {file["id"]: file for file in self.get("/v1/files").json()["data"]}
        self.assertEqual(set(files), {kept["id"], *ids})
        self.assertEqual(files[kept["id"]]["created_at"], kept["created_at"])
        for file_id in ids:
            self.assertEqual(self.processed(file_id)["status"], "processed")
            self.assertIn("Term", self.get(f"/v1/documents/{file_id}/text").body.decode())

    def test_half_of_a_file_is_nothing(self):
        folder = self.library.parent / "files"
        (folder / ".new-abcdef").mkdir(parents=True)
        (folder / ".new-abcdef" / "content.txt").write_bytes(b"half")
        cut = folder / ("0" * 64)
        cut.mkdir()
        (cut / "about.json").write_text('{"file_name": "x"', encoding="utf-8")
        (folder / "somebody's").mkdir()
        self.start()
        self.assertEqual(self.get("/v1/files").json()["data"], [])
        self.assertFalse((folder / ".new-abcdef").exists())
        self.assertTrue((folder / "somebody's").exists())

    def test_a_full_disk(self):
        limited = ["prlimit", "--fsize=200000", "--"]  # no file grows over this: as on a full disk
        environment = self.environment | {"WHEREOF_BINARY": BINARY}
        self.server = Server.__new__(Server)
        process = subprocess.Popen(
            [*limited, BINARY, "serve", "--port", "0", "--library", str(self.library)],
            env=environment, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
        self.server.process = process
        self.addCleanup(self.server.end, signal.SIGKILL)
        self.server.port = int(process.stderr.readline().rsplit(":", 1)[1])
        answer = self.upload("large.txt", b"words " * 100_000)
        self.assert_error(answer, 507, "out_of_space")
        self.assertNotIn(str(self.folder), answer.body.decode())
        self.assert_well()
        self.assertEqual([path.name for path in (self.library.parent / "files").iterdir()], [])
        self.assertEqual(self.upload("small.txt", CONTRACT).status, 200)

    def test_two_servers_on_one_library(self):
        self.start()
        second = subprocess.run([BINARY, "serve", "--port", "0", "--library", self.library],
                                env=self.environment, capture_output=True, text=True,
                                timeout=PATIENCE, check=False)
        self.assertEqual(second.returncode, 74)
        line, = second.stderr.splitlines()
        self.assertIn(f"process {self.server.process.pid}", line)
        self.assertIn(str(self.library), line)
        self.assert_well()
        self.server.end(signal.SIGKILL)
        self.start()  # a server that was killed stands in nobody's way

    def test_documents_of_the_command_line_are_there_too(self):
        path = self.folder / "mine.txt"
        path.write_bytes(CONTRACT)
        subprocess.run([BINARY, "add", "--library", self.library, path], env=self.environment,
                       check=True, capture_output=True, timeout=PATIENCE)
        self.start()
        file, = self.get("/v1/files").json()["data"]
        self.assertEqual((file["filename"], file["status"], file["bytes"]),
                         ("mine.txt", "processed", len(CONTRACT)))
        self.assertEqual(self.get(f"/v1/documents/{file['id']}").json()["name"], "mine.txt")
        self.assertEqual(self.request("DELETE", f"/v1/files/{file['id']}").status, 200)
        self.assertTrue(pathlib.Path(path).exists())  # only what a client sent is deleted

    def test_the_end(self):
        for how in (signal.SIGTERM, signal.SIGINT):
            self.start()
            idle = self.connect()
            self.assert_well()
            self.assertEqual(self.server.end(how), 0)
            self.assertEqual(idle.recv(10), b"")


if __name__ == "__main__":
    unittest.main()
