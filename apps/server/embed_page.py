"""Writes the files of a folder as one C++ source: page_files.h says what for.

usage: embed_page.py OUT.cc OUT.d FOLDER
"""

import hashlib
import pathlib
import sys

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
BYTES_A_LINE = 24


def files_of(folder):
    """[(name with slashes, path)] of what the page consists of, ascending by name."""
    found = [(path.relative_to(folder).as_posix(), path) for path in folder.rglob("*")
             if path.is_file() and not path.name.startswith(".")]
    return sorted((name, path) for name, path in found if path.suffix in TYPES)


def array_of(index, data):
    lines = [", ".join(str(byte) for byte in data[at:at + BYTES_A_LINE])
             for at in range(0, len(data), BYTES_A_LINE)]
    body = ",\n".join(lines) or "0"
    return f"constexpr unsigned char kBytes{index}[] = {{\n{body}}};\n"


def source_of(files):
    arrays, rows = [], []
    for index, (name, path) in enumerate(files):
        data = path.read_bytes()
        arrays.append(array_of(index, data))
        tag = hashlib.sha256(data).hexdigest()[:24]
        rows.append(f'    {{"{name}", "{TYPES[path.suffix]}", "\\"{tag}\\"",\n'
                    f"     {{reinterpret_cast<const char*>(kBytes{index}), {len(data)}}}}},\n")
    return ('#include "server/page_files.h"\n\nnamespace whereof::server {\nnamespace {\n\n'
            + "\n".join(arrays) + "\n}  // namespace\n\n"
            + "std::span<const PageFile> page_files() {\n"
            + "  static const PageFile files[] = {\n" + "".join(rows) + "  };\n"
            + "  return files;\n}\n\n}  // namespace whereof::server\n")


def main(out, dependencies, folder):
    folder = pathlib.Path(folder)
    files = files_of(folder)
    if not any(name == "index.html" for name, _ in files):
        sys.exit(f"embed_page.py: {folder} has no index.html")
    pathlib.Path(out).write_text(source_of(files), encoding="utf-8")
    inputs = [str(path).replace(" ", "\\ ") for _, path in files]
    # A folder changes when a file comes or goes.
    inputs += sorted({str(path.parent).replace(" ", "\\ ") for _, path in files})
    pathlib.Path(dependencies).write_text(f"{out}: {' '.join(inputs)}\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
