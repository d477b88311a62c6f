# varylink_link_pipeline: links the stages of a pipeline as part of a build.
include_guard(GLOBAL)

# varylink_link_pipeline(
#   NAME name                  of the pipeline and of the target that builds it, which is part of "all"
#   STAGES file...             GLSL, SPIR-V or SPIR-V assembly, relative to the current source folder; STAGE=FILE where
#                              the suffix (x.vert, x.frag.glsl) does not tell the stage
#   [OUTPUT_DIR folder]        relative to the current binary folder, which is the default
#   [OPTIONS option...]        options of `varylink link`, such as -O1 or -I${CMAKE_CURRENT_SOURCE_DIR}/include
#   [OUTPUTS variable]         gets the paths of the results
# )
#
# The results are OUTPUT_DIR/name.<stage>.spv. They are made again when a stage, a file that it includes, or varylink
# changed, and nothing that depends on a result is, unless its bytes changed (with Ninja). Uses the target
# varylink::command, or the program that VARYLINK_COMMAND names, which is what a cross build needs.
function(varylink_link_pipeline)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "NAME;OUTPUT_DIR;OUTPUTS" "STAGES;OPTIONS")
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "varylink_link_pipeline: unknown argument ${given_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT given_NAME OR NOT given_STAGES)
    message(FATAL_ERROR "varylink_link_pipeline needs NAME and STAGES")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  if(given_OUTPUT_DIR)
    cmake_path(ABSOLUTE_PATH given_OUTPUT_DIR BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE OUTPUT_VARIABLE folder)
  endif()

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
    list(APPEND outputs ${output})
    list(APPEND arguments ${stage}=${source} -o ${stage}=${output})
  endforeach()

  if(VARYLINK_COMMAND)
    set(command ${VARYLINK_COMMAND})
  elseif(TARGET varylink::command)
    set(command varylink::command)
  else()
    message(FATAL_ERROR "varylink_link_pipeline: this varylink was built without the command; set VARYLINK_COMMAND to one")
  endif()
  set(depfile ${CMAKE_CURRENT_BINARY_DIR}/${given_NAME}.varylink.d)
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${command} link --quiet ${arguments} --depfile ${depfile} ${given_OPTIONS}
    DEPENDS ${sources} ${command}
    DEPFILE ${depfile}
    COMMENT "Linking shader pipeline ${given_NAME}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${given_NAME} ALL DEPENDS ${outputs})
  if(given_OUTPUTS)
    set(${given_OUTPUTS} ${outputs} PARENT_SCOPE)
  endif()
endfunction()
