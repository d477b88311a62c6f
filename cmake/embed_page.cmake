# The page of the report as C++ text.

# Where `page` has `mark`, which has to be there.
function(varylink_place_of result page mark)
  string(FIND "${page}" "${mark}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "page.html has no '${mark}'")
  endif()
  set(${result} ${place} PARENT_SCOPE)
endfunction()

# Puts `text` where the variable `page` has `mark`.
function(varylink_put_into page mark text)
  varylink_place_of(place "${${page}}" "${mark}")
  string(REPLACE "${mark}" "${text}" replaced "${${page}}")
  set(${page} "${replaced}" PARENT_SCOPE)
endfunction()

# A C++ literal for each line of `text`: compilers limit the length of each.
function(varylink_literal result text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
  set(${result} "    \"${text}\"" PARENT_SCOPE)
endfunction()

# Writes `header` from the files of `folder`: page.html with style.css, graph.js and report.js put where it names them, cut where
# the report goes. While configuring, again when one of them changes: a command of the build would have all that stands on
# the report wait for the libraries below it. A header with the same text is not touched.
function(varylink_embed_page folder header)
  foreach(name IN ITEMS page.html style.css graph.js report.js)
    file(READ "${folder}/${name}" text)
    string(MAKE_C_IDENTIFIER ${name} variable)
    set(${variable} "${text}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${name}")
  endforeach()
  varylink_put_into(page_html "<link rel=\"stylesheet\" href=\"style.css\">\n" "<style>\n${style_css}</style>\n")
  varylink_put_into(page_html "<script src=\"graph.js\"></script>\n<script src=\"report.js\"></script>\n"
                    "<script>\n${graph_js}${report_js}</script>\n")
  set(data "<script type=\"application/json\" id=\"report\">")
  varylink_place_of(place "${page_html}" "${data}")
  string(LENGTH "${data}" length)
  math(EXPR place "${place} + ${length}")
  string(SUBSTRING "${page_html}" 0 ${place} before)
  string(SUBSTRING "${page_html}" ${place} -1 behind)
  varylink_literal(before "${before}")
  varylink_literal(behind "${behind}")
  set(text "// Made from src/services/report/page by cmake/embed_page.cmake.
#pragma once

#include <string_view>

namespace varylink::report {

constexpr std::string_view kPageBeforeReport =
${before};
constexpr std::string_view kPageBehindReport =
${behind};

}  // namespace varylink::report
")
  set(old)
  if(EXISTS "${header}")
    file(READ "${header}" old)
  endif()
  if(NOT old STREQUAL text)
    file(WRITE "${header}" "${text}")
  endif()
endfunction()
