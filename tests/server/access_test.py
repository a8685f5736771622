"""Names, pages of other sites, and the key."""

import subprocess
import unittest

from service import BINARY, ServiceTest

KEY = "a-key-of-some-length"


class Sources(ServiceTest):
    def with_host(self, host, *headers):
        lines = ["GET /health HTTP/1.1", f"Host: {host}", "Connection: close", *headers]
        return self.status_of(("\r\n".join(lines) + "\r\n\r\n").encode())

    def test_hosts(self):
        self.start("--allow-host", "reader.example")
        port = self.server.port
        for host in ("localhost", f"localhost:{port}", "127.0.0.1", f"127.0.0.1:{port}", "[::1]",
                     "LOCALHOST", "127.9.9.9:80", "reader.example", "reader.example:443"):
            with self.subTest(host=host):
                self.assertEqual(self.with_host(host), 200)
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "",
                     "[::1", "[::2]", "[localhost]", "localhost:x", "localhost:999999",
                     "10.0.0.1", "127.1", "2130706433", "0x7f.1", "localhost.", "a@localhost",
                     "localhost:80@evil.example", "127.0.0.1, evil.example",
                     "other.reader.example"):
            with self.subTest(host=host):
                self.assertEqual(self.with_host(host), 403)

    def test_every_route_looks_at_the_host(self):
        self.start()
        for path in ("/", "/health", "/metrics", "/app/x.js", "/v1/models", "/v1/files",
                     "/v1/documents/x", "/nowhere"):
            answer = self.get(path, Host="evil.example")
            self.assert_error(answer, 403, "foreign_host")

    def test_origins(self):
        self.start("--allow-origin", "https://intranet.example")
        port = self.server.port
        host = f"localhost:{port}"
        for origin in (f"http://localhost:{port}", f"https://localhost:{port}",
                       "https://intranet.example"):
            with self.subTest(origin=origin):
                self.assertEqual(self.with_host(host, f"Origin: {origin}"), 200)
        for origin in ("null", "", "http://evil.example", "http://localhost", "http://localhost:1",
                       f"http://127.0.0.1:{port}", f"file://localhost:{port}",
                       "https://intranet.example.evil.example", "http://intranet.example",
                       f"http://localhost:{port}/", f"http://localhost:{port}, null"):
            with self.subTest(origin=origin):
                self.assertEqual(self.with_host(host, f"Origin: {origin}"), 403)
        self.assertEqual(self.with_host(host, f"Origin: http://{host}", f"Origin: http://{host}"),
                         403)

    def test_a_site_that_is_let_in_is_told_so(self):
        self.start("--allow-origin", "https://intranet.example")
        answer = self.get("/health", Origin="https://intranet.example")
        self.assertEqual(answer.headers["access-control-allow-origin"],
                         "https://intranet.example")
        answer = self.request("OPTIONS", "/v1/files", headers={
            "Origin": "https://intranet.example", "Access-Control-Request-Method": "POST"})
        self.assertEqual(answer.status, 204)
        self.assertIn("Authorization", answer.headers["access-control-allow-headers"])
        self.assertNotIn("access-control-allow-origin", self.get("/health").headers)
        self.assert_error(self.request("OPTIONS", "/v1/files"), 405)


class Keys(ServiceTest):
    def refused_start(self, *arguments, **environment):
        process = subprocess.run([BINARY, "serve", "--port", "0", "--library", self.library,
                                  *arguments], env=self.environment | environment,
                                 capture_output=True, text=True, timeout=60, check=False)
        lines = process.stderr.splitlines()
        self.assertEqual(len(lines), 1, process.stderr)
        return process.returncode, lines[0]

    def key_file(self, text):
        path = self.folder / "key.txt"
        path.write_text(text, encoding="utf-8")
        return path

    def test_no_address_but_loopback_without_a_key(self):
        for host in ("0.0.0.0", "::", "192.0.2.1", "example.invalid"):
            with self.subTest(host=host):
                code, line = self.refused_start("--host", host)
                self.assertEqual(code, 2)
                self.assertIn("--key-file", line)

    def test_an_address_of_another_machine(self):
        code, line = self.refused_start("--host", "192.0.2.1", WHEREOF_KEY=KEY)
        self.assertEqual(code, 2)
        self.assertIn("192.0.2.1", line)

    def test_keys_that_are_none(self):
        for text in ("", "short", "with blanks in the middle", "umlauts-äöü-umlauts", "a" * 257):
            with self.subTest(text=text):
                code, line = self.refused_start("--key-file", self.key_file(text))
                self.assertEqual(code, 2)
                self.assertNotIn(text or "nothing", line)
        self.assertEqual(self.refused_start("--key-file", self.folder / "absent")[0], 66)
        self.assertEqual(self.refused_start(WHEREOF_KEY="short")[0], 2)

    def test_where_the_key_is_asked_for(self):
        self.start("--key-file", self.key_file(KEY + "\nsecond line\n"))
        for path in ("/metrics", "/v1/models", "/v1/files", "/v1/files/x", "/v1/documents/x"):
            answer = self.get(path)
            self.assert_error(answer, 401, "invalid_api_key")
            self.assertEqual(answer.headers["www-authenticate"], "Bearer")
            self.assertNotEqual(self.get(path, Authorization=f"Bearer {KEY}").status, 401)
        for path in ("/", "/health"):
            self.assertEqual(self.get(path).status, 200)

    def test_other_keys(self):
        self.start(WHEREOF_KEY=KEY)
        self.assertEqual(self.get("/v1/files", Authorization=f"bearer {KEY}").status, 200)
        for value in (KEY, f"Basic {KEY}", "Bearer", "Bearer ", f"Bearer {KEY}x",
                      f"Bearer {KEY[:-1]}", f"Bearer {KEY}{KEY}", f"Bearer  {KEY}",
                      f"Bearer {KEY.upper()}", "Bearer " + "a" * 10_000):
            with self.subTest(value=value):
                self.assertEqual(self.get("/v1/files", Authorization=value).status, 401)

    def test_all_addresses(self):
        self.start("--host", "0.0.0.0", WHEREOF_KEY=KEY)
        self.assert_well()
        self.assert_error(self.get("/v1/files"), 401)


if __name__ == "__main__":
    unittest.main()
