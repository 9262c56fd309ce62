"""Fails where a file breaks a rule of CONTRIBUTING.md that a machine can check in a moment.

    check_house_rules.py ROOT

Length of files, forbidden names, `#pragma once`, no `using namespace` at file level, no Torch-wide
header inside the modules, and no source that no CMakeLists.txt builds.
"""
import pathlib
import re
import sys

MODULES = ("trace", "collector", "compiler", "analyzer", "gui")
FOLDERS = (*MODULES, "tests", "samples", "tools")
CODE = {".h", ".cpp", ".cu", ".cuh", ".py", ".sh", ".cmake"}
CPP = {".h", ".cpp", ".cu", ".cuh"}
MOST_LINES = 600
FORBIDDEN = {"util", "utils", "common", "helper", "helpers", "misc", "base", "manager", "data"}
TYPE = re.compile(r"^\s*(?:class|struct|enum class|enum)\s+(?:\[\[\w+\]\]\s+)?(\w+)[^;]*$", re.M)
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
FILE_LEVEL_USING = re.compile(r"^using namespace\b", re.M)
WIDE_HEADER = re.compile(r"^\s*#\s*include\s*<(torch/(?:all|torch|extension)\.h|ATen/ATen\.h)>", re.M)


def words(name):
    return {word.lower() for word in WORD.findall(name)}


def check_names(place):
    """No folder and no file carries a name that says nothing."""
    for part in place.parts:
        for word in sorted(words(part.split(".")[0]) & FORBIDDEN):
            yield f"'{word}' in a name says nothing about '{part}'"


def check_types(text):
    for name in TYPE.findall(text):
        # Only the last word says what a thing is: BaseAddress is fine, AddressBase is not.
        last = WORD.findall(name)[-1:] or [""]
        if last[0].lower() in FORBIDDEN:
            yield f"type {name}: '{last[0].lower()}' says nothing"


def check_text(place, text):
    lines = text.count("\n")
    if lines > MOST_LINES:
        yield f"{lines} lines, {MOST_LINES} are the most: split it"
    if place.suffix not in CPP:
        return
    if place.suffix in {".h", ".cuh"} and "#pragma once" not in text:
        yield "a header needs #pragma once"
    if FILE_LEVEL_USING.search(text):
        yield "no 'using namespace' outside a function"
    if place.parts[0] in MODULES:
        for header in WIDE_HEADER.findall(text):
            yield f"<{header}> takes many seconds to compile: include the narrow header"
    yield from check_types(text)


def build_file_text(root, place):
    """What the CMakeLists.txt of the file's folder and of all folders above say, one after the other."""
    files = [root / folder / "CMakeLists.txt" for folder in place.parents]
    return "\n".join(path.read_text(encoding="utf-8") for path in files if path.is_file())


def is_listed(root, place):
    """Whether a build file names the source, by its file name or, as for samples, by its stem."""
    return re.search(rf"(?<!\w){re.escape(place.stem)}(?!\w)", build_file_text(root, place)) is not None


def violations(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            place = path.relative_to(root)
            if not path.is_file() or "__pycache__" in place.parts:
                continue
            faults = list(check_names(place))
            if path.suffix in CODE:
                faults += check_text(place, path.read_text(encoding="utf-8"))
            if path.suffix in {".cpp", ".cu"} and not is_listed(root, place):
                faults.append("no CMakeLists.txt builds it")
            yield from (f"{place}: {fault}" for fault in faults)


def main():
    found = list(violations(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) or "the house rules hold")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
