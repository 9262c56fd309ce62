"""The compilations that run, and the frames that they are of."""
import time

from . import compilation


class Book:
    """Which compilations run, and which frame of the trace a frame of Dynamo is.

    Dynamo numbers frames from 0 again after torch._dynamo.reset(); the trace goes on counting.
    """

    def __init__(self, trace):
        self._trace = trace
        self._running, self._ended = {}, {}
        self._frames, self._names, self._written = {}, {}, set()
        self._next_frame = 0

    @staticmethod
    def _key(metadata):
        return metadata["frame_id"], metadata.get("frame_compile_id") or 0

    def running(self, metadata):
        """The compilation that a record belongs to; None when it has ended or is not known."""
        return self._running.get(self._key(metadata))

    def known(self, metadata):
        """As `running`, also after the end: a backward graph is compiled when it is first run."""
        return self.running(metadata) or self._ended.get(self._key(metadata))

    def begin(self, metadata):
        key = self._key(metadata)
        if key in self._running:
            return self._running[key]
        if key in self._ended:
            self._ended.clear()
            self._frames.clear()
        frame = self._frames.get(key[0])
        if frame is None:
            frame = self._frames[key[0]] = self._next_frame
            self._next_frame += 1
        running = self._running[key] = compilation.Compilation(frame, key[1])
        return running

    def end(self, metadata):
        key = self._key(metadata)
        running = self._running.pop(key, None)
        if running is not None:
            self._ended[key] = running
        return running

    def name_frame(self, frame, name, file, line):
        self._names.setdefault(frame, (name, file, str(line)))

    def name_of(self, frame):
        return self._names.get(frame, ("", "", "0"))

    def refuse(self, function):
        """The compilation, of the function that was matched, that the limit does not let happen."""
        if function is None:
            return None
        refused = next((running for running in reversed(self._running.values())
                        if self.name_of(running.frame) == function.groups()), None)
        if refused is not None:
            refused.is_refused = True
        return refused

    def write_frame(self, frame, backend=""):
        if frame in self._written:
            return
        self._written.add(frame)
        name, file, line = self.name_of(frame)
        self._trace.write("frame", frame=frame, time_ns=time.time_ns(), name=name, file=file,
                          line=line or 0, backend=backend)

    def write_failures(self, running, caused):
        """Writes the guards that failed; `caused` is the compilation that followed, or -1."""
        for failure in running.failures:
            running.trigger = running.trigger or failure.text
            self._trace.write("guard_failure", frame=running.frame, attempt=failure.attempt,
                              time_ns=time.time_ns(), thread=running.thread, caused=caused,
                              source=failure.source, expected=failure.expected,
                              text=failure.text, stack=running.stack)
        running.failures = []
