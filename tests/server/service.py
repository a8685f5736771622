"""Runs `whereof serve` in a folder of its own and speaks HTTP to it byte by byte."""

import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import unittest

BINARY = os.environ["WHEREOF_BINARY"]
SOURCE = pathlib.Path(os.environ["WHEREOF_SOURCE_DIR"])
EXAMPLES = SOURCE / "examples"
PATIENCE = 120  # seconds until a test gives up; no figure of anything


class Answer:
    """One response: status, headers with names in lower case, body."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Server:
    """A server that has said where it listens."""

    def __init__(self, environment, *arguments):
        self.process = subprocess.Popen([BINARY, "serve", "--port", "0", *map(str, arguments)],
                                        env=environment, stderr=subprocess.PIPE, text=True)
        self.first_lines = []
        for line in self.process.stderr:
            self.first_lines.append(line)
            if "listening at" in line:
                url = line.split()[-1]
                self.port = int(url.rsplit(":", 1)[1])
                return
        self.process.wait(PATIENCE)
        raise AssertionError("no server: " + "".join(self.first_lines))

    def end(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        self.process.stderr.close()
        return code

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def memory_kib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.split("VmRSS:")[1].split()[0])


class ServiceTest(unittest.TestCase):
    """Each test has its own library; self.server is started by start()."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="whereof-serve-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.library = self.folder / "data" / "library.db"
        self.environment = dict(os.environ)
        self.environment["WHEREOF_KEPT"] = str(self.folder / "kept")
        self.environment.pop("WHEREOF_KEY", None)
        self.server = None

    def start(self, *arguments, **environment):
        server = Server(self.environment | environment, "--library", self.library, *arguments)
        self.addCleanup(server.end, signal.SIGKILL)
        self.server = server
        return server

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.server.port), PATIENCE)
        self.addCleanup(connection.close)
        return connection

    def send_raw(self, data):
        """All that the server answers to these bytes until it closes."""
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as connection:
            connection.sendall(data)
            return read_all(connection)

    def status_of(self, data):
        """The status of the first answer; None when there was none."""
        answer = self.send_raw(data)
        return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else None

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path, **headers):
        return self.request("GET", path, headers=headers)

    def upload(self, name, content, **fields):
        body, content_type = form(name, content, **fields)
        return self.request("POST", "/v1/files", body, {"Content-Type": content_type})

    def processed(self, file_id):
        """The file once it was read, well or not."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            file = self.get(f"/v1/files/{file_id}").json()
            if file["status"] != "processing":
                return file
            time.sleep(0.05)
        raise AssertionError(f"{file_id} was not read")

    def assert_error(self, answer, status, code=None):
        self.assertEqual(answer.status, status, answer)
        error = answer.json()["error"]
        self.assertEqual(set(error), {"message", "type", "param", "code"})
        self.assertTrue(error["message"])
        if code is not None:
            self.assertEqual(error["code"], code)
        return error

    def assert_well(self):
        """It answers, and its model, which it may still be loading, comes."""
        ends = time.monotonic() + PATIENCE
        while (answer := self.get("/health")).json() == {"status": "starting"}:
            self.assertEqual(answer.status, 503)
            self.assertLess(time.monotonic(), ends)
            time.sleep(0.05)
        self.assertEqual((answer.status, answer.json()), (200, {"status": "ok"}))


def read_all(connection):
    data = b""
    try:
        while piece := connection.recv(65536):
            data += piece
    except ConnectionResetError:
        pass
    return data


def form(name, content, boundary="----boundary", **fields):
    """A form as a browser sends it, and its type."""
    body = b""
    for field, value in fields.items():
        body += (f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n'
                 f"{value}\r\n").encode()
    body += (f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
             "Content-Type: application/octet-stream\r\n\r\n").encode()
    body += content + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"


def events(data):
    """[(event, value)] of a stream's body."""
    found = []
    for block in data.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n")
                     if ": " in line and not line.startswith(":"))
        if "data" in lines:
            found.append((lines.get("event"), json.loads(lines["data"])))
    return found
