# `cmake --install`: the programs, what is injected into recorded processes, and a CMake package that
# gives `find_package(jitscope)` the target jitscope::compiler. Headers keep their paths from the
# repository's root: #include "compiler/compiler.h".
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/jitscope)

foreach(module trace compiler)
  if(TARGET jitscope_${module})
    set_target_properties(jitscope_${module} PROPERTIES EXPORT_NAME ${module})
    install(TARGETS jitscope_${module} EXPORT jitscope_targets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
      INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/jitscope)
    # Public headers alone: what lies deeper is private to its module.
    install(DIRECTORY ${module} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/jitscope
      FILES_MATCHING PATTERN "*.h" REGEX "/${module}/[^/.]+$" EXCLUDE)
  endif()
endforeach()
# What a program steers its recording with needs no library.
install(FILES collector/control.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/jitscope/collector)
install(TARGETS jitscope_fmt EXPORT jitscope_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT jitscope_targets NAMESPACE jitscope:: DESTINATION ${package_dir})

configure_package_config_file(tools/jitscope-config.cmake.in jitscope-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(jitscope-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/jitscope-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/jitscope-config-version.cmake
  tools/FindLibTorch.cmake
  DESTINATION ${package_dir})
