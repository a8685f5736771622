"""Many clients at one service: statuses, waits, and whether answers are those that each gets alone.

    whereof serve --port 8717 --model smollm2-135m-instruct-q4_1 &
    python3 bench/service_load.py http://127.0.0.1:8717 --clients 100 --requests 20

A client asks one thing after the other, under a "user" of its own; after a 429 it waits as long as
Retry-After says and asks again, which counts as one wait. Printed: how often each status came, the
median and the longest wait, their ratio, and how many replies differed from the one given alone.
"""

import argparse
import collections
import json
import statistics
import threading
import time
import urllib.error
import urllib.request

WORDS = ("hello", "yes", "no", "red", "blue", "one", "two", "cat", "dog", "sun")


def post(base, fields):
    """(status, object, seconds to wait before the next try)"""
    request = urllib.request.Request(base + "/v1/chat/completions", json.dumps(fields).encode(),
                                     {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=600) as answer:
            return answer.status, json.load(answer), 0
    except urllib.error.HTTPError as error:
        return error.code, json.load(error), float(error.headers.get("Retry-After") or 0)


def asked(word, user):
    return {"messages": [{"role": "user", "content": f"Say only the word {word}."}],
            "max_tokens": 8, "user": user}


def said(reply):
    return reply["choices"][0]["message"]["content"]


class Load:
    def __init__(self, base, requests):
        self.base = base
        self.requests = requests
        self.lock = threading.Lock()
        self.statuses = collections.Counter()
        self.waits = []
        self.different = 0
        self.alone = {word: said(post(base, asked(word, "alone"))[1]) for word in WORDS}

    def client(self, number):
        for place in range(self.requests):
            word = WORDS[(number + place) % len(WORDS)]
            begin = time.monotonic()
            while True:
                status, reply, pause = post(self.base, asked(word, f"client {number}"))
                with self.lock:
                    self.statuses[status] += 1
                if status != 429:
                    break
                time.sleep(pause)
            with self.lock:
                self.waits.append(time.monotonic() - begin)
                self.different += status != 200 or said(reply) != self.alone[word]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("base")
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--requests", type=int, default=20)
    arguments = parser.parse_args()
    load = Load(arguments.base, arguments.requests)
    threads = [threading.Thread(target=load.client, args=(number,))
               for number in range(arguments.clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    median, longest = statistics.median(load.waits), max(load.waits)
    print(f"statuses {dict(load.statuses)}; waits: median {median:.2f} s, longest {longest:.2f} s, "
          f"{longest / median:.1f} times; {load.different} of {len(load.waits)} differ")


if __name__ == "__main__":
    main()
