# kvprof_test(NAME LABEL SOURCES file... [LIBS target...])
#
# One test executable. LABEL says where its tests may run: `host` (anywhere) or `gpu` (needs a
# device, exists only with KVPROF_CUDA=ON). Tests are discovered when ctest starts, so that a
# build runs nothing.
include(GoogleTest)

function(kvprof_test name label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LIBS")
  if(NOT label MATCHES "^(host|gpu)$")
    message(FATAL_ERROR "kvprof_test(${name}): the label is host or gpu, not '${label}'")
  endif()
  if(NOT arg_SOURCES OR (label STREQUAL "gpu" AND NOT KVPROF_CUDA))
    return()
  endif()

  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} kvprof_test_support GTest::gmock_main)

  set(properties LABELS ${label} TIMEOUT 120)
  if(label STREQUAL "gpu")
    list(APPEND properties RESOURCE_LOCK gpu)
  endif()
  gtest_discover_tests(
    ${name}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES ${properties})
endfunction()
