"""The service as other people's programs use it: OpenAI's client, llm, and schemathesis, which
makes requests out of docs/openapi.json. They are in the environment of tools/python_environment.py.
"""

import json
import os
import site
import subprocess
import sys
import time
import unittest

from service import PATIENCE, SOURCE, ServiceTest

sys.path.insert(0, str(SOURCE / "tools"))
from python_environment import environment_folder, environment_python  # noqa: E402  (path first)

environment_python()
for packages in environment_folder().glob("lib/*/site-packages"):
    site.addsitedir(str(packages))
import openai  # noqa: E402  (its folder comes first)

MODEL = "smollm2-135m-instruct-q4_1"
CONTRACT = """SUPPLY AGREEMENT

1. Delivery
The Supplier delivers the goods on Mondays.

2. Notices
A notice takes effect three days after it is posted.
"""
QUESTION = [{"role": "user", "content": "When does a notice take effect?"}]
GREETING = [{"role": "user", "content": "Name the first three planets."}]


class ClientTest(ServiceTest):
    def setUp(self):
        super().setUp()
        self.start("--model", MODEL)
        self.url = f"http://127.0.0.1:{self.server.port}"

    def run_client(self, program, *arguments, **environment):
        return subprocess.run([str(environment_folder() / "bin" / program), *map(str, arguments)],
                              cwd=self.folder, env=dict(os.environ, **environment),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=5 * PATIENCE, check=False)


class OpenAi(ClientTest):
    def setUp(self):
        super().setUp()
        self.client = openai.OpenAI(base_url=self.url + "/v1", api_key="none needed",
                                    max_retries=0, timeout=PATIENCE)
        self.addCleanup(self.client.close)

    def complete(self, messages, **options):
        return self.client.chat.completions.create(model=MODEL, messages=messages, max_tokens=12,
                                                   **options)

    def document(self):
        file = self.client.files.create(file=("supply.txt", CONTRACT.encode()), purpose="user_data")
        ends = time.monotonic() + PATIENCE
        while file.status != "processed":
            self.assertLess(time.monotonic(), ends)
            time.sleep(0.05)
            file = self.client.files.retrieve(file.id)
        return file

    def test_models(self):
        self.assertIn(MODEL, [model.id for model in self.client.models.list()])
        self.assertEqual(self.client.models.retrieve(MODEL).id, MODEL)

    def test_a_conversation_whole_and_streamed(self):
        whole = self.complete(GREETING, logprobs=True, top_logprobs=2).choices[0]
        self.assertIn(whole.finish_reason, ("stop", "length"))
        self.assertEqual("".join(token.token for token in whole.logprobs.content),
                         whole.message.content)
        text, reason = "", None
        for chunk in self.complete(GREETING, stream=True):
            text += chunk.choices[0].delta.content or ""
            reason = chunk.choices[0].finish_reason or reason
        self.assertEqual((text, reason), (whole.message.content, whole.finish_reason))

    def test_files_and_a_question_to_one(self):
        file = self.document()
        self.assertEqual([one.id for one in self.client.files.list()], [file.id])
        choice = self.complete(QUESTION, extra_body={"file_ids": [file.id]}).choices[0]
        citation = choice.message.annotations[0].file_citation
        self.assertEqual(citation["file_id"], file.id)
        self.assertIn(citation["quote"], CONTRACT)
        self.assertTrue(self.client.files.delete(file.id).deleted)
        self.assertEqual(list(self.client.files.list()), [])

    def test_errors_are_those_of_the_client(self):
        with self.assertRaises(openai.NotFoundError):
            self.client.chat.completions.create(model="absent", messages=GREETING)
        with self.assertRaises(openai.BadRequestError) as raised:
            self.complete(GREETING, temperature=-1)
        self.assertEqual(raised.exception.param, "temperature")
        with self.assertRaises(openai.NotFoundError):
            self.client.files.retrieve("file-" + 24 * "0")

    def test_the_key(self):
        self.server.end()
        self.start("--model", MODEL, WHEREOF_KEY="k" * 32)
        for key, is_right in (("k" * 32, True), ("x" * 32, False)):
            with openai.OpenAI(base_url=f"http://127.0.0.1:{self.server.port}/v1", api_key=key,
                               max_retries=0) as client:
                if is_right:
                    client.models.list()
                else:
                    self.assertRaises(openai.AuthenticationError, client.models.list)


class Llm(ClientTest):
    def test_a_prompt(self):
        (self.folder / "extra-openai-models.yaml").write_text(
            f"- model_id: served\n  model_name: {MODEL}\n  api_base: {self.url}/v1\n",
            encoding="utf-8")
        done = self.run_client("llm", "-m", "served", "-o", "max_tokens", "12", "--key", "none",
                               GREETING[0]["content"], LLM_USER_PATH=str(self.folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        client = openai.OpenAI(base_url=self.url + "/v1", api_key="none needed")
        wanted = client.chat.completions.create(model=MODEL, messages=GREETING, max_tokens=12)
        client.close()
        self.assertEqual(done.stdout.strip(), wanted.choices[0].message.content.strip())


class Schemathesis(ClientTest):
    def test_answers_are_those_of_the_description(self):
        self.upload("supply.txt", CONTRACT.encode())
        # What JSON Schema cannot say, such as "one of the files in the list", may be refused.
        done = self.run_client(
            "schemathesis", "run", SOURCE / "docs" / "openapi.json", "--url", self.url, "--seed",
            "1", "--phases", "coverage,fuzzing", "--max-examples", "8", "--exclude-checks",
            "positive_data_acceptance", "--no-color", "--generation-database", "none",
            "--request-timeout", PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout[-8000:] + done.stderr[-2000:])
        self.assertIn("Tested", done.stdout)
        self.assertEqual(json.loads(self.get("/health").body), {"status": "ok"})


if __name__ == "__main__":
    unittest.main()
