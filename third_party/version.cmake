# Writes the header with the version and the commit. Nothing in it depends on the time, the machine or the path.
include_guard(GLOBAL)

# The commit of this checkout in `result`, "unknown" outside git. A checkout that only lies inside somebody else's
# repository does not count.
function(varylink_git_hash result)
  set(${result} unknown PARENT_SCOPE)
  find_package(Git QUIET)
  if(NOT GIT_FOUND OR NOT EXISTS ${PROJECT_SOURCE_DIR}/.git)
    return()
  endif()
  execute_process(
    COMMAND ${GIT_EXECUTABLE} rev-parse --short=12 HEAD
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE hash
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT status EQUAL 0)
    return()
  endif()
  set(${result} ${hash} PARENT_SCOPE)

  # git appends to this log at every commit and checkout: configure again when that happens.
  execute_process(
    COMMAND ${GIT_EXECUTABLE} rev-parse --path-format=absolute --git-path logs/HEAD
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE head_log
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(EXISTS "${head_log}")
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${head_log}")
  endif()
endfunction()

function(varylink_write_version_header path)
  varylink_git_hash(varylink_git_hash)
  configure_file(${PROJECT_SOURCE_DIR}/src/core/base/version.h.in ${path} @ONLY)
endfunction()
