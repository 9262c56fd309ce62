# What the presets dev and tsan switch on: warnings that are errors, and sanitizers. LibTorch itself is
# not built with sanitizers.
option(JITSCOPE_STRICT "Treat warnings as errors; run with sanitizers" OFF)
set(JITSCOPE_SANITIZERS address,undefined CACHE STRING "The sanitizers of a strict build")
if(JITSCOPE_STRICT)
  add_compile_options(-Wall -Wextra -Wpedantic -Werror
    # Rows and options are written with designated initializers; what they leave out has its default.
    -Wno-missing-field-initializers
    # GCC 12 sees uninitialized uses inside of c10::SmallVector that the sanitizers' own checks add;
    # Clang has no such warning.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_compile_options(-fsanitize=${JITSCOPE_SANITIZERS} -fno-omit-frame-pointer
    # A report ends the program: else a test that only prints one would pass.
    -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${JITSCOPE_SANITIZERS})
endif()
