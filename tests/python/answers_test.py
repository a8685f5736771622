"""Documents, libraries and answers; the small model reads the example agreement."""

import asyncio
import os
import pathlib
import pickle

import numpy as np
import pytest

import whereof
from whereof import _native

SOURCE = pathlib.Path(__file__).resolve().parents[2]
AGREEMENT = SOURCE / "examples" / "acquisition-agreement.txt"
SMALL_MODEL = "smollm2-135m"
QUESTION = "What is the notice period for termination?"
SHORT = {"max_tokens": 12, "budget_seconds": 5, "keep": False}

built = pytest.mark.skipif(not _native.HAS_PRODUCT, reason="this wheel holds attention alone")


@pytest.mark.skipif(_native.HAS_PRODUCT, reason="this build holds the product")
def test_what_is_absent_is_named():
    for use in (lambda: whereof.Document("a.txt"), whereof.Model, whereof.Library):
        with pytest.raises(whereof.NotBuiltError, match="documents, models and answers are absent, "
                           "since it was built with WHEREOF_BUILD_PRODUCT=OFF. Build it again"):
            use()
    assert issubclass(whereof.NotBuiltError, ImportError)


def test_missing_libraries_are_named(monkeypatch):
    monkeypatch.setattr(_native, "HAS_PRODUCT", False)
    monkeypatch.setattr(_native, "MISSING_LIBRARIES", "ICU, libzip")
    with pytest.raises(whereof.NotBuiltError, match="since it was built without ICU, libzip"):
        whereof.Document("a.txt")


@pytest.fixture(name="home", scope="module")
def _home(tmp_path_factory):
    """Folders of the user's of our own, with the models of the machine."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    models = os.environ.get("WHEREOF_MODELS") or os.path.join(cache, "whereof", "models")
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WHEREOF_MODELS", models)
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        yield folder


@pytest.fixture(name="document", scope="module")
def _document(home):
    return whereof.Document(AGREEMENT)


@pytest.fixture(name="model", scope="module")
def _model(home):
    return whereof.Model(SMALL_MODEL)


@built
def test_a_document_and_its_clauses(document):
    assert document.name == AGREEMENT.name and document.type == "text"
    assert len(document.content_hash) == 64 and document.warnings == []
    clauses = document.clauses
    assert len(clauses) > 10
    for clause in clauses:
        assert clause.text == document.slice(clause.span) and clause.text in document.text
        assert clause.parent == -1 or clauses[clause.parent].depth == clause.depth - 1
    assert repr(document).startswith(f"<whereof.Document {AGREEMENT.name!r} text, ")


@built
def test_a_library(document, home):
    library = whereof.Library(home / "own.db")
    assert library.entries() == [] and library.load("0" * 64) is None
    library.add(document)
    entry, = library.entries()
    assert entry.name == document.name and entry.content_hash == document.content_hash
    assert library.load(document.content_hash).text == document.text
    hit = library.search("notice of termination", 3)[0]
    assert "terminat" in document.slice(hit.span).lower() and hit.score > 0
    assert library.remove(document.content_hash) and not library.remove(document.content_hash)


@built
def test_an_answer_with_its_evidence(document, model):
    heard = []
    answer = model.ask(document, QUESTION, on_progress=lambda *at: heard.append(at), **SHORT)
    assert answer.verdict in ("supported", "weak", "no_basis") and answer.question == QUESTION
    assert (answer.text is None) == (answer.verdict == "no_basis")
    assert answer.citations and heard
    for citation in answer.citations:
        assert document.slice(citation.span) == citation.quotation
        assert 0.0 <= citation.share <= 1.0
    sentences = answer.masses["sentences"]
    assert answer.masses["question"].shape == (30, 9, len(sentences))
    assert np.all(answer.masses["question"] >= 0)
    assert answer.masses["question"].sum(-1).max() <= 1.001
    shares = answer.clause_shares()
    assert sum(shares.values()) == pytest.approx(1.0)
    clauses, by_hand = document.clauses, {}
    scores = answer.masses.get("answer_scores", answer.masses["question_scores"])
    for (begin, _), score in zip(sentences, scores):
        inner = [clause for clause in clauses if clause.span[0] <= begin < clause.span[1]]
        label = inner[-1].label if inner else ""
        by_hand[label] = by_hand.get(label, 0.0) + score / scores.sum()
    for label, share in by_hand.items():
        assert shares[label] == pytest.approx(share)
    assert answer.layers["sink_mass"].shape == (30,)
    assert answer.citations[0].quotation.split()[0] in answer._repr_html_()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert len(answer.plot().patches) == sum(share > 0 for share in shares.values())


@built
def test_a_question_may_refer_to_those_before_it(document, model):
    alone = model.ask(document, "Why?", **SHORT)
    answer = model.ask(document, "Why?", earlier=[QUESTION], **SHORT)
    assert answer.question == "Why?"
    assert answer.json["plan"]["prompt_tokens"] != alone.json["plan"]["prompt_tokens"]
    with pytest.raises(whereof.ArgumentError, match="earlier is 7, a int"):
        model.ask(document, "Why?", earlier=7, **SHORT)


@built
def test_words_as_they_come(document, model):
    stream = model.stream(document, QUESTION, **SHORT)
    said = "".join(stream)
    answer = stream.answer
    assert said.strip() == (answer.text or answer.withheld).strip()
    assert list(stream) == []

    async def listen():
        parts = []
        async for part in model.stream(document, QUESTION, **SHORT):
            parts.append(part)
        return "".join(parts)

    assert asyncio.run(listen()) == said


@built
def test_a_stream_that_is_closed_stops(document, model):
    with model.stream(document, QUESTION, max_tokens=4000, keep=False) as stream:
        assert next(iter(stream))
    with pytest.raises(whereof.CancelledError):
        _ = stream.answer
    with pytest.raises(whereof.CancelledError):
        list(stream)


@built
def test_what_a_callback_raises_leaves_the_call(document, model):
    def complain(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        model.ask(document, QUESTION, on_progress=complain, **SHORT)


@built
def test_passages_alone(document, model):
    answer = model.ask(document, QUESTION, quote=True, **SHORT)
    assert answer.text is None and answer.citations


@built
def test_what_is_refused(document, model, home, tmp_path):
    with pytest.raises(whereof.FileError, match="absent.txt"):
        whereof.Document(tmp_path / "absent.txt")
    broken = tmp_path / "broken.docx"
    broken.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(whereof.DocumentError, match="broken.docx"):
        whereof.Document(broken)
    with pytest.raises(whereof.ModelError, match="no model nothing-like-it"):
        whereof.Model("nothing-like-it")
    (tmp_path / "no.db").write_bytes(b"no library" * 100)
    with pytest.raises(whereof.LibraryError, match="no.db"):
        whereof.Library(tmp_path / "no.db")
    with pytest.raises(whereof.ArgumentError, match="document is str; wanted a whereof.Document"):
        model.ask("text", QUESTION)
    with pytest.raises(whereof.ArgumentError, match="temprature is no option of ask"):
        model.stream(document, QUESTION, temprature=1.0)
    with pytest.raises(whereof.ArgumentError, match="max_tokens is 'many', a str"):
        model.ask(document, QUESTION, max_tokens="many")
    with pytest.raises(whereof.ArgumentError):
        model.ask(document, "", **SHORT)
    for thing in (document, model, whereof.Library(home / "own.db")):
        with pytest.raises(TypeError, match="holds memory of the library and cannot be pickled"):
            pickle.dumps(thing)


@built
def test_a_pdf_by_way_of_the_worker(home, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
    document = whereof.Document(AGREEMENT.with_suffix(".pdf"))
    assert document.type == "PDF" and document.clauses[0].pages[0]
