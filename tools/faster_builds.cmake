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

# LibTorch's headers take ten seconds, what a source adds to them three: several sources share one
# reading. clang-tidy takes them one by one.
option(JITSCOPE_UNITY "Compile several sources at once where their headers take longest" ON)
function(jitscope_unity target sources)  # how many at once
  if(JITSCOPE_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${sources})
  endif()
endfunction()
