"""The layer table of ARCHITECTURE.md, and what the includes say against it."""

import re
from pathlib import Path

import sources


def read_table(markdown):
    """{folder: folders that it may use}, from the table | folder | ... | may use |."""
    table = {}
    is_inside = False
    for line in markdown.splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            is_inside = False
        elif cells[0] == "folder" and cells[-1] == "may use":
            is_inside = True
        elif is_inside and not set(cells[0]) <= set("-: "):
            table[cells[0]] = {name.strip().strip("`") for name in cells[-1].split(",")} - {""}
    return table


def folder_of(path, table, root):
    """The folder of the table that a file lies in; None where none does."""
    relative = path.relative_to(root).as_posix()
    holders = [folder for folder in table if relative.startswith(folder + "/")]
    return max(holders, key=len, default=None)


def resolve(name, path, root):
    """The file of the project that a quoted include names, or None."""
    for base in (root / "include", root / "src", root / "apps", path.parent, root):
        if (base / name).is_file():
            return base / name
    return None


def granted(table, folder):
    """The folders that this one may use: of src/, and of apps/ where it is an app."""
    tops = ("src", "apps") if folder.startswith(("apps/", "bindings/")) else ("src",)
    return {f"{top}/{name}" for name in table[folder] for top in tops} & set(table)


def violations(table, root=sources.ROOT, suffixes=sources.CPP_SUFFIXES):
    found = []
    for path in sources.files(suffixes, ("include", "src", "apps", "bindings"), root):
        relative = path.relative_to(root).as_posix()
        own = folder_of(path, table, root)
        if own is None and not relative.startswith("include/"):
            found.append(f"{relative}: in no folder of the table")
            continue
        for line, is_quoted, name in sources.includes(path.read_text(encoding="utf-8")):
            problem = _problem(name, is_quoted, path, own, table, root)
            if problem:
                found.append(f"{relative}:{line}: {problem}")
    return found


def _problem(name, is_quoted, path, own, table, root):
    if not is_quoted:
        return f"<{name}> is ours: use quotes" if name.startswith("whereof/") else None
    if name.startswith("whereof/"):
        is_known = resolve(name, path, root) or (root / "include" / (name + ".in")).is_file()
        return None if is_known else f'"{name}" is not there'
    target = resolve(name, path, root)
    if target is None:
        return f'"{name}" is not there'
    used = folder_of(target, table, root)
    if own is None:
        return f'a public header includes "{name}"'
    if used == own or used in granted(table, own):
        return None
    return f'{own} may not use {used or name}'


def cycle(graph):
    """Some cycle of {node: nodes}, as a list that ends where it begins; [] where there is none."""
    state = {}

    def visit(node, path):
        state[node] = "open"
        for following in sorted(graph.get(node, ())):
            if state.get(following) == "open":
                return path[path.index(following):] + [following] if following in path else []
            if following not in state:
                inner = visit(following, path + [following])
                if inner:
                    return inner
        state[node] = "done"
        return []

    for node in sorted(graph):
        if node not in state:
            inner = visit(node, [node])
            if inner:
                return inner
    return []


def include_graph(root=sources.ROOT):
    """{file: files of the project that it includes}."""
    graph = {}
    for path in sources.files(folders=("include", "src", "apps", "bindings", "tests"), root=root):
        targets = (resolve(name, path, root)
                   for _, is_quoted, name in sources.includes(path.read_text(encoding="utf-8"))
                   if is_quoted)
        graph[path.as_posix()] = {target.resolve().as_posix() for target in targets if target}
    return graph


def public_headers_used(path):
    return {Path(name).stem
            for _, _, name in sources.includes(path.read_text(encoding="utf-8"))
            if re.match(r"whereof/\w+\.h$", name)}
