"""Ctrl-C stops a long call, and other threads of Python run beside it."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np

import whereof

# A call of several minutes: an interrupt that did not stop it would not end within the test's
# patience.
LONG_CALL = """
import numpy as np, signal, sys, whereof
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
query = np.ones((1, 400_000, 4, 64), np.float32)
print("ready", flush=True)
try:
    whereof.attention(query, query, query)
except KeyboardInterrupt:
    print("stopped", flush=True)
    output, _ = whereof.attention(query[:, :5], query[:, :5], query[:, :5])
    assert output.max() == 1.0
    print("and went on", flush=True)
"""


def test_interrupt_stops_a_long_call_and_the_next_one_works():
    process = subprocess.Popen([sys.executable, "-c", LONG_CALL], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "stopped\nand went on\n"
        assert process.returncode == 0
    finally:
        process.kill()


def test_what_a_handler_raises_leaves_the_call():
    class Alarm(Exception):
        pass

    def handler(*_):
        raise Alarm

    query = np.ones((1, 200_000, 4, 64), np.float32)
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            whereof.attention(query, query, query)
        except Alarm:
            return
        raise AssertionError("the call was not left")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_interpreter_is_free_during_a_call():
    counted = 0
    is_done = threading.Event()
    query = np.ones((1, 6000, 4, 64), np.float32)

    def count():
        nonlocal counted
        while not is_done.is_set():
            counted += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    whereof.attention(query, query, query, threads=1)
    during = counted - before
    is_done.set()
    thread.join()
    assert during > 10, os.cpu_count()
