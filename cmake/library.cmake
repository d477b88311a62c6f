# The library that programs use: varylink::varylink_static, varylink::varylink_shared, and varylink::varylink, which is
# one of them as BUILD_SHARED_LIBS says.

# Both hold all object files of ours, so that the static one can be installed as one archive.
set(varylink_objects $<TARGET_OBJECTS:varylink_core> $<TARGET_OBJECTS:varylink_services> $<TARGET_OBJECTS:varylink_frontend>
                     $<TARGET_OBJECTS:varylink_api>)
set(varylink_outside varylink_dep_spirv)
if(VARYLINK_WITH_GLSLANG)
  list(APPEND varylink_outside varylink_dep_glslang)
endif()

function(varylink_library target kind)
  add_library(${target} ${kind} ${varylink_objects})
  add_library(varylink::${target} ALIAS ${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME varylink LINKER_LANGUAGE CXX)
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  foreach(dependency IN LISTS varylink_outside)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${dependency}>)
  endforeach()
  if(VARYLINK_SANITIZE)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

varylink_library(varylink_static STATIC)
# What a program that links the installed archive has to link too; see varylink-config.cmake.in.
foreach(dependency IN LISTS varylink_outside)
  get_target_property(parts ${dependency} VARYLINK_PARTS)
  target_link_libraries(varylink_static INTERFACE "$<INSTALL_INTERFACE:${parts}>")
endforeach()

# A program of which nothing is C++ is linked without the C++ run-time library, unless told.
foreach(runtime IN ITEMS stdc++ c++ m)
  if(runtime IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    target_link_libraries(varylink_static INTERFACE "$<INSTALL_INTERFACE:$<$<LINK_LANGUAGE:C>:${runtime}>>")
  endif()
endforeach()

varylink_library(varylink_shared SHARED)
target_compile_definitions(varylink_shared INTERFACE VARYLINK_SHARED)
# The sized structs of the C interface grow without breaking programs: the number changes when a function does.
set_target_properties(varylink_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)
if(WIN32)
  target_compile_definitions(varylink_api PRIVATE VARYLINK_BUILDING_SHARED)
  set_target_properties(varylink_static PROPERTIES OUTPUT_NAME varylink_static) # the import library is called varylink
elseif(NOT APPLE)
  target_link_options(varylink_shared PRIVATE "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map")
  set_target_properties(varylink_shared PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  if(NOT VARYLINK_SANITIZE AND NOT VARYLINK_BUILD_FUZZERS) # their run-time libraries come with the program
    target_link_options(varylink_shared PRIVATE LINKER:-z,defs)
  endif()
endif()

if(BUILD_SHARED_LIBS)
  add_library(varylink::varylink ALIAS varylink_shared)
else()
  add_library(varylink::varylink ALIAS varylink_static)
endif()
