"""Stacks as the trace has them: a line `FILE:LINE FUNCTION` for each frame, innermost first."""
import os
import re
import sys

OWN_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep
# How Python prints a frame of a traceback.
TRACEBACK_FRAME = re.compile(r'^\s*File "(.+)", line (\d+), in (.+?)\s*$', re.M)


def is_machinery(file, torch_folder):
    """Whether a file is no user's code: torch's, Python's own, or one of these."""
    if file.startswith((OWN_FOLDER, "<frozen", torch_folder)):
        return True
    return file.startswith(STANDARD_LIBRARY) and "-packages" + os.sep not in file


def calling_stack():
    """The user's part of the stack of the calling thread."""
    torch = getattr(sys.modules.get("torch"), "__file__", None)
    torch_folder = os.path.dirname(torch) + os.sep if torch else OWN_FOLDER
    lines = []
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not is_machinery(code.co_filename, torch_folder):
            lines.append(f"{code.co_filename}:{frame.f_lineno} {code.co_name}")
        frame = frame.f_back
    return "\n".join(lines)


def stack_of_text(text):
    """The stack in a traceback that was printed, which has its innermost frame last."""
    frames = TRACEBACK_FRAME.findall(text)
    return "\n".join(f"{file}:{line} {name}" for file, line, name in reversed(frames))


class FileNames:
    """The file names that the structured trace refers to by number."""

    def __init__(self):
        self._names = {}

    def add(self, entry):
        """Takes the content of a record `str`: a name and its number."""
        name, number = entry
        self._names[number] = name

    def stack(self, frames):
        """The stack of a list of frames as records hold them, innermost last."""
        lines = []
        for frame in reversed(frames or []):
            file = self._names.get(frame.get("filename"), "")
            lines.append(f"{file}:{frame.get('line', 0)} {frame.get('name', '')}")
        return "\n".join(lines)
