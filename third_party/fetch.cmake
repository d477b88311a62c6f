# Pinned releases for VARYLINK_FETCH_DEPENDENCIES: the versions of Debian 12 where upstream tagged them, so that both ways
# of building test the same code. A mirror or an unpacked archive can stand in through CMake's own
# FETCHCONTENT_SOURCE_DIR_<NAME>.
include_guard(GLOBAL)
include(FetchContent)

set(SKIP_SPIRV_TOOLS_INSTALL ON)
set(SPIRV_HEADERS_SKIP_EXAMPLES ON CACHE BOOL "" FORCE)
set(SPIRV_HEADERS_SKIP_INSTALL ON CACHE BOOL "" FORCE)
set(SPIRV_SKIP_TESTS ON CACHE BOOL "" FORCE)
set(SPIRV_SKIP_EXECUTABLES ON CACHE BOOL "" FORCE)
set(SPIRV_WERROR OFF CACHE BOOL "" FORCE)
set(ENABLE_GLSLANG_BINARIES ON CACHE BOOL "" FORCE) # with them come the limits that are everybody's default
set(ENABLE_CTEST OFF CACHE BOOL "" FORCE)
set(ENABLE_HLSL OFF CACHE BOOL "" FORCE)
set(ENABLE_OPT OFF CACHE BOOL "" FORCE)
set(GLSLANG_TESTS OFF CACHE BOOL "" FORCE)
set(GLSLANG_ENABLE_INSTALL OFF CACHE BOOL "" FORCE)
set(JSON_BuildTests OFF CACHE BOOL "" FORCE)
set(CLI11_BUILD_TESTS OFF CACHE BOOL "" FORCE)
set(CLI11_BUILD_EXAMPLES OFF CACHE BOOL "" FORCE)
set(BENCHMARK_ENABLE_TESTING OFF CACHE BOOL "" FORCE)
set(BENCHMARK_ENABLE_INSTALL OFF CACHE BOOL "" FORCE)

set(varylink_release_SPIRV-Headers KhronosGroup/SPIRV-Headers sdk-1.3.239.0)
set(varylink_release_SPIRV-Tools KhronosGroup/SPIRV-Tools v2023.1)
set(varylink_release_glslang KhronosGroup/glslang 12.0.0)
set(varylink_release_nlohmann_json nlohmann/json v3.11.2)
set(varylink_release_CLI11 CLIUtils/CLI11 v2.3.2)
set(varylink_release_Catch2 catchorg/Catch2 v3.3.2)
set(varylink_release_benchmark google/benchmark v1.7.1)
set(varylink_release_zlib madler/zlib v1.2.13)
set(varylink_release_Vulkan-Headers KhronosGroup/Vulkan-Headers v1.3.239)

# Downloads the release and adds its targets to this build, without installing or testing it.
macro(varylink_fetch name)
  list(GET varylink_release_${name} 0 repository)
  list(GET varylink_release_${name} 1 tag)
  message(STATUS "Varylink: fetching ${repository} ${tag}")
  FetchContent_Declare(
    ${name}
    GIT_REPOSITORY https://github.com/${repository}.git
    GIT_TAG ${tag}
    GIT_SHALLOW ON
    SYSTEM)
  FetchContent_MakeAvailable(${name})
  # What nobody here needs, or who needs it builds it.
  foreach(
    program IN
    ITEMS glslangValidator spirv-remap zlib example minigzip example64 minigzip64 SPIRV-Tools-opt SPIRV-Tools-reduce
          SPIRV-Tools-link SPIRV-Tools-lint SPIRV-Tools-diff SPIRV-Tools-shared)
    if(TARGET ${program})
      get_target_property(varylink_real_target ${program} ALIASED_TARGET)
      if(NOT varylink_real_target)
        set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
      endif()
    endif()
  endforeach()
  if("${name}" STREQUAL "Catch2")
    FetchContent_GetProperties(Catch2 SOURCE_DIR catch2_source)
    list(APPEND CMAKE_MODULE_PATH ${catch2_source}/extras ${catch2_source}/contrib)
  endif()
endmacro()
