"""docs/openapi.json says what the server does: its routes, its statuses, the fields it takes."""

import json
import re
import unittest

import jsonschema

from service import SOURCE, ServiceTest

ABSENT = "file-" + 24 * "0"
VALUES = [None, True, -1, 0, 1, 1.5, 1e308, 2**63, -2**63, "", "text", "NaN", [], ["a"], ["a", "a"],
          [1], {}, {"a": 1}, "x" * 20000]
BODIES = {
    "/v1/ask": {"question": "Who pays?", "document": ABSENT},
    "/v1/files/{id}/read": {},
    "/v1/documents/{id}/map": {},
    "/v1/why": {"question": "Who pays?", "document": ABSENT, "clause": "1"},
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "Who pays?"}],
                             "model": "absent", "file_ids": [ABSENT]},
}


def resolved(part, whole):
    """The part without "$ref"s."""
    if isinstance(part, list):
        return [resolved(one, whole) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        found = whole
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        return resolved(found, whole)
    return {name: resolved(value, whole) for name, value in part.items()}


class OpenApi(ServiceTest):
    def setUp(self):
        super().setUp()
        document = json.loads((SOURCE / "docs" / "openapi.json").read_text(encoding="utf-8"))
        self.assertTrue(document["openapi"].startswith("3.1."))
        self.paths = resolved(document["paths"], document)
        self.start()

    def test_every_operation_answers_as_it_says(self):
        for path, operations in self.paths.items():
            target = re.sub(r"\{n\}", "1", re.sub(r"\{id\}", ABSENT, path))
            for method, operation in operations.items():
                for body in (None, "{}"):
                    headers = {"Content-Type": "application/json"} if body else {}
                    if body and method != "post":
                        continue
                    answer = self.request(method.upper(), target, body, headers)
                    self.assertIn(str(answer.status), operation["responses"], (method, target))
            other = next(name for name in ("delete", "post", "get") if name not in operations)
            answer = self.request(other.upper(), target)
            self.assertEqual(answer.status, 405, (other, target, answer))

    def test_what_the_schema_refuses_is_refused_and_nothing_fails(self):
        for path, good in BODIES.items():
            target = path.replace("{id}", ABSENT)
            content = self.paths[path]["post"]["requestBody"]["content"]
            schema = content["application/json"]["schema"]
            check = jsonschema.Draft202012Validator(schema)
            self.assertTrue(check.is_valid(good), path)
            for name in [*schema["properties"], "surprise"]:
                for value in VALUES:
                    body = good | {name: value}
                    answer = self.request("POST", target, json.dumps(body),
                                          {"Content-Type": "application/json"})
                    self.assertLess(answer.status, 500, (path, name, value))
                    self.assertGreaterEqual(answer.status, 400, (path, name, value))
                    if not check.is_valid(body):
                        self.assertEqual(answer.status, 400, (path, name, value, answer))
        self.assert_well()


if __name__ == "__main__":
    unittest.main()
