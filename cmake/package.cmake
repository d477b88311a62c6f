# cpack makes varylink_<version>_<architecture>.deb and a plain archive of what is installed.
set(CPACK_PACKAGE_NAME varylink)
set(CPACK_PACKAGE_VENDOR Varylink)
set(VARYLINK_PACKAGE_CONTACT "local build <root@localhost>" CACHE STRING "Whom packages name as their maintainer: Name <address>")
set(CPACK_PACKAGE_CONTACT "${VARYLINK_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)

find_program(VARYLINK_DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(VARYLINK_DPKG_SHLIBDEPS)
if(VARYLINK_DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  # What `varylink verify` opens; and what programs that link the static library need.
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS
      "libvulkan1, mesa-vulkan-drivers, libpng16-16t64 | libpng16-16, spirv-tools, spirv-headers, glslang-dev")
endif()
include(CPack)
