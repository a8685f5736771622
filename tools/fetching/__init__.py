"""Downloads of pinned models and libraries: pins, wheels, joined files, progress."""


class FetchError(Exception):
    """A bad world (network, disk, wrong hash); its text is the one line that the user sees."""
