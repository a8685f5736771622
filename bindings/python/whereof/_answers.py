"""Documents, libraries of them, models, and answers with the clauses they were read from."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import pathlib
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Literal, NoReturn, Self

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import argument_error, error_of, refuse_to_pickle
from ._errors import NotBuiltError
from ._pictures import axes_to_draw_on
from ._threads import threads_or_default

Verdict = Literal["supported", "weak", "no_basis"]
_WORKER = "whereof-document-worker"


def _product() -> Any:
    """The native module, where documents and models were built in."""
    if not _native.HAS_PRODUCT:
        missing: str = _native.MISSING_LIBRARIES
        why = f"without {missing}" if missing else "with WHEREOF_BUILD_PRODUCT=OFF"
        raise NotBuiltError("this wheel of whereof holds attention alone: documents, models and "
                            f"answers are absent, since it was built {why}. Build it again with "
                            "the packages that tools/setup.sh build installs: pip install .")
    return _native


@dataclasses.dataclass(frozen=True)
class Clause:
    """A numbered unit of a document. Spans are bytes of the text as UTF-8."""

    kind: str
    number: str
    label: str
    heading: str
    parent: int
    depth: int
    span: tuple[int, int]
    pages: tuple[str, str]
    _utf8: bytes = dataclasses.field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """With its number, heading and all that lies below it."""
        return self._utf8[self.span[0]:self.span[1]].decode("utf-8", "replace")


class Document:
    """A file that was read: PDF, DOCX, TXT, Markdown, HTML, EPUB or e-mail.

    Reading runs in a process of its own with limits; PDF needs PDFium (tools/fetch.py pdfium).
    """

    def __init__(self, path: str | os.PathLike[str], *, recognizes_text: bool = True) -> None:
        product = _product()
        worker = pathlib.Path(__file__).parent / _WORKER
        program = str(worker) if worker.exists() else ""
        self._native = product.Document.read(os.fspath(path), program, recognizes_text)
        self._utf8: bytes = self._native.text

    @classmethod
    def _of(cls, native: Any) -> Self:
        document = cls.__new__(cls)
        document._native = native
        document._utf8 = native.text
        return document

    @property
    def name(self) -> str:
        return str(self._native.name)

    @property
    def type(self) -> str:
        return str(self._native.type)

    @property
    def content_hash(self) -> str:
        """SHA-256 of the file's bytes."""
        return str(self._native.content_hash)

    @property
    def text(self) -> str:
        return self._utf8.decode("utf-8", "replace")

    @property
    def warnings(self) -> list[str]:
        """What was not read, one line each."""
        return list(self._native.warnings)

    def slice(self, span: tuple[int, int]) -> str:
        """The text of a span of UTF-8 bytes."""
        return self._utf8[span[0]:span[1]].decode("utf-8", "replace")

    @property
    def clauses(self) -> list[Clause]:
        """In document order, parents before children."""
        found = []
        for each in json.loads(self._native.tree())["clauses"]:
            span = (each["text_begin"], each["text_end"])
            found.append(Clause(each["kind"], each["number"], each["label"], each["heading"],
                                each["parent"], each["depth"], span,
                                (each["first_page"], each["last_page"]), self._utf8))
        return found

    def __reduce__(self) -> NoReturn:
        raise refuse_to_pickle(self, "read its file again")

    def __repr__(self) -> str:
        return f"<whereof.Document {self.name!r} {self.type}, {len(self._utf8)} bytes of text>"


@dataclasses.dataclass(frozen=True)
class Hit:
    """A passage that full text found. The span is bytes of the document's text as UTF-8."""

    content_hash: str
    span: tuple[int, int]
    clause: int
    score: float
    coverage: float


@dataclasses.dataclass(frozen=True)
class LibraryEntry:
    content_hash: str
    name: str
    path: str
    characters: int
    pages: int


class Library:
    """Documents kept in one file. `path` None: the user's own, which the command line uses too."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._product = _product()
        self._file = "" if path is None else os.fspath(path)
        self._product.library_entries(self._file)  # says now if the file is not ours

    def add(self, document: Document) -> None:
        """Whole or not at all; replaces an entry of the same content."""
        self._product.library_add(self._file, document._native)

    def remove(self, content_hash: str) -> bool:
        return bool(self._product.library_remove(self._file, content_hash))

    def load(self, content_hash: str) -> Document | None:
        native = self._product.library_load(self._file, content_hash)
        return None if native is None else Document._of(native)

    def entries(self) -> list[LibraryEntry]:
        return [LibraryEntry(*entry) for entry in self._product.library_entries(self._file)]

    def search(self, question: str, limit: int = 10, *, content_hash: str = "") -> list[Hit]:
        """Passages by full text, the best first; of one document or of all."""
        return [Hit(found, (begin, end), clause, score, coverage)
                for found, begin, end, clause, score, coverage in self._product.library_search(
                    self._file, question, limit, content_hash)]

    def __reduce__(self) -> NoReturn:
        raise refuse_to_pickle(self, "open its file again")


@dataclasses.dataclass(frozen=True)
class Citation:
    """A clause that an answer was read from. The quotation is exactly in the document."""

    clause: str
    heading: str
    quotation: str
    span: tuple[int, int]
    page: str | None
    share: float
    lift: float

    @classmethod
    def _of(cls, found: dict[str, Any]) -> Citation:
        return cls(found["clause"], found["heading"], found["quotation"],
                   (found["text_begin"], found["text_end"]), found["page_label"], found["share"],
                   found["lift"])


class Answer:
    """What the model said, whether the document supports it, and where it was read."""

    def __init__(self, found: dict[str, Any], masses: dict[str, npt.NDArray[Any]],
                 layers: dict[str, npt.NDArray[Any]], document: Document) -> None:
        self.json = found
        """All of it, as docs/answer.schema.json describes it."""
        self.question: str = found["question"]
        self.verdict: Verdict = found["verdict"]
        self.reasons: list[str] = found["reasons"]
        self.text: str | None = found["answer"]
        """None where the verdict is no_basis, or passages were asked for."""
        self.withheld: str | None = found["withheld"]
        """What the model said although the document gives no basis for it."""
        cited = found.get("citations", found.get("nearest", []))
        self.citations = [Citation._of(each) for each in cited]
        """The largest share first; with verdict no_basis the nearest passages."""
        self.masses = masses
        """Weights of rows on each sentence that was read: "sentences" [S, 2] in bytes of the text;
        "question", "answer", "content_free" [layers, heads, S]; "question_scores" and
        "answer_scores" [S], over the heads that count, less the content-free ones."""
        self.layers = layers
        """Of each layer: "entropy_share" (entropy over its largest value) and "sink_mass"."""
        self._document = document

    def clause_shares(self) -> dict[str, float]:
        """The share of the evidence on each clause, by label, in document order.

        Of the answer's rows; of the question's where no answer was written. Text of no clause is
        under "".
        """
        scores = self.masses.get("answer_scores", self.masses.get("question_scores", np.zeros(0)))
        total = float(scores.sum()) or 1.0
        clauses = self._document.clauses
        shares = {clause.label: 0.0 for clause in clauses}
        around: list[Clause] = []  # that begin before the sentence, the innermost last
        begun = 0
        for (begin, _), score in zip(self.masses["sentences"].tolist(), scores.tolist()):
            while begun < len(clauses) and clauses[begun].span[0] <= begin:
                around.append(clauses[begun])
                begun += 1
            while around and around[-1].span[1] <= begin:
                around.pop()
            label = around[-1].label if around else ""
            shares[label] = shares.get(label, 0.0) + score / total
        return shares

    def plot(self, *, axes: Any = None) -> Any:
        """Draws clause_shares() with matplotlib, and returns its axes."""
        shares = {label: share for label, share in self.clause_shares().items() if share > 0.0}
        axes = axes_to_draw_on(axes)
        places = np.arange(len(shares))
        axes.barh(places, list(shares.values()))
        axes.set_yticks(places, list(shares))
        axes.invert_yaxis()
        axes.set_xlabel("share of the evidence")
        axes.set_ylabel("clause")
        return axes

    def _repr_html_(self) -> str:
        import html

        rows = "".join(
            f"<tr><td>{html.escape(each.clause)}</td><td>{each.share:.2f}</td>"
            f"<td>{html.escape(each.quotation)}</td></tr>" for each in self.citations)
        return (f"<p><b>{html.escape(self.verdict)}</b> {html.escape(self.text or '')}</p><table>"
                f"<tr><th>clause</th><th>share</th><th>quotation</th></tr>{rows}</table>")

    def __repr__(self) -> str:
        return f"<whereof.Answer {self.verdict}: {self.text!r}, {len(self.citations)} citations>"


class AnswerStream:
    """The words of an answer as they come: iterate, or iterate with `async for`.

    `answer` is there when the words have ended. Leaving a `with` block, or close(), stops it.
    """

    def __init__(self, ask: Callable[[Callable[[str], None], Any], Answer]) -> None:
        self._parts: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._stop = _product().StopSource()
        self._answer: Answer | None = None
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(ask,), daemon=True)
        self._thread.start()

    def _run(self, ask: Callable[[Callable[[str], None], Any], Answer]) -> None:
        try:
            self._answer = ask(self._parts.put, self._stop)
        except BaseException as failure:  # raised again where the words are read
            self._failure = failure
        finally:
            self._parts.put(None)

    def _ended(self) -> None:
        self._parts.put(None)  # for whoever asks again
        if self._failure is not None:
            raise self._failure

    def __iter__(self) -> Iterator[str]:
        while (part := self._parts.get()) is not None:
            yield part
        self._ended()

    async def __aiter__(self) -> AsyncIterator[str]:
        try:
            while (part := await asyncio.to_thread(self._parts.get)) is not None:
                yield part
        except asyncio.CancelledError:
            self.close()
            raise
        self._ended()

    @property
    def answer(self) -> Answer:
        """The whole answer; waits for it."""
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        assert self._answer is not None
        return self._answer

    def close(self) -> None:
        """Stops the answer; iterating then raises CancelledError."""
        self._stop.request_stop()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise refuse_to_pickle(self, "pickle what its answer holds")


class Model:
    """A GGUF model. A file, or the name of one in the models folder or the beginning of a name."""

    def __init__(self, name_or_path: str | os.PathLike[str] | None = None) -> None:
        product = _product()
        wanted = product.DEFAULT_MODEL if name_or_path is None else os.fspath(name_or_path)
        self._native = product.Model.open(wanted)

    @property
    def name(self) -> str:
        return str(self._native.name)

    @property
    def window_tokens(self) -> int:
        return int(self._native.window_tokens)

    def _ask(self, document: Document, question: str, library: Library | None,
             on_text: Callable[[str], None] | None, stop: Any, options: dict[str, Any]) -> Answer:
        if not isinstance(document, Document):
            raise argument_error(f"document is {type(document).__name__}; wanted a "
                                 "whereof.Document")
        arguments = _native_arguments(options)
        found, masses, layers = self._native.ask(
            document._native, "" if library is None else library._file, question, arguments,
            on_text, options.get("on_progress"), stop)
        return Answer(json.loads(found), masses, layers, document)

    def ask(self, document: Document, question: str, *, library: Library | None = None,
            **options: Any) -> Answer:
        """Reads the document, or what of it bears on the question, and answers.

        library is where its full text is looked up (and put, if it is not there yet); None: the
        user's own. Options: budget_seconds (60), max_tokens (256), max_citations (5), temperature
        (0), seed (0), quote (False: whether to cite passages and write no answer), verify (False:
        whether to hide each cited clause and score again), keep (True: whether readings are kept
        for the next question), earlier ([]: questions asked before, oldest first, that this one may
        refer to), threads, on_progress(phase, done, total).
        """
        return self._ask(document, question, library, None, _product().StopSource(), options)

    def stream(self, document: Document, question: str, *, library: Library | None = None,
               **options: Any) -> AnswerStream:
        """The same, its words as they come; options as for ask()."""
        _native_arguments(options)  # says what is wrong here, not in the other thread
        return AnswerStream(lambda on_text, stop: self._ask(document, question, library, on_text,
                                                            stop, options))

    def __reduce__(self) -> NoReturn:
        raise refuse_to_pickle(self, "open its file again")

    def __repr__(self) -> str:
        return f"<whereof.Model {self.name!r} {self._native.architecture}>"


_NATIVE_NAMES = {"quote": "is_extract", "verify": "verifies", "keep": "keeps_readings"}
_OPTIONS = ("budget_seconds", "max_tokens", "max_citations", "temperature", "seed", "quote",
            "verify", "keep", "earlier")


def _native_arguments(options: dict[str, Any]) -> Any:
    arguments = _product().AskArguments()
    for name, value in options.items():
        if name in _OPTIONS:
            try:
                setattr(arguments, _NATIVE_NAMES.get(name, name), value)
            except TypeError as wrong:
                raise argument_error(f"{name} is {value!r}, a {type(value).__name__}") from wrong
        elif name not in ("threads", "on_progress"):
            raise error_of("invalid_argument", f"{name} is no option of ask(); wanted one of "
                           f"{', '.join(_OPTIONS)}, threads, on_progress")
    arguments.threads = threads_or_default(options.get("threads"))
    return arguments
