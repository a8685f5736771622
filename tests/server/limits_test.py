"""Published limits, each just under and just over; slow and leaving clients."""

import socket
import time
import unittest

from service import PATIENCE, ServiceTest, form

MIB = 1 << 20
HEAD = 16 << 10
UPLOAD = 64 * MIB


def head_of(size):
    """A GET of /health whose head has this many bytes."""
    start = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: "
    return start + b"a" * (size - len(start) - 4) + b"\r\n\r\n"


class Limits(ServiceTest):
    def setUp(self):
        super().setUp()
        self.start()

    def test_the_head(self):
        self.assertEqual(self.status_of(head_of(HEAD)), 200)
        self.assertEqual(self.status_of(head_of(HEAD + 1)), 431)
        self.assertEqual(self.status_of(b"GET /" + b"a" * 100_000), 431)

    def test_the_number_of_headers(self):
        for more, status in ((98, 200), (99, 431)):
            data = (b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + b"X: y\r\n" * more + b"\r\n")
            self.assertEqual(self.status_of(data), status)

    def test_an_upload_over_the_limit_is_refused_before_it_is_read(self):
        length = UPLOAD + 100_000
        connection = self.connect()
        connection.sendall(b"POST /v1/files HTTP/1.1\r\nHost: localhost\r\n"
                           b"Content-Type: multipart/form-data; boundary=b\r\n"
                           b"Content-Length: %d\r\n\r\n" % length)
        self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 413 "))

    def test_a_chunked_upload_over_the_limit(self):
        connection = self.connect()
        connection.sendall(b"POST /v1/files HTTP/1.1\r\nHost: localhost\r\n"
                           b"Content-Type: multipart/form-data; boundary=b\r\n"
                           b"Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"%x\r\n" % MIB + b"a" * MIB + b"\r\n"
        sent = 0
        try:
            while sent < 80:
                connection.sendall(chunk)
                sent += 1
        except OSError:
            pass
        self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 413 "))
        self.assert_well()

    def test_a_file_of_the_limit_is_kept_and_one_byte_more_is_not(self):
        body, kind = form("large.txt", b"")
        for size, status in ((UPLOAD, 200), (UPLOAD + 1, 413)):
            answer = self.upload("large.txt", b"a" * size)
            self.assertEqual(answer.status, status, answer)
        self.assertLess(len(body) + len(kind), 1000)  # what a form adds is allowed for
        self.assert_well()

    def test_bodies_where_none_is_taken(self):
        for method, path in (("GET", "/health"), ("GET", "/v1/files"), ("GET", "/v1/models"),
                             ("DELETE", "/v1/files/file-1")):
            answer = self.request(method, path, b"{}", {"Content-Type": "application/json"})
            self.assert_error(answer, 413)

    def test_a_compressed_body(self):
        body, kind = form("a.txt", b"text")
        for coding in ("gzip", "deflate", "br", "gzip, identity"):
            answer = self.request("POST", "/v1/files", body,
                                  {"Content-Type": kind, "Content-Encoding": coding})
            self.assert_error(answer, 415)

    def test_expectations(self):
        body, kind = form("a.txt", b"Some text to be kept.")
        connection = self.connect()
        head = (f"POST /v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
                f"Connection: close\r\nExpect: 100-continue\r\n"
                f"Content-Length: {len(body)}\r\n\r\n")
        connection.sendall(head.encode())
        self.assertEqual(connection.recv(1000), b"HTTP/1.1 100 Continue\r\n\r\n")
        connection.sendall(body)
        self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 200 "))
        self.assertEqual(self.status_of(b"POST /v1/files HTTP/1.1\r\nHost: localhost\r\n"
                                        b"Expect: 200-ok\r\nContent-Length: 3\r\n\r\n"), 417)
        # Refused instead of encouraged.
        self.assertEqual(self.status_of(b"POST /v1/files HTTP/1.1\r\nHost: localhost\r\n"
                                        b"Expect: 100-continue\r\n"
                                        b"Content-Length: 99999999999\r\n\r\n"), 413)


class Slow(ServiceTest):
    def drip(self, count, first):
        """Sockets that have sent a piece of a request each."""
        sockets = []
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", self.server.port), PATIENCE)
            self.addCleanup(connection.close)
            connection.sendall(first)
            sockets.append(connection)
        return sockets

    def drip_more(self, sockets, data):
        alive = 0
        for connection in sockets:
            try:
                connection.sendall(data)
                alive += 1
            except OSError:
                pass
        return alive

    def test_a_thousand_heads_that_drip_keep_nobody_out(self):
        self.start()
        sockets = self.drip(1000, b"GET /health HTTP/1.1\r\nHo")
        for _ in range(20):
            self.drip_more(sockets, b"s")
            self.assert_well()
        metrics = self.get("/metrics").body.decode()
        connections = float(metrics.split("\nwhereof_http_connections ")[1].split()[0])
        self.assertLessEqual(connections, 256)
        self.assertIn("whereof_http_evicted_total", metrics)

    def test_a_thousand_bodies_that_drip_keep_nobody_out(self):
        self.start()
        sockets = self.drip(1000, b"POST /v1/files HTTP/1.1\r\nHost: localhost\r\n"
                            b"Content-Type: multipart/form-data; boundary=b\r\n"
                            b"Content-Length: 1000000\r\n\r\n--b")
        for _ in range(20):
            self.drip_more(sockets, b"x")
            self.assert_well()

    def test_clients_that_leave_cost_no_descriptor_and_no_memory(self):
        # A sanitized server would keep what it has freed for a while.
        self.start(ASAN_OPTIONS="quarantine_size_mb=1:thread_local_quarantine_size_kb=64")
        body, kind = form("a.txt", b"word " * 4000)
        head = (f"POST /v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n").encode()
        pieces = (b"", b"GET /hea", head, head + body[:9000], head + body[:100],
                  b"GET /v1/files HTTP/1.1\r\nHost: localhost\r\n\r\n",
                  b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")

        def leave(times):
            for i in range(times):
                connection = socket.create_connection(("127.0.0.1", self.server.port), PATIENCE)
                connection.sendall(pieces[i % len(pieces)])
                connection.close()
            ends = time.monotonic() + PATIENCE
            while self.server.descriptors() > descriptors and time.monotonic() < ends:
                time.sleep(0.05)

        descriptors = self.server.descriptors() + 1  # a listing of them is one more
        leave(200)
        memory = self.server.memory_kib()
        leave(1000)
        self.assertLessEqual(self.server.descriptors(), descriptors)
        self.assertLess(self.server.memory_kib() - memory, 5 * 1024)
        self.assert_well()

    def test_a_client_that_takes_no_answer_is_left(self):
        """It asks for much and reads nothing: others are served, and nothing piles up."""
        self.start()
        text = b"".join(b"%d. A clause that says little and is counted.\n" % i
                        for i in range(40_000))
        file_id = self.upload("long.txt", text).json()["id"]
        self.assertEqual(self.processed(file_id)["status"], "processed")
        request = f"GET /v1/documents/{file_id}/text HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        before = self.server.memory_kib()
        deaf = []
        for _ in range(100):
            connection = socket.create_connection(("127.0.0.1", self.server.port), PATIENCE)
            self.addCleanup(connection.close)
            connection.sendall(request * 3)
            deaf.append(connection)
        for _ in range(20):
            self.assert_well()
        # 300 answers of two million bytes are not held.
        self.assertLess(self.server.memory_kib() - before, 300 * 1024)


if __name__ == "__main__":
    unittest.main()
