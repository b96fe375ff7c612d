# kvprof_version(TARGET): compiles <version of project()> and `git describe` into the target, from
# cli/version.cpp.in. The script part runs at every build and rewrites the file only on a change.

if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(
    COMMAND git describe --tags --always --dirty
    WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_VARIABLE KVPROF_BUILD_ID
    OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE result
    ERROR_QUIET)
  if(NOT result EQUAL 0 OR KVPROF_BUILD_ID STREQUAL "")
    set(KVPROF_BUILD_ID unknown)
  endif()
  configure_file(${INPUT} ${OUTPUT} @ONLY)
  return()
endif()

function(kvprof_version target)
  set(output ${PROJECT_BINARY_DIR}/generated/cli/version.cpp)
  add_custom_target(
    kvprof_git_version
    COMMAND
      ${CMAKE_COMMAND} -D SOURCE_DIR=${PROJECT_SOURCE_DIR} -D KVPROF_VERSION=${PROJECT_VERSION} -D
      INPUT=${PROJECT_SOURCE_DIR}/cli/version.cpp.in -D OUTPUT=${output} -P
      ${PROJECT_SOURCE_DIR}/cmake/KvprofVersion.cmake
    BYPRODUCTS ${output}
    COMMENT "Reading the git version"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
  add_dependencies(${target} kvprof_git_version)
endfunction()
