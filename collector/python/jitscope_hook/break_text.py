"""Takes apart the text with which Dynamo explains a graph break.

    Graph break in user code at FILE:LINE
    Graph Break Reason: TYPE
      Explanation: …
      Hint: …

      Developer debug context: …

     For more details …
    User code traceback:
      File "FILE", line LINE, in FUNCTION

Version 2.6 has `Reason: Unsupported: TYPE` and no explanation.
"""
import collections
import re

from . import stacks

GraphBreak = collections.namedtuple("GraphBreak", "reason op explanation hint stack skips_frame")

LABEL = re.compile(r"^  (Explanation|Hint|Developer debug context|Higher Order Operator): ?(.*)$")
REASON = re.compile(r"^\s*(?:Graph Break )?Reason: (?:Unsupported: )?(.*)$")
SKIP_WORDS = ("Failed to handle graph break gracefully", "torch.compile will skip tracing the frame",
              "Skipping the function and falling back to eager")
PLACE = re.compile(r"user code at:? ?(.+):(\d+)\s*$", re.M)
# The page of the break in PyTorch's registry.
PAGE = re.compile(r"https?://\S+/gb/gb\d+\.html")
# What a reader would call the operator that broke, in explanations and debug contexts.
NAMED_OPERATORS = (
    re.compile(r"builtin operator `([^`]+)`"),
    re.compile(r"Operator `([^`]+)`"),
    re.compile(r"module: ([\w.]+), qualname: (?P<name>[\w.]+)"),
)


def first_reason(lines):
    """The type of the break, and the number of the line after it."""
    for number, line in enumerate(lines):
        found = REASON.match(line)
        if not found:
            continue
        reason = found.group(1).strip()
        # A sentence that says where it happened; the type follows after an empty line.
        if reason.endswith(":"):
            rest = [(place, text) for place, text in enumerate(lines[number + 1:], number + 1)
                    if text.strip()]
            if rest:
                return rest[0][1].strip(), rest[0][0] + 1
        return reason, number + 1
    return (lines[0].strip() if lines else ""), 1


def labelled(lines):
    """The texts behind the labels, in order; lines that are indented deeper go on with one."""
    parts = []
    for line in lines:
        found = LABEL.match(line)
        if found:
            parts.append([found.group(1), found.group(2)])
        elif line.startswith("    ") and parts:
            parts[-1][1] += " " + line.strip()
        elif line.strip() and not line.startswith("  "):
            break
    return parts


def operator_of(text):
    for pattern in NAMED_OPERATORS:
        found = pattern.search(text)
        if found:
            return found.groupdict().get("name") or found.group(1)
    return ""


def user_stack(text):
    marked = text.split("User code traceback:", 1)
    # Without the mark, what follows is the compiler's own stack.
    stack = stacks.stack_of_text(marked[1].split("\nTraceback (most recent call last)")[0]) \
        if len(marked) == 2 else ""
    place = PLACE.search(text)
    if not stack and place:
        stack = f"{place.group(1).strip()}:{place.group(2)}"
    return stack


def parse(text):
    """The GraphBreak that `text` tells of."""
    lines = text.splitlines()
    reason, after = first_reason(lines)
    parts = labelled(lines[after:])
    of = lambda label: "\n".join(content for name, content in parts if name == label)
    explanation = of("Explanation")
    page = PAGE.search(text)
    return GraphBreak(
        reason=reason,
        op=operator_of(explanation) or operator_of(of("Developer debug context")),
        explanation=explanation,
        hint="\n".join(filter(None, [of("Hint"), page and page.group(0)])),
        stack=user_stack(text),
        skips_frame=any(words in text for words in SKIP_WORDS))
