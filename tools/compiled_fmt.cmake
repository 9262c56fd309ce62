# The target jitscope_fmt: fmt, compiled once. Used from its headers alone it takes two thirds of the
# time of every source that formats. Debian has the compiled library only as a shared one, which what
# is injected into other programs must not bring with it.
find_package(fmt 9 REQUIRED)
add_library(jitscope_fmt STATIC tools/compiled_fmt.cpp)
get_target_property(fmt_headers fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(jitscope_fmt SYSTEM PUBLIC $<BUILD_INTERFACE:${fmt_headers}>)
target_compile_features(jitscope_fmt PUBLIC cxx_std_20)
# No sanitizers, for what is injected has none.
target_compile_options(jitscope_fmt PRIVATE -fno-sanitize=all)
set_target_properties(jitscope_fmt PROPERTIES EXPORT_NAME fmt POSITION_INDEPENDENT_CODE ON)
