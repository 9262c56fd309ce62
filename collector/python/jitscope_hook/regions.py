"""Marks each execution of a compiled graph, whatever the backend that made it."""
import re
import sys

RESUMED = re.compile(r"torch_dynamo_resume_in_(.+)_at_\d+$")


def install(recorder):
    """Marks the graphs that are compiled from now on; False while Dynamo is not there."""
    module = sys.modules.get("torch._dynamo.output_graph")
    if module is None:
        return False
    graphs = getattr(module, "OutputGraph", None)
    compiler = getattr(graphs, "call_user_compiler", None)
    if compiler is None:
        recorder.trace.lose("regions are not recorded: this torch has no "
                            "OutputGraph.call_user_compiler")
        return True
    graphs.call_user_compiler = recorder.trace.follow_method(
        compiler, lambda arguments, graph: marked(recorder, arguments[0], graph))
    return True


def original_name(name):
    """The name of the user's function that a frame, or what Dynamo cut off it, is of."""
    found = RESUMED.match(name)
    return found.group(1) if found else name


def resumed_frame(book, frame):
    """The frame whose break `frame` goes on after; -1 when it is a whole function."""
    name, file, _ = book.name_of(frame)
    function = original_name(name)
    if function == name:
        return -1
    # Of the parts of that function, the one that was compiled last before it.
    for other in range(frame - 1, -1, -1):
        other_name, other_file, _ = book.name_of(other)
        if other_file == file and original_name(other_name) == function:
            return other
    return -1


def really_forward(graph):
    """As Dynamo does with a module that would write its code only when it is called."""
    owner = getattr(graph, "__self__", None)
    recompile = getattr(type(owner), "force_recompile", None)
    if getattr(graph, "__name__", "") == "_lazy_forward" and recompile is not None:
        recompile(owner)
        return owner.forward
    return graph


def marked(recorder, output_graph, graph):
    """`graph` with its calls marked, or as it is."""
    # A package is written to disk with the graph in it.
    if getattr(output_graph, "package", None) is not None or not callable(graph):
        return graph
    guards = sys.modules["torch._guards"]
    compile_id = guards.CompileContext.current_compile_id()
    running = compile_id and recorder.book.running(
        {"frame_id": compile_id.frame_id, "frame_compile_id": compile_id.frame_compile_id})
    if not running:
        return graph
    backend = getattr(output_graph, "compiler_fn", None)
    name = getattr(backend, "compiler_name", None) or getattr(backend, "__name__", "")
    recorder.book.write_frame(running.frame, str(name))
    return recorder.trace.time_region(really_forward(graph), running.frame, running.attempt,
                                      resumed_frame(recorder.book, running.frame),
                                      running.graph_name)
