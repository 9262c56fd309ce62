"""Tells the observer of LibTorch's operators, if there is one, which entries are new.

It writes the calls: it sees every compiled region begin and end, but not why.
"""
import ctypes
import os

from . import stacks

LIBRARY = os.path.join(os.path.dirname(os.path.dirname(stacks.OWN_FOLDER)), "libjitscope_torch.so")


class Observer:
    """The calls do nothing when operators are not recorded."""

    def __init__(self):
        self._library = None

    def expect(self, dynamo_frame, attempt, frame):
        """The next region DYNAMO_FRAME/ATTEMPT is the call that compiled this entry of `frame`."""
        self._call("jitscope_torch_expect_v1", dynamo_frame, attempt, frame)

    def compiling(self):
        """A compilation begins on this thread."""
        self._call("jitscope_torch_compiling_v1")

    def failed(self):
        """The compilation that began on this thread made no entry."""
        self._call("jitscope_torch_failed_v1")

    def limit(self, frame):
        """Calls of `frame` that no entry serves run eagerly from now on."""
        self._call("jitscope_torch_limit_v1", frame)

    def _call(self, name, *numbers):
        if self._library is None:
            # Only if the preloaded library has opened it: it knows whether this torch is right for it.
            mode = os.RTLD_NOW | os.RTLD_NOLOAD
            try:
                self._library = ctypes.PyDLL(LIBRARY, mode=mode)
            except OSError:
                return
        getattr(self._library, name)(*map(ctypes.c_int64, numbers))
