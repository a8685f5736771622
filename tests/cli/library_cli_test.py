"""whereof add, find and ask --all: a library of many documents, as a user works with it."""

import json
import pathlib
import resource
import signal
import unittest

from program import CONTRACT, SMALL_MODEL, ProgramTest

LEASE = """LEASE

1. Term
The lease runs for two years from the first of May.

2. Rent
2.1 The Tenant pays 900 euros a month.
2.2 Late rent bears interest under Section 2.3.
2.3 Interest is five percent a year.
"""


class LibraryOfMany(ProgramTest):
    def setUp(self):
        super().setUp()
        self.contracts = self.folder / "contracts"
        (self.contracts / "leases").mkdir(parents=True)
        (self.contracts / "supply.txt").write_text(CONTRACT, encoding="utf-8")
        (self.contracts / "leases" / "lease.txt").write_text(LEASE, encoding="utf-8")
        self.database = str(self.folder / "own.db")

    def add(self, *arguments):
        return self.run_program("add", self.contracts, "--library", self.database, *arguments)

    def test_folders_are_added_once(self):
        result = self.add("--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertEqual(json.loads(result.stdout)["added"], 2)
        again = json.loads(self.add("--json").stdout)
        self.assertEqual((again["added"], again["known"]), (0, 2))

    def test_failures_are_named_at_the_end(self):
        (self.contracts / "broken.pdf").write_text("no PDF")
        result = self.add()
        self.assertEqual(result.returncode, 65)
        self.assertIn("2 added", result.stdout.decode())
        lines = result.stderr.decode().splitlines()
        self.assertEqual(len(lines), 1)
        self.assertIn("broken.pdf", lines[0])

    def test_an_absent_place_and_an_empty_folder_are_not_found(self):
        result = self.run_program("add", self.folder / "absent", "--library", self.database)
        self.assert_one_clear_line(result, 66, "absent")
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertEqual(
            self.run_program("add", empty, "--library", self.database).returncode, 66
        )

    def test_find_shows_document_clause_and_text(self):
        self.add()
        result = self.run_program("find", "interest", "on", "rent", "--library", self.database)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        text = result.stdout.decode()
        self.assertIn("lease.txt", text)
        self.assertIn("Rent", text)
        found = self.run_program("find", "term", "--json", "--library", self.database)
        passages = json.loads(found.stdout)
        names = {pathlib.Path(passage["path"]).name for passage in passages}
        self.assertEqual(names, {"supply.txt", "lease.txt"})
        limited = self.run_program(
            "find", "term", "--json", "--limit", "1", "--library", self.database
        )
        self.assertEqual(len(json.loads(limited.stdout)), 1)

    def test_words_are_no_query_language(self):
        self.add()
        for words in ('"', "rent OR", "NEAR(", "heading : x", "*", "-rent", "a AND"):
            result = self.run_program("find", "--library", self.database, "--", words)
            self.assertIn(result.returncode, (0, 66), words)

    def test_a_changed_file_is_left_out(self):
        self.add()
        (self.contracts / "leases" / "lease.txt").write_text("Nothing.\n")
        result = self.run_program("find", "tenant", "--library", self.database)
        self.assertEqual(result.returncode, 66)
        self.assertIn("lease.txt has changed", result.stderr.decode())
        self.add()
        result = self.run_program("find", "tenant", "--library", self.database)
        self.assertNotIn("has changed", result.stderr.decode())

    def test_ask_all_cites_by_document(self):
        self.add()
        result = self.run_program(
            "ask", "--all", "How many euros a month does the Tenant pay?", "--json",
            "--model", SMALL_MODEL, "--library", self.database, "--max-tokens", "16",
        )  # fmt: skip
        self.assertIn(result.returncode, (0, 3), result.stderr.decode())
        answer = json.loads(result.stdout)
        names = [document["name"] for document in answer["documents"]]
        self.assertEqual(names[0], "lease.txt")
        texts = {"supply.txt": CONTRACT, "lease.txt": LEASE}
        citations = answer.get("citations") or answer["nearest"]
        self.assertTrue(citations)
        for citation in citations:
            self.assertIn(citation["quotation"], texts[citation["document"]])
        reasons = {passage["reason"] for document in answer["documents"]
                   for passage in document["passages"]}  # fmt: skip
        self.assertIn("full_text", reasons)

    def test_a_full_disk_leaves_each_document_whole_or_absent(self):
        folder = self.folder / "many"
        folder.mkdir()
        for n in range(6):
            middle = "".join(f"{c}. Supply\nThe Seller delivers lot {c * 7919 + n}.\n\n"
                             for c in range(2, 400))
            (folder / f"{n}.txt").write_text(
                f"1. Zebra\nFirst words of {n}.\n\n{middle}400. Quagga\nLast words of {n}.\n",
                encoding="utf-8")

        def has(word):
            found = self.run_program("find", word, "--json", "--limit", 20, "--library", database)
            if found.returncode == 66:
                return set()
            self.assertEqual(found.returncode, 0, found.stderr)
            return {passage["document"] for passage in json.loads(found.stdout)}

        for limit in (20_000, 300_000, 700_000):
            database = str(self.folder / f"{limit}.db")

            def no_larger_files():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

            result = self.run_program("add", folder, "--library", database,
                                      preexec_fn=no_larger_files)
            self.assert_one_clear_line(result, 74, f"{limit}.db")
            whole = has("zebra")
            self.assertEqual(whole, has("quagga"))
            self.assertLess(len(whole), 6)
            again = self.run_program("add", folder, "--library", database, "--json")
            self.assertEqual(again.returncode, 0, again.stderr)
            counts = json.loads(again.stdout)
            self.assertEqual((counts["added"], counts["known"]), (6 - len(whole), len(whole)))
            self.assertEqual(len(has("zebra") & has("quagga")), 6)
        self.assertGreater(len(whole), 0)

    def test_ask_needs_a_question(self):
        self.assertEqual(self.run_program("ask", "contract.txt").returncode, 2)
        self.assertEqual(self.run_program("ask", "--all").returncode, 2)


if __name__ == "__main__":
    unittest.main()
