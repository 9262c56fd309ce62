"""Takes apart how Dynamo prints guards and the reasons of recompilations."""
import collections
import json
import re

Guard = collections.namedtuple("Guard", "kind source expression")
Failure = collections.namedtuple("Failure", "attempt text source expected")

TREE_LINE = re.compile(r"^[|\s]*\+- (\w+)(?:: (.*))?$")
SOURCE = re.compile(r"source=(.*?), accessed_by=|source=(.*?)(?:, type=|$)")
REASON = re.compile(r"^(?:(?:!\d+/)?\d+/(\d+): )?(.*)$", re.S)
COMPARISON = re.compile(r"^([A-Za-z_][\w.\[\]'\"()]*) == (.+)$")
COMMENT = re.compile(r"\s+# .*$")


def guards(tree):
    """The guards of a printed tree, each with the source of the manager that it hangs from."""
    source = ""
    for line in tree.splitlines():
        found = TREE_LINE.match(line)
        if not found:
            continue
        kind, rest = found.group(1), found.group(2) or ""
        if kind.endswith("Manager"):
            named = SOURCE.search(rest)
            source = (named.group(1) or named.group(2) or "") if named else ""
        else:
            yield Guard(kind, source, COMMENT.sub("", rest))


def reasons(payload):
    """The reasons of a recompilation: a JSON list, or one reason as it is."""
    if payload.startswith("["):
        try:
            return [str(reason) for reason in json.loads(payload)]
        except ValueError:
            pass
    return [payload] if payload else []


def failure(reason):
    """One reason: the entry whose guard failed (-1 when it is not named), and why."""
    attempt, text = REASON.match(reason).groups()
    text = COMMENT.sub("", text.split("\nUser stack trace:")[0].splitlines()[0].strip()) if text else ""
    compared = COMPARISON.match(text)
    source, expected = compared.groups() if compared else ("", "")
    return Failure(int(attempt) if attempt else -1, text, source, expected)
