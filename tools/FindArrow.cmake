# Finds Arrow's C++ libraries with their headers, and defines
#   Arrow::Parquet  libparquet, and libarrow which it needs
# They are looked for in the Python package pyarrow, whose wheel holds all of it, else where the
# system's packages are.
#
# In: ARROW_ROOT, the folder of the Python package pyarrow.
if(ARROW_ROOT)
  set(arrow_places PATHS ${ARROW_ROOT} NO_DEFAULT_PATH)  # headers of one and libraries of another do not fit
else()
  set(arrow_places "")
endif()
find_path(ARROW_INCLUDE_DIR parquet/arrow/writer.h ${arrow_places} PATH_SUFFIXES include NO_CACHE)
# A wheel has no links without a version.
foreach(library arrow parquet)
  file(GLOB ${library}_names RELATIVE "${ARROW_ROOT}" "${ARROW_ROOT}/lib${library}.so.*")
  find_library(ARROW_${library}_LIBRARY NAMES ${${library}_names} ${library} ${arrow_places} NO_CACHE)
endforeach()
if(ARROW_INCLUDE_DIR)
  file(STRINGS "${ARROW_INCLUDE_DIR}/arrow/util/config.h" version_line REGEX "#define ARROW_VERSION_STRING")
  string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" Arrow_VERSION "${version_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arrow
  REQUIRED_VARS ARROW_parquet_LIBRARY ARROW_arrow_LIBRARY ARROW_INCLUDE_DIR
  VERSION_VAR Arrow_VERSION
  REASON_FAILURE_MESSAGE "tools/setup.sh brings it, else nothing is exported as Parquet")

if(Arrow_FOUND AND NOT TARGET Arrow::Parquet)
  add_library(Arrow::Parquet INTERFACE IMPORTED GLOBAL)
  target_include_directories(Arrow::Parquet SYSTEM INTERFACE ${ARROW_INCLUDE_DIR})
  target_link_libraries(Arrow::Parquet INTERFACE ${ARROW_parquet_LIBRARY} ${ARROW_arrow_LIBRARY})
endif()
