"""How far a slow step is: bytes of the total, rate and time left.

    rate      = bytes of the last WINDOW_SECONDS / seconds they took
    time left = (total - done) / rate

The rate covers a window, not the whole run, so that a stalled download shows as one.
On a terminal the line is rewritten five times a second and cut to its width (a wrapped line
could not be rewritten); elsewhere a new line is written every five seconds, or after ten per
cent if that took a second.
"""

import collections
import os
import threading
import time

WINDOW_SECONDS = 8.0
TERMINAL_INTERVAL_SECONDS = 0.2
PLAIN_INTERVAL_SECONDS = 5.0
PLAIN_SHORTEST_SECONDS = 1.0
PLAIN_STEP = 0.1


def format_bytes(count):
    """Decimal units, as download pages use them: 950 kB, 98 MB, 1.12 GB."""
    for unit, size, digits in (("GB", 1e9, 2), ("MB", 1e6, 0), ("kB", 1e3, 0)):
        if count >= size:
            return f"{count / size:.{digits}f} {unit}"
    return f"{count:.0f} B"


def format_duration(seconds):
    seconds = int(seconds + 0.5)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02d} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"


class RateMeter:
    """Bytes a second over the last WINDOW_SECONDS of the points given to add()."""

    def __init__(self):
        self._points = collections.deque()

    def add(self, now, done):
        self._points.append((now, done))
        # One point older than the window stays: it is the window's left edge.
        while len(self._points) > 2 and self._points[1][0] <= now - WINDOW_SECONDS:
            self._points.popleft()

    def rate(self):
        """0.0 until two points in time are known."""
        if len(self._points) < 2:
            return 0.0
        (first_time, first_done), (last_time, last_done) = self._points[0], self._points[-1]
        elapsed = last_time - first_time
        return max(0.0, (last_done - first_done) / elapsed) if elapsed > 0 else 0.0


def progress_line(label, done, total, rate):
    done = min(done, total)
    # Rounded down: 100 % stands only where nothing is missing.
    percent = 100 if total == 0 else done * 100 // total
    line = f"{label}  {format_bytes(done)} of {format_bytes(total)}  {percent} %"
    if done >= total:
        return line
    if rate <= 0:
        return line + "  waiting"
    left = (total - done) / rate
    return line + f"  {format_bytes(rate)}/s  {format_duration(left)} left"


def terminal_columns(stream):
    try:
        # 0 columns is what some pseudo-terminals report.
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80


def is_line_due(elapsed_seconds, share_gained):
    """Whether a stream that is no terminal gets its next line."""
    if elapsed_seconds < PLAIN_SHORTEST_SECONDS:
        return False
    return elapsed_seconds >= PLAIN_INTERVAL_SECONDS or share_gained >= PLAIN_STEP


class Progress:
    """Shows the growth of `measure()` (bytes done) up to `total` while the `with` body runs."""

    def __init__(self, label, total, measure, stream):
        self._label = label
        self._total = total
        self._measure = measure
        self._stream = stream
        self._on_terminal = stream.isatty()
        self._meter = RateMeter()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self):
        self._started = time.monotonic()
        self._first_done = self._measure()
        self._line_time, self._line_share = self._started, 0.0
        self._thread.start()
        return self

    def __exit__(self, kind, value, trace):
        self._stopped.set()
        self._thread.join()
        seconds = time.monotonic() - self._started
        if kind is None:
            got = max(0, self._measure() - self._first_done)
            rate = got / seconds if seconds > 0 else 0
            self._write(f"{self._label}  {format_bytes(got)} in {format_duration(seconds)}"
                        f"  {format_bytes(rate)}/s", last=True)
        elif self._on_terminal:
            self._stream.write("\n")
            self._stream.flush()

    def _watch(self):
        while not self._stopped.wait(TERMINAL_INTERVAL_SECONDS):
            now, done = time.monotonic(), self._measure()
            self._meter.add(now, done)
            share = done / self._total if self._total else 1.0
            if not self._on_terminal:
                if not is_line_due(now - self._line_time, share - self._line_share):
                    continue
                self._line_time, self._line_share = now, share
            self._write(progress_line(self._label, done, self._total, self._meter.rate()))

    def _write(self, line, last=False):
        if self._on_terminal:
            line = line[:terminal_columns(self._stream) - 1]
            self._stream.write("\r\x1b[K" + line + ("\n" if last else ""))
        else:
            self._stream.write(line + "\n")
        self._stream.flush()
