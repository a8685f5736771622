"""One library used by a service and by programs beside it, and one file by several clients at once,
while processes are killed at any moment."""

import contextlib
import json
import random
import signal
import subprocess
import threading
import time

from service import BINARY, Server, ServiceTest

SECONDS = 2.5  # how long each kind of trouble goes on
NOTHING_FOUND = 66


def contract(number):
    clauses = "\n".join(f"{i}. The Buyer pays w{number} to the Seller within {i} days."
                        for i in range(1, 400))
    return f"AGREEMENT {number}\n\n{clauses}\n".encode()


class Sharing(ServiceTest):
    def run_together(self, *workers):
        """Each again and again until the time is over; what they found wrong."""
        ends = time.monotonic() + SECONDS
        wrong = []

        def repeat(worker):
            while time.monotonic() < ends:
                try:
                    complaint = worker()
                except (OSError, ValueError) as error:  # no server, or half of its answer
                    complaint = None if self.may_be_gone else repr(error)
                if complaint:
                    wrong.append(complaint)

        threads = [threading.Thread(target=repeat, args=(worker,)) for worker in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return wrong

    def setUp(self):
        super().setUp()
        self.may_be_gone = False

    def program(self, *arguments):
        return subprocess.Popen([BINARY, *map(str, arguments)], env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_a_file_sent_and_deleted_at_once(self):
        self.start()
        file_id = self.upload("contract.txt", contract(0)).json()["id"]

        def send():
            answer = self.upload("contract.txt", contract(0))
            return answer if answer.status != 200 else None

        def delete():
            answer = self.request("DELETE", f"/v1/files/{file_id}")
            return answer if answer.status not in (200, 404) else None

        self.assertEqual(self.run_together(send, send, delete, delete), [])
        send()
        self.assertEqual(self.processed(file_id)["status"], "processed")
        document = self.get(f"/v1/documents/{file_id}/text")
        self.assertEqual(document.status, 200, document)

    def test_a_library_shared_with_programs_that_are_killed(self):
        dice = random.Random(7)
        places = []
        for number in range(12):
            places.append(self.folder / f"contract{number}.txt")
            places[-1].write_bytes(contract(number))
        self.start()
        self.may_be_gone = True

        def add():
            added = self.program("add", "--library", self.library, "--readers", 1,
                                 *dice.sample(places, 3))
            with contextlib.suppress(subprocess.TimeoutExpired):
                added.wait(dice.choice((dice.random() / 2, 60)))
            added.kill()
            _, complaint = added.communicate()
            return complaint if added.returncode not in (0, -signal.SIGKILL) else None

        def find():
            found = self.program("find", "--library", self.library, "Buyer")
            _, complaint = found.communicate()
            return complaint if found.returncode not in (0, NOTHING_FOUND) else None

        def use():
            answer = self.upload("sent.txt", contract(dice.randrange(12)))
            if answer.status >= 500:
                return answer
            answer = self.get("/v1/files")
            if answer.status != 200:
                return answer
            answer = self.request("DELETE", "/v1/files/" + answer.json()["data"][0]["id"])
            return answer if answer.status not in (200, 404) else None

        def kill():
            time.sleep(0.8 + dice.random())
            self.server.end(signal.SIGKILL)
            self.server = Server(self.environment, "--library", self.library)
            self.addCleanup(self.server.end, signal.SIGKILL)

        self.assertEqual(self.run_together(add, add, find, use, use, kill), [])
        self.may_be_gone = False
        added = self.program("add", "--library", self.library, *places)
        _, complaint = added.communicate()
        self.assertEqual(added.returncode, 0, complaint)
        found = self.program("find", "--library", self.library, "--json", "--limit", 1, "Buyer")
        output, complaint = found.communicate()
        self.assertEqual(found.returncode, 0, complaint)
        self.assertTrue(json.loads(output))
        for number in range(12):
            sent = self.upload("again.txt", contract(number)).json()
            self.assertEqual(self.processed(sent["id"])["status"], "processed")
            text = self.get(f"/v1/documents/{sent['id']}/text")
            self.assertIn(f"w{number} ".encode(), text.body)
