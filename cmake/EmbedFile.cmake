# kvprof_embed_files(TARGET HEADER path/name.h NAMESPACE a::b VARIABLE kName FILES file...)
#
# Generates HEADER, to be included by that path, with
#   inline constexpr std::array<std::pair<std::string_view, std::string_view>, N> kName
# in the order of FILES: {name without folder and extension, text}. EmbedFileScript.cmake writes
# it during the build, again when a file changes.

function(kvprof_embed_files target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;NAMESPACE;VARIABLE" "FILES")
  set(generated_dir ${PROJECT_BINARY_DIR}/generated)
  set(header ${generated_dir}/${arg_HEADER})
  list(TRANSFORM arg_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(JOIN arg_FILES "|" files)

  add_custom_command(
    OUTPUT ${header}
    COMMAND
      ${CMAKE_COMMAND} -D HEADER=${header} -D NAMESPACE=${arg_NAMESPACE} -D
      VARIABLE=${arg_VARIABLE} -D "FILES=${files}" -P
      ${PROJECT_SOURCE_DIR}/cmake/EmbedFileScript.cmake
    DEPENDS ${arg_FILES} ${PROJECT_SOURCE_DIR}/cmake/EmbedFileScript.cmake
    COMMENT "Embedding files into ${arg_HEADER}"
    VERBATIM)
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE ${generated_dir})
endfunction()
