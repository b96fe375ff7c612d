# Enables the CUDA language. Included only with KVPROF_CUDA=ON.

find_program(KVPROF_NVCC nvcc HINTS ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
mark_as_advanced(KVPROF_NVCC)
if(NOT KVPROF_NVCC AND NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  message(
    FATAL_ERROR
      "KVPROF_CUDA=ON but no nvcc was found on PATH or in /usr/local/cuda/bin. "
      "Install the CUDA 13 toolkit, or build without it: cmake --preset host")
endif()
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  set(CMAKE_CUDA_COMPILER ${KVPROF_NVCC})
endif()

if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100-real 120)
endif()
enable_language(CUDA)

# CMake before 3.26 does not know how nvcc spells C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)

find_package(CUDAToolkit 13.0)
if(NOT CUDAToolkit_FOUND)
  message(
    FATAL_ERROR
      "KVPROF_CUDA=ON but ${CMAKE_CUDA_COMPILER} does not belong to a CUDA 13 toolkit. "
      "Install one, or build without it: cmake --preset host")
endif()

# CUPTI is opened with dlopen: only its headers are needed, here and nowhere at run time.
find_path(
  KVPROF_CUPTI_INCLUDE_DIR cupti.h
  HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include
        ${CUDAToolkit_BIN_DIR}/../extras/CUPTI/include
  REQUIRED)
mark_as_advanced(KVPROF_CUPTI_INCLUDE_DIR)
