"""Fails when a file includes or links what its place forbids (ARCHITECTURE.md, 'Who may include whom').

    check_layering.py ROOT

Five rules: the arrows between modules, depth is visibility, the folders of a module include each other
in no circle, LibTorch/Qt/CUPTI stay in their folders, and project headers are named by their path from
the root.
"""
import graphlib
import pathlib
import re
import sys

# Module -> modules that it may include.
MAY_INCLUDE = {
    "trace": set(),
    "collector": {"trace"},
    "compiler": {"trace"},
    "analyzer": {"trace"},
    "gui": {"trace", "analyzer"},
}
# Folders outside the modules that hold sources: they may include every module, and only tests see
# private headers.
USERS = ("tests", "samples", "tools")
# Foreign library -> (its headers, the folders that may include them).
FOREIGN = {
    "LibTorch": (re.compile(r"(ATen|c10|caffe2|torch)/"), ("compiler", "collector/torch", "samples", "tests")),
    "Qt": (re.compile(r"Q[A-Z]\w*$|Qt\w*/"), ("gui", "tests/gui")),
    "Arrow": (re.compile(r"(arrow|parquet)/"), ("analyzer/parquet", "tests/analyzer")),
    "CUPTI": (re.compile(r"cupti"), ("collector/cupti", "tests/collector")),
}
# Headers that Qt's tools write into the build folder.
GENERATED = re.compile(r"ui_\w+\.h$|.*\.moc$")
HEADERS = {".h", ".cuh"}
SOURCES = {*HEADERS, ".cpp", ".cu", ".inc"}
# Modules whose headers others include; the gui is a program, so that none of its headers is public.
LIBRARIES = set(MAY_INCLUDE) - {"gui"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">]', re.M)
TARGET = re.compile(r"\bjitscope(?:::|_)(%s)\b" % "|".join(MAY_INCLUDE))


def files_below(folder, wanted):
    return sorted(path for path in folder.rglob("*") if path.is_file() and wanted(path))


def forbidden_module(module, other):
    """Whether a file of `module` (a module or a folder of USERS) may not know the module `other`."""
    return module in MAY_INCLUDE and other != module and other not in MAY_INCLUDE[module]


def is_public(place):
    return place.parts[0] in LIBRARIES and len(place.parts) == 2 and place.suffix in HEADERS


def check_own_header(root, place, header):
    """Judges #include "header" in the file `place`; None when all is well."""
    if GENERATED.match(header):
        return None
    other, *inner = pathlib.PurePosixPath(header).parts
    if not (root / header).is_file():
        return f"name {header} by its path from the root"
    if other in MAY_INCLUDE:
        module = place.parts[0]
        if forbidden_module(module, other):
            return f"{module} may not include {header}"
        if len(inner) > 1 and module not in (other, "tests"):
            return f"{header} is private to {other}"
        if len(inner) > 1 and is_public(place):
            return f"a public header may not need the private {header}"
    elif other in USERS and place.parts[0] != other:
        return f"{header} belongs to {other}"
    return None


def check_foreign_header(place, header):
    for library, (pattern, folders) in FOREIGN.items():
        if pattern.match(header) and not any(place.is_relative_to(folder) for folder in folders):
            return f"{library} ({header}) is included only under {', '.join(folders)}"
    return None


def check_source(root, path):
    place = path.relative_to(root)
    for bracket, header in INCLUDE.findall(path.read_text(encoding="utf-8")):
        fault = check_foreign_header(place, header)
        if fault is None and bracket == '"' and not any(p.match(header) for p, _ in FOREIGN.values()):
            fault = check_own_header(root, place, header)
        if fault:
            yield f"{place}: {fault}"


def check_build_file(root, path):
    place = path.relative_to(root)
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    for other in sorted(set(TARGET.findall(text))):
        if forbidden_module(place.parts[0], other):
            yield f"{place}: {place.parts[0]} may not link {other}"


def folder_of(header):
    """The folder inside of its module that a file stands in; None at the module's top."""
    parts = pathlib.PurePosixPath(header).parts
    return "/".join(parts[:2]) if len(parts) > 2 and parts[0] in MAY_INCLUDE else None


def circles(root):
    """Folders of one module that include each other, the first such circle of each module."""
    for module in MAY_INCLUDE:
        needs = {}
        for path in files_below(root / module, lambda path: path.suffix in SOURCES):
            folder = folder_of(path.relative_to(root))
            for _, header in INCLUDE.findall(path.read_text(encoding="utf-8")):
                other = folder_of(header)
                if folder and other and other != folder and other.startswith(module + "/"):
                    needs.setdefault(folder, set()).add(other)
        try:
            graphlib.TopologicalSorter(needs).prepare()
        except graphlib.CycleError as error:
            yield f"{module}: its folders include each other: {' <- '.join(error.args[1])}"


def violations(root):
    yield from circles(root)
    for folder in (*MAY_INCLUDE, *USERS):
        for path in files_below(root / folder, lambda path: path.suffix in SOURCES):
            yield from check_source(root, path)
        for path in files_below(root / folder, lambda path: path.name == "CMakeLists.txt"):
            yield from check_build_file(root, path)


def main():
    found = list(violations(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) or "layering holds")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
