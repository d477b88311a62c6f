# Finds glslang by its files. Its CMake package cannot be relied on: where Debian splits glslang, it stops CMake unless
# glslangValidator is installed too, and its version file accepts one major version only.
include_guard(GLOBAL)

# Defines the target varylink::glslang, glslang and its SPIR-V generator, if they are there in version `floor` or newer, with
# the optimizer of SPIRV-Tools where that is there: the generator of distributions calls it, though never for us. Sets
# `version` to the version that was found, "" if none was.
function(varylink_find_glslang floor version)
  set(${version} "" PARENT_SCOPE)
  find_path(VARYLINK_GLSLANG_INCLUDE_DIR NAMES glslang/build_info.h)
  mark_as_advanced(VARYLINK_GLSLANG_INCLUDE_DIR)
  # Each before what it needs. Releases fold some of them into glslang itself.
  set(archives)
  foreach(name IN ITEMS SPIRV glslang-default-resource-limits glslang MachineIndependent OSDependent GenericCodeGen OGLCompiler)
    find_library(VARYLINK_GLSLANG_LIBRARY_${name} NAMES ${name})
    mark_as_advanced(VARYLINK_GLSLANG_LIBRARY_${name})
    if(VARYLINK_GLSLANG_LIBRARY_${name})
      list(APPEND archives ${VARYLINK_GLSLANG_LIBRARY_${name}})
    endif()
  endforeach()
  if(NOT VARYLINK_GLSLANG_INCLUDE_DIR OR NOT VARYLINK_GLSLANG_LIBRARY_glslang)
    return()
  endif()

  set(numbers)
  foreach(part IN ITEMS MAJOR MINOR PATCH)
    file(STRINGS ${VARYLINK_GLSLANG_INCLUDE_DIR}/glslang/build_info.h line REGEX "define GLSLANG_VERSION_${part} " LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+$" number "${line}")
    list(APPEND numbers ${number})
  endforeach()
  list(JOIN numbers "." found)
  set(${version} "${found}" PARENT_SCOPE)
  if(found VERSION_LESS floor OR TARGET varylink::glslang)
    return()
  endif()
  find_package(SPIRV-Tools-opt QUIET CONFIG GLOBAL)
  if(TARGET SPIRV-Tools-opt)
    list(APPEND archives SPIRV-Tools-opt)
  endif()
  add_library(varylink::glslang INTERFACE IMPORTED GLOBAL)
  set_target_properties(varylink::glslang PROPERTIES
                        INTERFACE_INCLUDE_DIRECTORIES ${VARYLINK_GLSLANG_INCLUDE_DIR}
                        INTERFACE_LINK_LIBRARIES "${archives}")
endfunction()
