# Run by kvprof_embed_files() during the build; see EmbedFile.cmake.

set(letters ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)

# Base64 of 64 hex digits: three of them are two letters, and the last one is one and a filler.
function(base64_of_sha256 hex result)
  set(text "")
  foreach(first RANGE 0 60 3)
    string(SUBSTRING ${hex} ${first} 3 digits)
    math(EXPR high "0x${digits} >> 6")
    math(EXPR low "0x${digits} & 63")
    string(SUBSTRING ${letters} ${high} 1 high)
    string(SUBSTRING ${letters} ${low} 1 low)
    string(APPEND text ${high}${low})
  endforeach()
  string(SUBSTRING ${hex} 63 1 digit)
  math(EXPR last "0x${digit} << 2")
  string(SUBSTRING ${letters} ${last} 1 last)
  set(${result} "${text}${last}=" PARENT_SCOPE)
endfunction()

string(REPLACE "|" ";" files "${FILES}")
list(LENGTH files count)

set(text "#pragma once

#include <array>
#include <string_view>
#include <utility>

// A file is one literal, however long: gcc and clang take more than the standard asks for.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace ${NAMESPACE} {

/// {name, text} of each embedded file, in the order of the build list.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, ${count}> ${VARIABLE}{{
")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WLE)
  file(READ "${file}" content)
  string(APPEND text "    {\"${name}\", R\"kvprof(${content})kvprof\"},\n")
endforeach()
string(APPEND text "}};\n")
if(HASHES)
  string(APPEND text "
/// Of each embedded file's text, as a content security policy names it.
inline constexpr std::array<std::string_view, ${count}> ${HASHES}{
")
  foreach(file IN LISTS files)
    file(SHA256 "${file}" hex)
    base64_of_sha256(${hex} hash)
    string(APPEND text "    \"sha256-${hash}\",\n")
  endforeach()
  string(APPEND text "};\n")
endif()
string(APPEND text "\n} // namespace ${NAMESPACE}\n\n#pragma GCC diagnostic pop\n")
file(WRITE "${HEADER}" "${text}")
