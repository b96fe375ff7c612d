# kvprof_options carries the settings of every target of this project; kvprof_library() makes a
# static library that uses them.

set(KVPROF_SANITIZE "" CACHE STRING "Sanitizers to build with, as in -fsanitize=<list>")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

find_program(KVPROF_CCACHE ccache)
mark_as_advanced(KVPROF_CCACHE)
if(KVPROF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${KVPROF_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${KVPROF_CCACHE})
endif()

add_library(kvprof_options INTERFACE)
target_include_directories(kvprof_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_features(kvprof_options INTERFACE cxx_std_20)

set(warnings
    -Wall
    -Wextra
    -Wno-missing-field-initializers # every member has a default: naming the others is the point
    -Wpedantic
    -Wshadow
    -Wconversion
    -Wsign-conversion
    -Wold-style-cast
    -Wnon-virtual-dtor
    -Woverloaded-virtual
    -Wcast-align
    -Wdouble-promotion
    -Wformat=2
    -Wimplicit-fallthrough
    -Wextra-semi
    -Wswitch-enum)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND warnings -Wduplicated-cond -Wlogical-op -Wuseless-cast)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: a false alarm inside std::string::insert and replace.
    list(APPEND warnings -Wno-restrict)
  endif()
endif()
target_compile_options(
  kvprof_options
  INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>"
    # nvcc's generated code does not survive -Wpedantic and the conversion warnings.
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow,-Wimplicit-fallthrough>"
    # The last match wins: messages and debug information carry repository paths.
    "$<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=;-ffile-prefix-map=${PROJECT_BINARY_DIR}=build>")

# A program names its own code by this id (Environment::binary).
target_link_options(kvprof_options INTERFACE LINKER:--build-id=sha1)

if(KVPROF_SANITIZE)
  target_compile_options(
    kvprof_options
    INTERFACE
      "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${KVPROF_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(kvprof_options INTERFACE -fsanitize=${KVPROF_SANITIZE})
else()
  # A sanitizer intercepts the shared libstdc++, so only the other builds link it statically.
  target_link_options(kvprof_options INTERFACE -static-libstdc++ -static-libgcc)
endif()

# kvprof_library(NAME SOURCES file... [PUBLIC target...] [PRIVATE target...])
function(kvprof_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;PUBLIC;PRIVATE")
  if(NOT arg_SOURCES)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/empty.cpp CONTENT "")
    set(arg_SOURCES ${PROJECT_BINARY_DIR}/generated/empty.cpp)
  endif()
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC kvprof_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()
