# varylink_link_pipeline and varylink_link_manifest: shaders are linked as part of a build.
include_guard(GLOBAL)
# Functions keep the policies of the place where they are defined: these do not depend on those of the project. CMP0116, of
# CMake 3.20, says how paths in dependency files are meant.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

# varylink_link_pipeline(
#   NAME name                  of the pipeline, which may have folders in front (world/lit), and of the target that builds it
#   STAGES file...             GLSL, SPIR-V or SPIR-V assembly, relative to the current source folder; STAGE=FILE where
#                              the suffix (x.vert, x.frag.glsl) does not tell the stage
#   [TARGET target]            name of the target. Without it, that of the pipeline with "_" for what targets cannot be
#                              called, and "_pipeline" behind it if there is such a target already
#   [OUTPUT_DIR folder]        relative to the current binary folder, which is the default. With a generator of several
#                              configurations, one with $<CONFIG> in it has results for each
#   [STATE state]              what the pipeline is made with, as for --pipeline-state (docs/pipeline-state.md): a file,
#                              relative to the current source folder, or the JSON itself, "{\"rasterizationSamples\": 1}"
#   [SPECIALIZATION value...]  STAGE:ID=VALUE, such as frag:0=4 or vert:3=true: the specialization constants of the stages.
#                              A file for STATE has them in itself
#   [OPTIONS option...]        options of `varylink link`, such as -O1 or -I${CMAKE_CURRENT_SOURCE_DIR}/include
#   [OUTPUTS variable]         gets the paths of the results
# )
#
# The results are OUTPUT_DIR/name.<stage>.spv, without that of a fragment stage that rasterizerDiscardEnable takes out, and the target is part of "all". They are made again when a stage, a file that
# it includes, the state, or varylink changed. With Ninja, nothing that depends on a result is, unless its bytes changed. Uses the target
# varylink::command, or the program that VARYLINK_COMMAND names, which is what a cross build needs.
function(varylink_link_pipeline)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "NAME;TARGET;OUTPUT_DIR;OUTPUTS;STATE" "STAGES;OPTIONS;SPECIALIZATION")
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "varylink_link_pipeline: unknown argument ${given_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT given_NAME OR NOT given_STAGES)
    message(FATAL_ERROR "varylink_link_pipeline needs NAME and STAGES")
  endif()
  varylink_output_folder(folder "${given_OUTPUT_DIR}")

  varylink_choose_target(target "${given_TARGET}" ${given_NAME})
  varylink_state_file(
    state ${CMAKE_CURRENT_BINARY_DIR}/${target}.varylink.state.json "${given_STATE}" "${given_SPECIALIZATION}")
  set(description "{}")
  if(EXISTS "${state}")
    file(READ ${state} description)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${state})
  endif()
  varylink_is_discarded_by_options(discarded "${given_OPTIONS}")
  varylink_is_discarded(discarded "${description}" ${discarded})

  set(arguments)
  set(sources)
  set(outputs)
  set(stage_names "vert|tesc|tese|geom|task|mesh|frag")
  foreach(text IN LISTS given_STAGES)
    if(text MATCHES "^(${stage_names})=(.+)$")
      set(stage ${CMAKE_MATCH_1})
      set(source ${CMAKE_MATCH_2})
    elseif(text MATCHES "[.](${stage_names})([.](glsl|spv|spvasm))?$")
      set(stage ${CMAKE_MATCH_1})
      set(source ${text})
    else()
      message(FATAL_ERROR "varylink_link_pipeline: which stage is ${text}? Write STAGE=${text}, with one of ${stage_names}")
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    set(output ${folder}/${given_NAME}.${stage}.spv)
    list(APPEND sources ${source})
    if(stage STREQUAL frag AND discarded)
      message(STATUS "varylink_link_pipeline: ${given_NAME} has no frag stage: with rasterizerDiscardEnable it never runs")
      list(APPEND arguments ${stage}=${source})
      continue()
    endif()
    list(APPEND outputs ${output})
    list(APPEND arguments ${stage}=${source} -o ${stage}=${output})
  endforeach()
  if(state)
    list(APPEND sources ${state})
    list(APPEND arguments --pipeline-state ${state})
  endif()

  varylink_add_link_command(
    "Linking shader pipeline ${given_NAME}" ${target}
    OUTPUTS ${outputs}
    SOURCES ${sources}
    ARGUMENTS ${arguments} ${given_OPTIONS})
  add_custom_target(${target} ALL DEPENDS ${outputs})
  if(given_OUTPUTS)
    set(${given_OUTPUTS} ${outputs} PARENT_SCOPE)
  endif()
endfunction()

# The file that says what STATE and SPECIALIZATION do, "" for neither. JSON and values are written to `place`, whose time
# changes with them only.
function(varylink_state_file result place state specialization)
  set(${result} "" PARENT_SCOPE)
  if(NOT state STREQUAL "" AND NOT state MATCHES "^[ \t\r\n]*{")
    if(specialization)
      message(FATAL_ERROR "varylink_link_pipeline: with a file for STATE, SPECIALIZATION stands in it, under \"stages\"")
    endif()
    cmake_path(ABSOLUTE_PATH state BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    set(${result} ${state} PARENT_SCOPE)
    return()
  endif()
  if(state STREQUAL "" AND NOT specialization)
    return()
  endif()
  if(state STREQUAL "")
    set(state "{}")
  endif()
  # The value of "state" alone may stand for a whole description.
  set(whole)
  foreach(member IN ITEMS state stages layout)
    string(JSON type ERROR_VARIABLE missing TYPE "${state}" ${member})
    if(NOT missing)
      set(whole TRUE)
    endif()
  endforeach()
  if(specialization AND NOT whole)
    string(JSON state ERROR_VARIABLE problem SET "{}" state "${state}")
    if(problem)
      message(FATAL_ERROR "varylink_link_pipeline: STATE is not JSON: ${problem}")
    endif()
  endif()
  foreach(text IN LISTS specialization)
    if(NOT text MATCHES "^(vert|tesc|tese|geom|task|mesh|frag):([0-9]+)=(.+)$")
      message(FATAL_ERROR "varylink_link_pipeline: SPECIALIZATION is STAGE:ID=VALUE, not ${text}")
    endif()
    set(path stages ${CMAKE_MATCH_1} specialization)
    set(id ${CMAKE_MATCH_2})
    set(value ${CMAKE_MATCH_3})
    foreach(depth IN ITEMS 1 2 3)
      list(SUBLIST path 0 ${depth} part)
      string(JSON type ERROR_VARIABLE missing TYPE "${state}" ${part})
      if(missing)
        string(JSON state SET "${state}" ${part} "{}")
      endif()
    endforeach()
    string(JSON state ERROR_VARIABLE problem SET "${state}" ${path} ${id} "${value}")
    if(problem)
      message(FATAL_ERROR "varylink_link_pipeline: SPECIALIZATION ${text}: ${problem}")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${place} CONTENT "${state}\n" @ONLY)
  set(${result} ${place} PARENT_SCOPE)
endfunction()

# Whether the description of a pipeline, or its state alone, says that nothing is rasterized; `otherwise` if it says neither.
function(varylink_is_discarded result description otherwise)
  set(${result} ${otherwise} PARENT_SCOPE)
  string(JSON state ERROR_VARIABLE missing GET "${description}" state)
  if(missing)
    set(state "${description}")
  endif()
  string(JSON discard ERROR_VARIABLE missing GET "${state}" rasterizerDiscardEnable)
  string(JSON dynamic ERROR_VARIABLE is_not_dynamic GET "${state}" dynamicStates)
  if(NOT is_not_dynamic AND dynamic MATCHES "RASTERIZER_DISCARD_ENABLE")
    set(${result} OFF PARENT_SCOPE)
  elseif(NOT missing)
    set(${result} ${discard} PARENT_SCOPE)
  endif()
endfunction()

# The same for what `options` of the command say about all pipelines.
function(varylink_is_discarded_by_options result options)
  set(${result} OFF PARENT_SCOPE)
  if("${options}" MATCHES "(^|;)--pipeline-state[=;]([^;]+)")
    set(file ${CMAKE_MATCH_2})
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
    if(EXISTS ${file})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      file(READ ${file} state)
      varylink_is_discarded(discarded "${state}" OFF)
      set(${result} ${discarded} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# varylink_link_manifest(
#   NAME name                  of the target that links all pipelines of the manifest
#   MANIFEST file              relative to the current source folder
#   [OUTPUT_DIR folder]        relative to the current binary folder, which is the default
#   [OPTIONS option...]        options of `varylink link --manifest`
#   [OUTPUTS variable]         gets the paths of the results; not with --share, which decides while linking what they are
# )
#
# The results are OUTPUT_DIR/<pipeline>/<stage>.spv. All are looked at again when a shader, a file that one includes, the
# manifest or varylink changed; what did not change comes from a cache in the binary folder. Otherwise like
# varylink_link_pipeline.
function(varylink_link_manifest)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "NAME;MANIFEST;OUTPUT_DIR;OUTPUTS" "OPTIONS")
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "varylink_link_manifest: unknown argument ${given_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT given_NAME OR NOT given_MANIFEST)
    message(FATAL_ERROR "varylink_link_manifest needs NAME and MANIFEST")
  endif()
  varylink_output_folder(folder "${given_OUTPUT_DIR}")
  cmake_path(ABSOLUTE_PATH given_MANIFEST BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE manifest)

  set(outputs)
  if(given_OPTIONS MATCHES "--share")
    if(given_OUTPUTS)
      message(FATAL_ERROR "varylink_link_manifest: OUTPUTS cannot be known before linking with --share")
    endif()
  else()
    varylink_is_discarded_by_options(discarded "${given_OPTIONS}")
    varylink_outputs_of_manifest(outputs ${manifest} ${folder} ${discarded})
  endif()
  varylink_choose_target(target "" ${given_NAME})
  varylink_by_configuration(configuration ${folder})
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${target}${configuration}.varylink.stamp)
  varylink_add_link_command(
    "Linking shader pipelines of ${given_NAME}" ${target}
    STAMP ${stamp}
    OUTPUTS ${outputs}
    SOURCES ${manifest}
    ARGUMENTS --manifest ${manifest} -o ${folder} --cache ${CMAKE_CURRENT_BINARY_DIR}/${target}.varylink.cache ${given_OPTIONS})
  add_custom_target(${target} ALL DEPENDS ${stamp})
  if(given_OUTPUTS)
    set(${given_OUTPUTS} ${outputs} PARENT_SCOPE)
  endif()
endfunction()

# What is put into the names of files that belong to the results in `folder`: nothing, unless each configuration has its own.
# (CMake before 3.21 takes no such expression for DEPFILE.)
function(varylink_by_configuration result folder)
  set(${result} "" PARENT_SCOPE)
  if("${folder}" MATCHES "[$]<" AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.21)
    set(${result} ".$<CONFIG>" PARENT_SCOPE)
  endif()
endfunction()

# `given`, relative to the current binary folder.
function(varylink_output_folder result given)
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  if(given)
    cmake_path(ABSOLUTE_PATH given BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE OUTPUT_VARIABLE folder)
  endif()
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

# A name for the target of `name`: `wanted` if it is not empty.
function(varylink_choose_target result wanted name)
  if(NOT wanted)
    string(REGEX REPLACE "[^A-Za-z0-9_.+-]" "_" wanted ${name})
    if(TARGET ${wanted})
      string(APPEND wanted _pipeline)
    endif()
  endif()
  set(${result} ${wanted} PARENT_SCOPE)
endfunction()

# What linking `manifest` into `folder` writes; `discarded_by_options`: pipelines rasterize nothing unless they say that they
# do. CMake runs again when the manifest changes.
function(varylink_outputs_of_manifest result manifest folder discarded_by_options)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${manifest})
  set(outputs)
  file(STRINGS ${manifest} lines ENCODING UTF-8)
  foreach(line IN LISTS lines)
    string(STRIP "${line}" line)
    if(NOT line)
      continue()
    endif()
    string(JSON name ERROR_VARIABLE error GET "${line}" name)
    string(JSON count ERROR_VARIABLE error LENGTH "${line}" stages)
    if(error)
      message(FATAL_ERROR "${manifest}: ${error}\n${line}")
    endif()
    varylink_is_discarded(discarded "${line}" ${discarded_by_options})
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      string(JSON stage MEMBER "${line}" stages ${index})
      if(stage STREQUAL frag AND discarded)
        message(STATUS "varylink_link_manifest: ${name} has no frag stage: with rasterizerDiscardEnable it never runs")
        continue()
      endif()
      list(APPEND outputs ${folder}/${name}/${stage}.spv)
    endforeach()
  endforeach()
  set(${result} ${outputs} PARENT_SCOPE)
endfunction()

# The command that makes OUTPUTS, and STAMP if it is given, whose time then says when it ran last. Results that come out as
# they were keep their times. Ninja knows what that means; make would run the command at every build, so that they are touched
# for it.
function(varylink_add_link_command comment target)
  cmake_parse_arguments(PARSE_ARGV 2 given "" "STAMP" "OUTPUTS;SOURCES;ARGUMENTS")
  if(VARYLINK_COMMAND)
    set(command ${VARYLINK_COMMAND})
  elseif(TARGET varylink::command)
    set(command varylink::command)
  else()
    message(FATAL_ERROR "${comment}: this varylink was built without the command; set VARYLINK_COMMAND to one")
  endif()
  varylink_by_configuration(configuration "${given_OUTPUTS}${given_STAMP}")
  set(depfile ${CMAKE_CURRENT_BINARY_DIR}/${target}${configuration}.varylink.d)
  set(results OUTPUT ${given_OUTPUTS})
  set(arguments ${given_ARGUMENTS} --depfile ${depfile})
  set(touched)
  if(NOT CMAKE_GENERATOR MATCHES "Ninja")
    set(touched ${given_OUTPUTS})
  endif()
  if(given_STAMP)
    set(results OUTPUT ${given_STAMP})
    if(given_OUTPUTS)
      list(APPEND results BYPRODUCTS ${given_OUTPUTS})
    endif()
    list(APPEND arguments --depfile-target ${given_STAMP})
    list(APPEND touched ${given_STAMP})
  endif()
  set(touch)
  if(touched)
    set(touch COMMAND ${CMAKE_COMMAND} -E touch ${touched})
  endif()
  add_custom_command(
    ${results}
    COMMAND ${command} link --quiet ${arguments}
    ${touch}
    DEPENDS ${given_SOURCES} ${command}
    DEPFILE ${depfile}
    COMMENT "${comment}"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

cmake_policy(POP)
