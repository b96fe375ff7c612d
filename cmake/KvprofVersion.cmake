# kvprof_version(TARGET): compiles into the target, from cli/version.cpp.in, the version of
# project(), the commit that is built and its day. The script part runs at every build and rewrites
# the file only on a change.

# What git says about SOURCE_DIR; empty when it fails. It takes no lock and starts no monitor, so
# that a build that is killed leaves none behind in the repository.
function(read_git variable)
  execute_process(
    COMMAND git --no-optional-locks -c core.fsmonitor=false ${ARGN}
    WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_VARIABLE said
    OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE result
    ERROR_QUIET)
  if(NOT result EQUAL 0)
    set(said "")
  endif()
  set(${variable} "${said}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  # Not `describe --dirty`, which rewrites the index under a lock whatever it is told.
  read_git(KVPROF_BUILD_ID describe --tags --always)
  read_git(changes status --porcelain --untracked-files=no)
  if(KVPROF_BUILD_ID STREQUAL "")
    set(KVPROF_BUILD_ID unknown)
  elseif(NOT changes STREQUAL "")
    string(APPEND KVPROF_BUILD_ID -dirty)
  endif()
  # The day of the source, not of the build: the same source gives the same manual pages.
  read_git(KVPROF_SOURCE_DAY show --no-patch --format=%cs HEAD)
  if(NOT KVPROF_SOURCE_DAY MATCHES "^[0-9]+-[0-9]+-[0-9]+$")
    file(TIMESTAMP ${SOURCE_DIR}/CHANGELOG.md KVPROF_SOURCE_DAY "%Y-%m-%d" UTC)
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
