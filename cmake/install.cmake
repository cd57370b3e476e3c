# SPDX-License-Identifier: Apache-2.0
# Install and export: headers, a package that find_package(logitchain) finds, and one for
# pkg-config. All of it names its place relative to itself, so that a prefix may be moved.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(logitchain_package_dir "${CMAKE_INSTALL_DATADIR}/cmake/logitchain")

install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/include/logitchain"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "*.cuh")

install(TARGETS logitchain EXPORT logitchainTargets INCLUDES DESTINATION
                                                    "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT logitchainTargets NAMESPACE logitchain:: DESTINATION "${logitchain_package_dir}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/logitchainConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/logitchainConfig.cmake"
  INSTALL_DESTINATION "${logitchain_package_dir}"
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change names; a package of headers fits any architecture.
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/logitchainConfigVersion.cmake" COMPATIBILITY SameMinorVersion
                                                                      ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/logitchainConfig.cmake"
              "${PROJECT_BINARY_DIR}/logitchainConfigVersion.cmake"
        DESTINATION "${logitchain_package_dir}")

file(RELATIVE_PATH logitchain_include_from_pc "${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig"
     "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/logitchain.pc.in" "${PROJECT_BINARY_DIR}/logitchain.pc"
               @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/logitchain.pc"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
