# Finds everything Varylink stands on. Installed packages come first; VARYLINK_FETCH_DEPENDENCIES builds pinned releases
# on platforms that have none.
#
# The rest of the build only sees these targets:
#   varylink_dep_spirv       SPIRV-Tools without its optimizer, static, with SPIRV-Headers
#   varylink_dep_glslang     glslang and its SPIR-V generator        (VARYLINK_WITH_GLSLANG)
#   varylink_dep_json        nlohmann-json
#   varylink_dep_cli11       CLI11                                   (VARYLINK_BUILD_COMMAND or VARYLINK_BUILD_TESTS)
#   varylink_dep_allocator   mimalloc in place of the C library's malloc  (VARYLINK_HAVE_MIMALLOC)
#   varylink_dep_zlib        zlib, for Fossilize databases           (VARYLINK_HAVE_ZLIB)
#   varylink_dep_vulkan      the headers of Vulkan                   (VARYLINK_HAVE_VULKAN)
#   varylink_dep_catch2      Catch2 2 or 3 without a main            (VARYLINK_BUILD_TESTS)
#   varylink_dep_benchmark   Google Benchmark                        (VARYLINK_BUILD_BENCH)
#   varylink_dep_spirv_opt   the optimizer of SPIRV-Tools            (VARYLINK_BUILD_BENCH)
#
# The Vulkan loader and libpng are opened when `verify` needs them (src/services/platform/late_library.h), and never linked.
include_guard(GLOBAL)

option(VARYLINK_FETCH_DEPENDENCIES "Download and build pinned releases of missing dependencies" OFF)
option(VARYLINK_WITH_GLSLANG "Build the GLSL front end (needs glslang)" ON)
set(VARYLINK_WITH_VULKAN AUTO CACHE STRING "Build what draws on a Vulkan driver: ON, OFF or AUTO (when the loader is there)")
set_property(CACHE VARYLINK_WITH_VULKAN PROPERTY STRINGS AUTO ON OFF)

set(VARYLINK_ALLOCATOR AUTO CACHE STRING "Allocator of the command: MIMALLOC, SYSTEM or AUTO (mimalloc when it is there)")
set_property(CACHE VARYLINK_ALLOCATOR PROPERTY STRINGS AUTO MIMALLOC SYSTEM)

find_package(Threads REQUIRED)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/find_glslang.cmake)

if(VARYLINK_FETCH_DEPENDENCIES)
  include(${CMAKE_CURRENT_LIST_DIR}/fetch.cmake)
endif()

# Says which package is missing and how to get it. `floor` may be empty, `debian` is the name of the Debian package.
function(varylink_report_missing name floor debian)
  if(floor)
    set(wanted "${name} ${floor} or newer")
  else()
    set(wanted "${name}")
  endif()
  if(${name}_CONSIDERED_VERSIONS)
    string(APPEND wanted " (only ${${name}_CONSIDERED_VERSIONS} is there)")
  endif()
  message(
    FATAL_ERROR
      "${wanted} was not found.\n"
      "  Debian, Ubuntu:  apt-get install ${debian}   (all packages at once: third_party/install-debian.sh)\n"
      "  elsewhere:       point CMAKE_PREFIX_PATH at an installation, or configure with "
      "-DVARYLINK_FETCH_DEPENDENCIES=ON to build a pinned release")
endfunction()

# find_package with a version floor for packages that ship a version file. With VARYLINK_FETCH_DEPENDENCIES a package
# that is not installed is fetched. The floor is compared here: version files of some packages refuse every major version
# but the one that was asked for.
macro(varylink_find name floor debian)
  find_package(${name} QUIET CONFIG)
  if(${name}_FOUND AND ${name}_VERSION AND "${floor}" AND ${name}_VERSION VERSION_LESS "${floor}")
    set(${name}_CONSIDERED_VERSIONS ${${name}_VERSION})
    set(${name}_FOUND FALSE)
  endif()
  if(NOT ${name}_FOUND AND VARYLINK_FETCH_DEPENDENCIES)
    varylink_fetch(${name})
    set(${name}_FOUND TRUE)
  endif()
  if(NOT ${name}_FOUND)
    varylink_report_missing(${name} "${floor}" ${debian})
  endif()
endmacro()

# An interface target that links the named parts of a dependency. Each is tried with the namespace in front first, which
# installed packages have and some source trees have not. Parts that do not exist are left out, since releases fold
# libraries into each other; the first part must exist. The property VARYLINK_PARTS of the target lists what it links, for
# the package that is installed.
function(varylink_dependency target namespace)
  add_library(${target} INTERFACE)
  set(parts)
  foreach(part IN LISTS ARGN)
    if(TARGET ${namespace}::${part})
      list(APPEND parts ${namespace}::${part})
    elseif(TARGET ${part} OR part STREQUAL "${ARGV2}")
      list(APPEND parts ${part})
    endif()
  endforeach()
  target_link_libraries(${target} INTERFACE ${parts})
  set_target_properties(${target} PROPERTIES VARYLINK_PARTS "${parts}")
endfunction()

# SPIRV-Tools' CMake package carries no version; its pkg-config file next to it does.
function(varylink_require_spirv_tools_version floor)
  foreach(candidate "${SPIRV-Tools_DIR}/../../pkgconfig/SPIRV-Tools.pc" "${SPIRV-Tools_DIR}/../pkgconfig/SPIRV-Tools.pc")
    if(EXISTS "${candidate}")
      file(STRINGS "${candidate}" line REGEX "^Version:" LIMIT_COUNT 1)
      string(REGEX MATCH "[0-9]+\\.[0-9]+" version "${line}")
      if(version VERSION_LESS floor)
        set(SPIRV-Tools_CONSIDERED_VERSIONS ${version})
        varylink_report_missing(SPIRV-Tools ${floor} spirv-tools)
      endif()
      return()
    endif()
  endforeach()
  message(STATUS "SPIRV-Tools in ${SPIRV-Tools_DIR} does not tell its version; ${floor} or newer is needed")
endfunction()

# SPIRV-Headers of Debian 12 calls itself 1.5.5 although it is the 1.3.239.0 release.
varylink_find(SPIRV-Headers 1.5.5 spirv-headers)
varylink_find(SPIRV-Tools "" spirv-tools)
if(SPIRV-Tools_DIR)
  varylink_require_spirv_tools_version(2023.1)
endif()
varylink_dependency(varylink_dep_spirv SPIRV-Headers SPIRV-Tools-static SPIRV-Headers)

varylink_find(nlohmann_json 3.11 nlohmann-json3-dev)
varylink_dependency(varylink_dep_json nlohmann_json nlohmann_json)

# Without it the command says so when it meets a Fossilize database.
find_package(ZLIB QUIET)
set(VARYLINK_HAVE_ZLIB ${ZLIB_FOUND})
if(ZLIB_FOUND)
  varylink_dependency(varylink_dep_zlib ZLIB ZLIB)
elseif(VARYLINK_FETCH_DEPENDENCIES)
  set(SKIP_INSTALL_ALL ON) # of zlib
  varylink_fetch(zlib)
  set(VARYLINK_HAVE_ZLIB ON)
  add_library(varylink_dep_zlib INTERFACE)
  target_link_libraries(varylink_dep_zlib INTERFACE zlibstatic)
  target_include_directories(varylink_dep_zlib SYSTEM INTERFACE ${zlib_SOURCE_DIR} ${zlib_BINARY_DIR})
endif()

if(VARYLINK_BUILD_COMMAND OR VARYLINK_BUILD_TESTS)
  varylink_find(CLI11 2.1 libcli11-dev)
  varylink_dependency(varylink_dep_cli11 CLI11 CLI11)
endif()

# Only for the command: which allocator a program uses that takes the library in is for that program to say. The
# sanitizers bring their own.
set(VARYLINK_HAVE_MIMALLOC OFF)
if(WIN32)
  if(VARYLINK_ALLOCATOR STREQUAL "MIMALLOC")
    message(FATAL_ERROR "VARYLINK_ALLOCATOR=MIMALLOC: on Windows nothing takes malloc's place by being linked")
  endif()
elseif(VARYLINK_BUILD_COMMAND AND NOT VARYLINK_ALLOCATOR STREQUAL "SYSTEM" AND NOT VARYLINK_SANITIZE)
  find_package(mimalloc QUIET CONFIG)
  if(TARGET mimalloc)
    set(VARYLINK_HAVE_MIMALLOC ON)
    add_library(varylink_dep_allocator INTERFACE)
    # Nothing of the command names mimalloc: it takes malloc's place by being there. Its operator new, which is C, ends the
    # process where there is no memory: that of libstdc++, which comes first, throws and takes its memory from malloc, too.
    target_link_libraries(varylink_dep_allocator INTERFACE -Wl,--push-state,--no-as-needed stdc++ mimalloc -Wl,--pop-state)
  elseif(VARYLINK_ALLOCATOR STREQUAL "MIMALLOC")
    varylink_report_missing(mimalloc "" libmimalloc-dev)
  endif()
endif()

if(VARYLINK_WITH_GLSLANG)
  varylink_find_glslang(12.0 glslang_CONSIDERED_VERSIONS)
  if(TARGET varylink::glslang)
    varylink_dependency(varylink_dep_glslang varylink glslang)
  elseif(VARYLINK_FETCH_DEPENDENCIES)
    varylink_fetch(glslang)
    varylink_dependency(varylink_dep_glslang glslang SPIRV glslang glslang-default-resource-limits)
  else()
    varylink_report_missing(glslang 12.0 glslang-dev)
  endif()
endif()

set(VARYLINK_HAVE_VULKAN OFF)
if(NOT VARYLINK_WITH_VULKAN STREQUAL "OFF")
  find_package(Vulkan 1.3 QUIET)
  if(Vulkan_FOUND)
    set(VARYLINK_HAVE_VULKAN ON)
    varylink_dependency(varylink_dep_vulkan Vulkan Headers)
  elseif(Vulkan_INCLUDE_DIR AND Vulkan_VERSION VERSION_GREATER_EQUAL 1.3) # without a loader, which nobody links
    set(VARYLINK_HAVE_VULKAN ON)
    add_library(varylink_dep_vulkan INTERFACE)
    target_include_directories(varylink_dep_vulkan SYSTEM INTERFACE ${Vulkan_INCLUDE_DIR})
  elseif(VARYLINK_FETCH_DEPENDENCIES)
    varylink_fetch(Vulkan-Headers)
    set(VARYLINK_HAVE_VULKAN ON)
    varylink_dependency(varylink_dep_vulkan Vulkan Headers)
  elseif(NOT VARYLINK_WITH_VULKAN STREQUAL "AUTO")
    varylink_report_missing(Vulkan 1.3 libvulkan-dev)
  endif()
endif()

set(VARYLINK_HAVE_PNG OFF)
if(VARYLINK_HAVE_VULKAN)
  find_package(PNG 1.6 QUIET)
  if(PNG_FOUND)
    set(VARYLINK_HAVE_PNG ON)
  endif()
endif()

if(VARYLINK_BUILD_TESTS)
  varylink_find(Catch2 2.13 catch2)
  varylink_dependency(varylink_dep_catch2 Catch2 Catch2)
  if(Catch2_DIR)
    list(APPEND CMAKE_MODULE_PATH ${Catch2_DIR}) # for include(Catch)
  endif()
endif()

if(VARYLINK_BUILD_BENCH)
  varylink_find(benchmark 1.7 libbenchmark-dev)
  varylink_dependency(varylink_dep_benchmark benchmark benchmark)
  if(SPIRV-Tools_DIR)
    varylink_find(SPIRV-Tools-opt "" spirv-tools)
  endif()
  varylink_dependency(varylink_dep_spirv_opt SPIRV-Tools SPIRV-Tools-opt)
endif()

message(STATUS "Varylink: GLSL front end ${VARYLINK_WITH_GLSLANG}, Vulkan ${VARYLINK_HAVE_VULKAN}, libpng ${VARYLINK_HAVE_PNG}")
