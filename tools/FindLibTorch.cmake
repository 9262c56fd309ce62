# Finds the LibTorch inside an installed Python package `torch` and defines
#   LibTorch::LibTorch  headers, libtorch_cpu and libc10: all that a program without a GPU needs
#   LibTorch::Cuda      also libtorch_cuda, kept by the linker although no symbol of it is named
# torch's own package file is not used: it insists on a CUDA Toolkit and looks for GPUs.
#
# In: LIBTORCH_ROOT, the folder of the package; without it, the one that `python3` would import.
#     LIBTORCH_PYTHON, the Python that imports it, which the tests of Python programs run.
# Nothing is cached, so another LIBTORCH_ROOT takes effect in an old build folder.
if(NOT LIBTORCH_ROOT)
  find_program(LIBTORCH_PYTHON python3 NO_CACHE)
  execute_process(
    COMMAND ${LIBTORCH_PYTHON} -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
    OUTPUT_VARIABLE LIBTORCH_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()

find_path(LIBTORCH_INCLUDE_DIR ATen/core/Tensor.h PATHS ${LIBTORCH_ROOT}/include NO_DEFAULT_PATH NO_CACHE)
foreach(name cpu c10 cuda)
  string(TOUPPER LIBTORCH_${name}_LIBRARY variable)
  string(REGEX REPLACE "^(cpu|cuda)$" "torch_\\1" library ${name})
  find_library(${variable} ${library} PATHS ${LIBTORCH_ROOT}/lib NO_DEFAULT_PATH NO_CACHE)
endforeach()
if(EXISTS "${LIBTORCH_ROOT}/version.py")
  file(STRINGS "${LIBTORCH_ROOT}/version.py" version_line REGEX "^__version__")
  string(REGEX REPLACE ".*'([0-9.]+).*" "\\1" LibTorch_VERSION "${version_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LIBTORCH_CPU_LIBRARY LIBTORCH_C10_LIBRARY LIBTORCH_INCLUDE_DIR
  VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "run tools/setup.sh, or set LIBTORCH_ROOT to the folder of the Python package torch")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
    ${LIBTORCH_INCLUDE_DIR} ${LIBTORCH_INCLUDE_DIR}/torch/csrc/api/include)
  target_link_libraries(LibTorch::LibTorch INTERFACE ${LIBTORCH_CPU_LIBRARY} ${LIBTORCH_C10_LIBRARY})
  add_library(LibTorch::Cuda INTERFACE IMPORTED)
  target_link_libraries(LibTorch::Cuda INTERFACE LibTorch::LibTorch)
  if(LIBTORCH_CUDA_LIBRARY)
    target_link_libraries(LibTorch::Cuda INTERFACE
      -Wl,--push-state,--no-as-needed ${LIBTORCH_CUDA_LIBRARY} -Wl,--pop-state)
  endif()
endif()
