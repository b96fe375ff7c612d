# kvprof_embed_files(TARGET HEADER path/name.h NAMESPACE a::b VARIABLE kName [HASHES kHashes]
#                    FILES file...)
#
# Generates HEADER, to be included by that path, with
#   inline constexpr std::array<std::pair<std::string_view, std::string_view>, N> kName
# in the order of FILES: {name without folder and extension, text}, and with HASHES
#   inline constexpr std::array<std::string_view, N> kHashes
# of "sha256-..." as a content security policy names them. EmbedFileScript.cmake writes it during
# the build, again when a file changes.

function(kvprof_embed_files target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;NAMESPACE;VARIABLE;HASHES" "FILES")
  set(generated_dir ${PROJECT_BINARY_DIR}/generated)
  set(header ${generated_dir}/${arg_HEADER})
  set(paths)
  foreach(file IN LISTS arg_FILES)
    get_filename_component(path ${file} ABSOLUTE)
    list(APPEND paths ${path})
  endforeach()
  list(JOIN paths "|" files)

  add_custom_command(
    OUTPUT ${header}
    COMMAND
      ${CMAKE_COMMAND} -D HEADER=${header} -D NAMESPACE=${arg_NAMESPACE} -D
      VARIABLE=${arg_VARIABLE} -D "HASHES=${arg_HASHES}" -D "FILES=${files}" -P
      ${PROJECT_SOURCE_DIR}/cmake/EmbedFileScript.cmake
    DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/EmbedFileScript.cmake
    COMMENT "Embedding files into ${arg_HEADER}"
    VERBATIM)
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE ${generated_dir})
endfunction()
