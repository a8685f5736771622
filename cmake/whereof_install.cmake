# find_package(whereof CONFIG) for those who build on the libraries.
include(CMakePackageConfigHelpers)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/whereof-config.cmake.in
  ${PROJECT_BINARY_DIR}/whereof-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/whereof)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/whereof-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/whereof-config.cmake
              ${PROJECT_BINARY_DIR}/whereof-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/whereof)
install(EXPORT whereof_targets NAMESPACE whereof:: FILE whereof-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/whereof)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
