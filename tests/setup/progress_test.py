"""The arithmetic of the progress line."""

import io
import sys
import unittest

from small_pins import PROJECT

sys.path.insert(0, str(PROJECT / "tools"))
from fetching import progress  # noqa: E402  (the path comes first)


class Format(unittest.TestCase):
    def test_bytes(self):
        for count, text in ((0, "0 B"), (999, "999 B"), (1000, "1 kB"), (98_362_432, "98 MB"),
                            (1_117_320_768, "1.12 GB")):
            self.assertEqual(progress.format_bytes(count), text)

    def test_duration(self):
        for seconds, text in ((0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"),
                              (184, "3 min 04 s"), (3600, "1 h 00 min"), (3725, "1 h 02 min")):
            self.assertEqual(progress.format_duration(seconds), text)


class Rate(unittest.TestCase):
    def test_unknown_until_two_points(self):
        meter = progress.RateMeter()
        self.assertEqual(meter.rate(), 0.0)
        meter.add(0.0, 5)
        self.assertEqual(meter.rate(), 0.0)

    def test_only_the_window_counts(self):
        meter = progress.RateMeter()
        for second in range(100):  # 10 bytes a second
            meter.add(float(second), 10 * second)
        self.assertAlmostEqual(meter.rate(), 10.0)
        for second in range(100, 200):  # then a stall
            meter.add(float(second), 990)
        self.assertEqual(meter.rate(), 0.0)

    def test_bytes_that_vanish_are_no_negative_rate(self):
        meter = progress.RateMeter()
        meter.add(0.0, 100)
        meter.add(1.0, 50)
        self.assertEqual(meter.rate(), 0.0)


class Line(unittest.TestCase):
    def test_rate_and_time_left(self):
        self.assertEqual(progress.progress_line("x", 25_000_000, 100_000_000, 5e6),
                         "x  25 MB of 100 MB  25 %  5 MB/s  15 s left")

    def test_never_100_percent_before_the_end(self):
        self.assertIn(" 99 %", progress.progress_line("x", 999_999, 1_000_000, 1.0))
        self.assertTrue(progress.progress_line("x", 10, 10, 1.0).endswith("100 %"))

    def test_more_than_the_total_is_the_total(self):
        self.assertIn("10 B of 10 B", progress.progress_line("x", 11, 10, 1.0))

    def test_nothing_to_do_divides_by_nothing(self):
        self.assertIn("100 %", progress.progress_line("x", 0, 0, 0.0))

    def test_stalled(self):
        self.assertTrue(progress.progress_line("x", 1, 10, 0.0).endswith("waiting"))


class WhenDue(unittest.TestCase):
    def test_every_five_seconds_or_ten_percent(self):
        self.assertTrue(progress.is_line_due(5.0, 0.0))
        self.assertTrue(progress.is_line_due(1.0, 0.1))
        self.assertFalse(progress.is_line_due(4.9, 0.09))
        self.assertFalse(progress.is_line_due(0.9, 0.9))


class Shown(unittest.TestCase):
    def test_plain_stream_gets_whole_lines(self):
        stream = io.StringIO()
        done = iter([0] + [500] * 1000)
        with progress.Progress("x", 500, lambda: next(done), stream):
            pass
        self.assertRegex(stream.getvalue(), r"\Ax  500 B in 0 s  .*/s\n\Z")


if __name__ == "__main__":
    unittest.main()
