// A library that user code loads: calls back, so that its frame lies on the stack. Built with and
// without debug information.
extern "C" __attribute__((visibility("default"))) int callBackFromPlugin(int (*callback)(void*),
                                                                         void* argument) {
  return callback(argument) + 1;
}

// Named nearly as the C runtime's `_start`.
extern "C" __attribute__((visibility("default"))) int cold_start(int (*callback)(void*),
                                                                 void* argument) {
  return callback(argument) + 1;
}
