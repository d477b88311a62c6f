# Install rules: headers, both libraries, the command, and what CMake and pkg-config need to find them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/link_flags.cmake)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/varylink)
# Dependencies that were fetched are not installed, and a static library is nothing without them.
set(kinds shared static)
if(NOT SPIRV-Tools_DIR OR (VARYLINK_WITH_GLSLANG AND NOT TARGET varylink::glslang))
  list(REMOVE_ITEM kinds static)
  message(STATUS "Varylink: the static library will not be installed, since its dependencies are fetched")
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/varylink DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/python/varylink.py DESTINATION ${CMAKE_INSTALL_DATADIR}/varylink/python)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/integrations DESTINATION ${CMAKE_INSTALL_DATADIR}/varylink USE_SOURCE_PERMISSIONS)
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE)
# One export per library: a program that wants the shared one needs no SPIRV-Tools.
foreach(kind IN LISTS kinds)
  install(
    TARGETS varylink_${kind}
    EXPORT varylink-${kind}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT varylink-${kind} NAMESPACE varylink:: DESTINATION ${package_folder})
endforeach()
if(TARGET varylink)
  set_target_properties(varylink PROPERTIES EXPORT_NAME command)
  install(TARGETS varylink EXPORT varylink-command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT varylink-command NAMESPACE varylink:: DESTINATION ${package_folder})
endif()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/varylink-config.cmake.in ${PROJECT_BINARY_DIR}/varylink-config.cmake
  INSTALL_DESTINATION ${package_folder}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/varylink-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/varylink-config.cmake ${PROJECT_BINARY_DIR}/varylink-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/find_glslang.cmake ${PROJECT_SOURCE_DIR}/cmake/varylink_link_pipeline.cmake
        DESTINATION ${package_folder})

# The folder of the .pc file tells where the rest is, so that the whole tree can be moved.
set(folder /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH varylink_pc_prefix ${folder} /prefix)
string(REGEX REPLACE "/$" "" varylink_pc_prefix "${varylink_pc_prefix}")
cmake_path(SET varylink_pc_libdir NORMALIZE "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
cmake_path(SET varylink_pc_includedir NORMALIZE "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
set(varylink_pc_private "")
if("static" IN_LIST kinds)
  varylink_link_flags(varylink_pc_private ${varylink_outside})
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/varylink.pc.in ${PROJECT_BINARY_DIR}/varylink.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/varylink.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
