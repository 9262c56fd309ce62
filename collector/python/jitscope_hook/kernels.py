"""Times the kernels that Inductor generates for the processor.

They are timed where the generated module calls them, so its code, and the key under which it is
cached, stay what they are.
"""
import sys

KERNEL_PREFIX = "cpp_"
TIMED = "jitscope_wrapper"  # the name of what the library puts around a callable


def install(recorder):
    """Times the kernels of modules that are loaded from now on; False while Inductor is not there."""
    module = sys.modules.get("torch._inductor.codecache")
    cache = getattr(module, "PyCodeCache", None)
    if cache is None:
        return False
    load = getattr(cache, "load_by_key_path", None)
    if load is None:
        recorder.trace.lose("kernels of the processor are not recorded: this torch has no "
                            "PyCodeCache.load_by_key_path")
        return True
    cache.load_by_key_path = recorder.trace.follow(load, lambda _, loaded: timed(recorder, loaded))
    return True


def timed(recorder, module):
    names = vars(module)
    for name, kernel in list(names.items()):
        is_kernel = name.startswith(KERNEL_PREFIX) and callable(kernel)
        if is_kernel and getattr(kernel, "__name__", "") != TIMED:
            names[name] = recorder.trace.time_kernel(kernel, name)
    return module
