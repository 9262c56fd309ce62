"""Rows into the trace of this process, through libjitscope_python.so."""
import ctypes
import threading
import time

DROPPED = 0  # trace::LossKind::kDropped


def connect(library):
    """A Sink, or None when this process is not recorded or the library cannot be used."""
    # PyDLL: the calls are shorter than letting go of the interpreter's lock and taking it again.
    bridge = ctypes.PyDLL(library)
    bridge.jitscope_python_tables.restype = ctypes.c_char_p
    bridge.jitscope_python_intern.argtypes = (ctypes.c_char_p, ctypes.c_uint64)
    bridge.jitscope_python_intern.restype = ctypes.c_uint64
    bridge.jitscope_python_write.argtypes = (ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32)
    bridge.jitscope_python_write.restype = None
    bridge.jitscope_python_time_region.argtypes = (
        ctypes.py_object, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint64)
    bridge.jitscope_python_time_region.restype = ctypes.py_object
    bridge.jitscope_python_time_kernel.argtypes = (ctypes.py_object, ctypes.c_uint64)
    bridge.jitscope_python_time_kernel.restype = ctypes.py_object
    bridge.jitscope_python_follow.argtypes = (ctypes.py_object, ctypes.py_object)
    bridge.jitscope_python_follow.restype = ctypes.py_object
    return Sink(bridge) if bridge.jitscope_python_connect() else None


class Table:
    """A table of the trace: its columns in order, as the library describes them."""

    def __init__(self, number):
        self.number = number
        self.columns = []  # (name, is text, default)
        self.places = {}

    def add_column(self, kind, name, default):
        self.places[name] = len(self.columns)
        self.columns.append((name, kind == "text", int(default)))


def parse_tables(description):
    """The tables by name, from the lines `table ID NAME` and `number|text NAME DEFAULT`."""
    tables = {}
    table = None
    for line in description.splitlines():
        kind, *words = line.split(" ")
        if kind == "table":
            table = tables[words[1]] = Table(int(words[0]))
        else:
            table.add_column(kind, *words)
    return tables


class Sink:
    """Takes rows from any thread."""

    def __init__(self, bridge):
        self.bridge = bridge
        self._tables = parse_tables(bridge.jitscope_python_tables().decode())
        self._losses = set()

    def intern(self, text):
        """The id of a text in the trace."""
        content = text.encode("utf-8", "replace")
        return self.bridge.jitscope_python_intern(content, len(content)) if content else 0

    def write(self, table, **cells):
        """Writes one row; columns that are not named have the defaults of the trace."""
        table = self._tables[table]
        row = [default for _, _, default in table.columns]
        for name, value in cells.items():
            place = table.places[name]
            row[place] = self.intern(value) if table.columns[place][1] else int(value)
        values = (ctypes.c_int64 * len(row))(*row)
        self.bridge.jitscope_python_write(table.number, ctypes.addressof(values), len(row))

    def lose(self, text):
        """Says once what this trace does not hold."""
        if text not in self._losses:
            self._losses.add(text)
            self.write("loss", time_ns=time.time_ns(), kind=DROPPED, place="python", text=text,
                       amount=1)

    def time_region(self, graph, frame, attempt, resumed, name):
        """`graph`, with each of its calls written as a region."""
        return self.bridge.jitscope_python_time_region(graph, frame, attempt, resumed,
                                                       self.intern(name))

    def time_kernel(self, kernel, name):
        """`kernel`, with each of its calls written as an operator."""
        return self.bridge.jitscope_python_time_kernel(kernel, self.intern(name))

    def follow(self, function, follower):
        """`function`, whose calls give what `follower(arguments, result)` makes of their result."""
        return self.bridge.jitscope_python_follow(function, follower)

    def follow_method(self, method, follower):
        """As `follow`, for a function that is called as a method."""
        bind = ctypes.pythonapi.PyInstanceMethod_New
        bind.argtypes, bind.restype = (ctypes.py_object,), ctypes.py_object
        return bind(self.follow(method, follower))


def thread_id():
    """The kernel's id of the calling thread, as in all tables."""
    return threading.get_native_id()
