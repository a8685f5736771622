#!/usr/bin/env python3
"""The service under slow clients: how soon /health answers, and what the server takes.

usage: bench/service.py [--binary build/release/apps/cli/whereof] [--sockets 1000] [--requests 2000]
                        [--model NAME [--document examples/acquisition-agreement.pdf]]

Each /health is a connection of its own, from connect() to the end of the answer. The slow sockets
are another process; each sends a byte of a request's head, or of a body, whenever its turn comes,
and connects again when the server has closed it.
"""

import argparse
import http.client
import json
import multiprocessing
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: "
BODY = (b"POST /v1/files HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n")
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def drip(port, count, starts, ready):
    """Runs until it is killed."""
    def fresh(index):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(starts[index % len(starts)])
        connection.setblocking(False)
        return connection

    sockets = [fresh(index) for index in range(count)]
    ready.set()
    while True:
        for index, connection in enumerate(sockets):
            try:
                connection.send(b"x")
            except BlockingIOError:
                pass
            except OSError:
                connection.close()
                sockets[index] = fresh(index)
            if index % 100 == 99:
                time.sleep(0.1)  # all of them send a byte a second


def health_ms(port):
    begin = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(HEALTH)
        data = b""
        while piece := connection.recv(4096):
            data += piece
    if not data.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(data)
    return 1000 * (time.perf_counter() - begin)


def figures_of(times):
    times = sorted(times)
    return {"median_ms": round(times[len(times) // 2], 2),
            "p99_ms": round(times[len(times) * 99 // 100], 2), "worst_ms": round(times[-1], 2)}


def measure(port, requests):
    return figures_of([health_ms(port) for _ in range(requests)])


def memory_mib(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return round(int(status.split("VmRSS:")[1].split()[0]) / 1024, 1)


def with_slow(port, sockets, requests, starts):
    ready = multiprocessing.Event()
    slow = multiprocessing.Process(target=drip, args=(port, sockets, starts, ready), daemon=True)
    slow.start()
    if not ready.wait(60):
        raise RuntimeError("the slow sockets were not let in")
    figures = measure(port, requests)
    slow.kill()
    slow.join()
    return figures


def ask(port, document, model, told):
    """Uploads a document and asks; told gets "asked", then "answered" or what went wrong."""
    content = pathlib.Path(document).read_bytes()
    name = pathlib.Path(document).name
    body = (f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
            ).encode() + content + b"\r\n--b--\r\n"
    connection = http.client.HTTPConnection("127.0.0.1", port)

    def call(method, path, data=None, kind="application/json"):
        connection.request(method, path, data, {"Content-Type": kind} if data else {})
        return connection.getresponse().read()

    file = json.loads(call("POST", "/v1/files", body, "multipart/form-data; boundary=b"))
    while json.loads(call("GET", f"/v1/files/{file['id']}"))["status"] == "processing":
        time.sleep(0.1)
    told.put("asked")
    question = {"document": file["id"], "question": "What is the purchase price?", "model": model}
    answer = call("POST", "/v1/ask", json.dumps(question))
    told.put("answered" if b"event: answer" in answer else answer[-300:].decode())


def beside_an_answer(port, document, model):
    told = multiprocessing.Queue()
    asking = multiprocessing.Process(target=ask, args=(port, document, model, told), daemon=True)
    asking.start()
    if told.get(timeout=120) != "asked":
        raise RuntimeError("the document was not read")
    begin, times = time.monotonic(), []
    while told.empty():
        times.append(health_ms(port))
        time.sleep(0.005)
    if (outcome := told.get()) != "answered":
        raise RuntimeError(outcome)
    asking.join()
    return figures_of(times) | {"requests": len(times),
                                "seconds": round(time.monotonic() - begin, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=ROOT / "build/release/apps/cli/whereof")
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--model", help="measure beside an answer of this model too")
    parser.add_argument("--document", default=ROOT / "examples/acquisition-agreement.pdf")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [arguments.binary, "serve", "--port", "0", "--library", f"{folder}/library.db"],
            stderr=subprocess.PIPE, text=True)
        try:
            port = int(server.stderr.readline().rsplit(":", 1)[1])
            figures = {"idle_mib": memory_mib(server)}
            figures["alone"] = measure(port, arguments.requests)
            figures["slow_heads"] = with_slow(port, arguments.sockets, arguments.requests, [HEAD])
            figures["slow_bodies"] = with_slow(port, arguments.sockets, arguments.requests, [BODY])
            figures["after_mib"] = memory_mib(server)
            if arguments.model:
                figures["beside_an_answer"] = beside_an_answer(port, arguments.document,
                                                               arguments.model)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    sys.exit(main())
