"""Bytes that two programs could understand in two ways are refused, and nothing hides in them."""

import unittest

from service import ServiceTest

HIDDEN = b"GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"


def post(*headers, body=b"", path=b"/v1/files"):
    head = [b"POST " + path + b" HTTP/1.1", b"Host: localhost", *headers]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


class Smuggling(ServiceTest):
    def setUp(self):
        super().setUp()
        self.start()

    def assert_refused(self, data, status=400):
        """One answer with this status, and the connection is closed behind it."""
        answer = self.send_raw(data)
        self.assertTrue(answer.startswith(b"HTTP/1.1 %d " % status), answer[:200])
        self.assertEqual(answer.count(b"HTTP/1.1 "), 1, answer)
        self.assertIn(b"Connection: close", answer)
        self.assert_well()

    def test_both_lengths(self):
        for headers in ((b"Content-Length: 5", b"Transfer-Encoding: chunked"),
                        (b"Transfer-Encoding: chunked", b"Content-Length: 5")):
            self.assert_refused(post(*headers, body=b"0\r\n\r\n" + HIDDEN))

    def test_two_lengths(self):
        self.assert_refused(post(b"Content-Length: 5", b"Content-Length: 6", body=HIDDEN))
        self.assert_refused(post(b"Content-Length: 5", b"Content-Length: 5", body=HIDDEN))
        self.assert_refused(post(b"Content-Length: 5, 5", body=HIDDEN))

    def test_lengths_that_are_no_plain_digits(self):
        for length in (b"+5", b"-1", b"0x5", b"5 5", b"5a", b"", b"5.0", b"1e3", b"\xd9\xa5",
                       b"18446744073709551617", b"99999999999999999999"):
            with self.subTest(length=length):
                self.assert_refused(post(b"Content-Length: " + length, body=b"aaaaa" + HIDDEN))

    def test_codings_other_than_chunked(self):
        for coding in (b"gzip", b"identity", b"xchunked", b"chunked, gzip", b"gzip, chunked",
                       b"chunked;q=1", b"\"chunked\""):
            with self.subTest(coding=coding):
                self.assert_refused(post(b"Transfer-Encoding: " + coding, body=HIDDEN), 501)

    def test_two_codings(self):
        self.assert_refused(post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked",
                                 body=b"0\r\n\r\n" + HIDDEN))

    def test_chunked_by_http_1_0(self):
        self.assert_refused(b"POST /v1/files HTTP/1.0\r\nHost: localhost\r\n"
                            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN)

    def test_chunk_sizes(self):
        for size in (b"+5", b"-5", b"0x5", b" 5", b"5 ", b"", b"g", b"5\x00", b"fffffffff",
                     b"5" + b";a" * 200):
            with self.subTest(size=size):
                self.assert_refused(post(b"Transfer-Encoding: chunked",
                                         body=size + b"\r\naaaaa\r\n0\r\n\r\n" + HIDDEN))

    def test_chunk_ends(self):
        for body in (b"5\r\naaaaaX\r\n0\r\n\r\n", b"5\naaaaa\r\n0\r\n\r\n",
                     b"5\r\naaaaa\n0\r\n\r\n", b"0\r\nTrailer: x\r\n\r\n", b"0\r\n\n"):
            with self.subTest(body=body):
                self.assert_refused(post(b"Transfer-Encoding: chunked", body=body + HIDDEN))

    def test_bare_line_feeds(self):
        for data in (b"GET /health HTTP/1.1\nHost: localhost\n\n",
                     b"GET /health HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n",
                     b"GET /health HTTP/1.1\r\nHost: localhost\r\n\n"):
            with self.subTest(data=data):
                self.assert_refused(data)

    def test_control_characters_and_shapes_of_headers(self):
        for header in (b"X: a\rb", b"X: a\x00b", b"X : y", b" X: y", b"X", b": y", b"X\t: y",
                       b"X: y\r\n folded", b"X: y\r\n\tfolded", b"X\x80: y", b"X: \x7f"):
            with self.subTest(header=header):
                self.assert_refused(b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + header
                                    + b"\r\n\r\n")

    def test_request_lines(self):
        for line in (b"GET /health", b"GET  /health HTTP/1.1", b"GET /health  HTTP/1.1",
                     b"GET\t/health HTTP/1.1", b"G@T /health HTTP/1.1", b"GET health HTTP/1.1",
                     b"GET http://localhost/health HTTP/1.1", b"GET * HTTP/1.1",
                     b"GET /a#b HTTP/1.1", b"GET /%zz HTTP/1.1", b"GET /%00 HTTP/1.1",
                     b"GET /%ff HTTP/1.1", b"GET /\xc3\xa4 HTTP/1.1", b"GET /?a=1&a=2 HTTP/1.1",
                     b"GET /health HTTP/1.1 ", b"GET /health http/1.1", b"\r\n\r\nGET / HTTP/1.1"):
            with self.subTest(line=line):
                self.assert_refused(line + b"\r\nHost: localhost\r\n\r\n")

    def test_other_versions(self):
        for version in (b"HTTP/2.0", b"HTTP/1.2", b"HTTP/0.9", b"HTTP/1.10"):
            with self.subTest(version=version):
                self.assert_refused(b"GET /health " + version + b"\r\nHost: localhost\r\n\r\n",
                                    505)
        self.assert_refused(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505)

    def test_no_host_and_two_hosts(self):
        self.assert_refused(b"GET /health HTTP/1.1\r\n\r\n")
        self.assert_refused(b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n")

    def test_random_bytes(self):
        for data in (b"\x00" * 100 + b"\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n",
                     b"\xff\xfe\r\n\r\n", b"SSH-2.0-x\r\n\r\n"):
            with self.subTest(data=data):
                self.assert_refused(data)

    def test_a_body_that_was_refused_is_not_read_as_a_request(self):
        body = HIDDEN * 10
        self.assert_refused(post(b"Content-Length: %d" % len(body), body=body, path=b"/health"),
                            405)
        self.assert_refused(b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                            % len(body) + body, 413)

    def test_requests_one_after_another_on_one_connection(self):
        one = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        last = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        answer = self.send_raw(one * 500 + last)
        self.assertEqual(answer.count(b"HTTP/1.1 200 OK"), 501)
        answer = self.send_raw(b"\r\n" + last)  # an empty line before a request is let pass
        self.assertEqual(answer.count(b"HTTP/1.1 200 OK"), 1)

    def test_byte_by_byte(self):
        connection = self.connect()
        for byte in b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n":
            connection.sendall(bytes([byte]))
        data = b""
        while piece := connection.recv(4096):
            data += piece
        self.assertIn(b" 200 OK", data)


if __name__ == "__main__":
    unittest.main()
