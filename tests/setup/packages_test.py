"""Each outside package that CMake asks for is one that tools/setup.sh installs."""

import re
import unittest

from small_pins import PROJECT

# What CMake calls it, and the Debian package that brings it; None: comes with the compiler or
# is not needed where it is missing.
DEBIAN_PACKAGE = {
    "CLI11": "libcli11-dev", "GTest": "libgtest-dev", "ICU": "libicu-dev",
    "OpenSSL": "libssl-dev", "PkgConfig": "pkg-config", "Python": "python3-dev",
    "Python3": "python3",
    "SQLite3": "libsqlite3-dev", "fmt": "libfmt-dev", "libzip": "libzip-dev",
    "nlohmann_json": "nlohmann-json3-dev", "pugixml": "libpugixml-dev",
    "stemmer": "libstemmer-dev", "Threads": None, "ccache": None,
    "libevent_core": "libevent-dev",
    "dl": None, "dnnl": None, "nanobind": None, "whereof": None, "xxhash": "libxxhash-dev",
}
ASKED = re.compile(r"^\s*(?:find_package\((\w+)|find_library\(\w+\s+(?:NAMES\s+)?(\w+)"
                   r"|find_program\(\w+\s+(\w+)"
                   r"|pkg_check_modules\(\w+(?:\s+(?:REQUIRED|IMPORTED_TARGET))*\s+(\w+))",
                   re.MULTILINE)


def asked_for():
    """Names of packages and libraries in the project's CMake files, with the file."""
    files = [PROJECT / "CMakeLists.txt", *(PROJECT / "cmake").glob("*.cmake")]
    for folder in ("src", "apps", "tests", "bench", "bindings"):
        files += (PROJECT / folder).rglob("CMakeLists.txt")
    for file in files:
        for names in ASKED.findall(file.read_text(encoding="utf-8")):
            yield next(filter(None, names)), file.relative_to(PROJECT)


class Packages(unittest.TestCase):
    def test_what_cmake_asks_for_is_installed_by_setup(self):
        script = (PROJECT / "tools" / "setup.sh").read_text(encoding="utf-8")
        installed = set(re.findall(r"[\w.+-]+", " ".join(re.findall(r"_packages=\((.*?)\)", script,
                                                                    re.DOTALL))))
        asked = list(asked_for())
        self.assertLessEqual({"ICU", "libevent_core"}, {name for name, _ in asked})
        for name, file in asked:
            with self.subTest(name=name, file=str(file)):
                self.assertIn(name, DEBIAN_PACKAGE, "add it to tools/setup.sh and to this table")
                package = DEBIAN_PACKAGE[name]
                if package is not None:
                    self.assertIn(package, installed)


if __name__ == "__main__":
    unittest.main()
