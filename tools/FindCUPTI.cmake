# Finds the headers of CUPTI, which is all that building needs, and defines
#   CUPTI::Headers  cupti.h and the CUDA headers that it includes
# They are looked for in the packages that torch was installed with, then in CUDA Toolkits. Version 13.0
# or newer: older ones lay records out otherwise.
#
# In: LIBTORCH_ROOT, the folder of the Python package torch; CUDAToolkit_ROOT; CUPTI_INCLUDE_DIR.
file(GLOB cupti_packages ${LIBTORCH_ROOT}/../nvidia/*/include)
find_path(CUPTI_INCLUDE_DIR cupti.h
  PATHS ${cupti_packages} ${CUDAToolkit_ROOT}/include ${CUDAToolkit_ROOT}/extras/CUPTI/include
    /usr/local/cuda/include /usr/local/cuda/extras/CUPTI/include
  NO_DEFAULT_PATH NO_CACHE)
# Where CUPTI stands in a folder of its own, cuda.h does not.
find_path(CUDA_INCLUDE_DIR cuda.h
  PATHS ${CUPTI_INCLUDE_DIR} ${cupti_packages} ${CUDAToolkit_ROOT}/include /usr/local/cuda/include
  NO_DEFAULT_PATH NO_CACHE)
# CUDA's headers include those of its compiler, which torch does not bring; Triton, which comes with
# torch, does.
find_path(CUDA_CRT_INCLUDE_DIR crt/host_defines.h
  PATHS ${CUDA_INCLUDE_DIR} ${cupti_packages} ${CUDAToolkit_ROOT}/include /usr/local/cuda/include
    ${LIBTORCH_ROOT}/../triton/backends/nvidia/include
  NO_DEFAULT_PATH NO_CACHE)
if(CUPTI_INCLUDE_DIR)
  file(STRINGS "${CUPTI_INCLUDE_DIR}/cupti_version.h" version_line REGEX "#define CUPTI_API_VERSION")
  string(REGEX REPLACE "[^0-9]*([0-9]+).*" "\\1" version_number "${version_line}")
  # Before 13.0 the number only counted releases.
  if(version_number GREATER_EQUAL 130000)
    math(EXPR version_major "${version_number} / 10000")
    math(EXPR version_minor "${version_number} / 100 % 100")
    set(CUPTI_VERSION ${version_major}.${version_minor})
    set(CUPTI_VERSION_MAJOR ${version_major})
  else()
    set(CUPTI_VERSION 12)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CUPTI
  REQUIRED_VARS CUPTI_INCLUDE_DIR CUDA_INCLUDE_DIR CUDA_CRT_INCLUDE_DIR
  VERSION_VAR CUPTI_VERSION
  REASON_FAILURE_MESSAGE "torch built for CUDA 13 brings it, so does a CUDA Toolkit, else set WITH_CUDA=OFF")

if(CUPTI_FOUND AND NOT TARGET CUPTI::Headers)
  add_library(CUPTI::Headers INTERFACE IMPORTED)
  target_include_directories(CUPTI::Headers SYSTEM INTERFACE
    ${CUPTI_INCLUDE_DIR} ${CUDA_INCLUDE_DIR} ${CUDA_CRT_INCLUDE_DIR})
endif()
