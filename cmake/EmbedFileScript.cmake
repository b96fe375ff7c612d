# Run by kvprof_embed_files() during the build; see EmbedFile.cmake.

string(REPLACE "|" ";" files "${FILES}")
list(LENGTH files count)

set(text "#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace ${NAMESPACE} {

/// {name, text} of each embedded file, in the order of the build list.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, ${count}> ${VARIABLE}{{
")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WLE)
  file(READ "${file}" content)
  string(APPEND text "    {\"${name}\", R\"kvprof(${content})kvprof\"},\n")
endforeach()
string(APPEND text "}};\n\n} // namespace ${NAMESPACE}\n")
file(WRITE "${HEADER}" "${text}")
