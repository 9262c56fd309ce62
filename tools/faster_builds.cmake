# A compiler cache and a quick linker, where the machine has them. Nothing depends on either.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Most of a source's time goes into its headers and into what they instantiate: eight sources share
# them. Names that are local to a source must then differ from those of its neighbours; where the same
# names are the natural ones, the source is compiled alone. tools/check_tidy.sh reads those alone that it is given by name.
option(JITSCOPE_UNITY "Compile several sources at once, which is quicker when all are to be compiled" ON)
set(CMAKE_UNITY_BUILD ${JITSCOPE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
if(JITSCOPE_UNITY)
  # GNU takes a source that is included for a header, whose classes must not hold what is local to it.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()
function(jitscope_compile_alone)  # SOURCE…
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
