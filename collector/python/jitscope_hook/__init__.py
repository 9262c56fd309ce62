"""What jitscope runs inside of a recorded Python program: torch.compile's own account of its work,
written to the trace of the process.

The preloaded library starts it while torch is being imported, before any code of torch's has run
that it must come ahead of. Everything here is a guest: it prints nothing, raises nothing, and what
it cannot do is one row of the loss table.
"""
import logging

from . import handler, sink


def start(library):
    """Begins to record; `library` is the path of libjitscope_python.so."""
    try:
        trace = sink.connect(library)
        if trace is not None:
            recorder = handler.TraceHandler(trace)
            logging.getLogger(handler.STRUCTURED_TRACE).addHandler(recorder)
            logging.getLogger(handler.LIMIT_WARNINGS).addHandler(handler.LimitHandler(recorder))
    except Exception:  # the program is more important than its trace
        pass
