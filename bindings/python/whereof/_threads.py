"""How many threads calls use that do not say it themselves."""

from __future__ import annotations

import os

from ._errors import argument_error

_threads = 0
_is_forked = False


def _use_one_thread() -> None:
    """A child of fork() has none of the pool's threads: to wait for them would be for ever."""
    global _is_forked
    _is_forked = True


os.register_at_fork(after_in_child=_use_one_thread)


def set_threads(threads: int) -> None:
    """For calls without `threads` of their own; 0: all that the process has.

    The pool has as many threads as processors that the process may use, or as the environment
    variable WHEREOF_THREADS says when the pool is first used; more than that is that many. Results
    have the same bits for any number. In a child of fork() calls use one thread, since it has none
    of the pool's; a process that was spawned has its own pool.
    """
    global _threads
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 0:
        raise argument_error(f"threads is {threads!r}; wanted a whole number, 0 for all")
    _threads = threads


def get_threads() -> int:
    """What set_threads() was last called with; 0: all."""
    return _threads


def threads_or_default(threads: int | None) -> int:
    if threads is not None and threads < 0:
        raise argument_error(f"threads is {threads}; wanted a whole number, 0 for all")
    if _is_forked:
        return 1
    return _threads if threads is None else threads
