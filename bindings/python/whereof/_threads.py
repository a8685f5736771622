"""How many threads calls use that do not say it themselves."""

from __future__ import annotations

from ._errors import argument_error

_threads = 0


def set_threads(threads: int) -> None:
    """For calls without `threads` of their own; 0: all that the process has.

    The pool has as many threads as processors that the process may use, or as the environment
    variable WHEREOF_THREADS says when the pool is first used; more than that is that many. Results
    have the same bits for any number.
    """
    global _threads
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 0:
        raise argument_error(f"threads is {threads!r}; wanted a whole number, 0 for all")
    _threads = threads


def get_threads() -> int:
    """What set_threads() was last called with; 0: all."""
    return _threads


def threads_or_default(threads: int | None) -> int:
    if threads is None:
        return _threads
    if threads < 0:
        raise argument_error(f"threads is {threads}; wanted a whole number, 0 for all")
    return threads
