"""The container gets all that the program looks for where it is installed."""

import re
import unittest

from small_pins import PROJECT

# Folders of CMake, under /usr/local.
PLACES = {"BINDIR": "bin", "LIBEXECDIR": "libexec", "DATADIR": "share"}
INSTALLED = re.compile(r"DESTINATION\s+\$\{CMAKE_INSTALL_(\w+)\}(/[\w/]+)?")


class Container(unittest.TestCase):
    def test_what_the_program_is_installed_with_is_copied(self):
        dockerfile = (PROJECT / "packaging" / "Dockerfile").read_text(encoding="utf-8")
        copied = dict(re.findall(r"^COPY --from=build /installed(\S+) (\S+)$", dockerfile, re.M))
        needed = set()
        for folder in ("src", "apps"):
            for file in (PROJECT / folder).rglob("CMakeLists.txt"):
                for kind, rest in INSTALLED.findall(file.read_text(encoding="utf-8")):
                    if kind in PLACES:
                        needed.add(f"/usr/local/{PLACES[kind]}{rest}")
        self.assertEqual(len(needed), 3, needed)
        for path in needed:
            self.assertTrue(any(path == place or path.startswith(place + "/") for place in copied),
                            f"{path} is not copied into the container")
        for source, place in copied.items():
            self.assertEqual(source, place)


if __name__ == "__main__":
    unittest.main()
