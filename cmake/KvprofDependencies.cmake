# Every third-party library, in one place. The binary must start on a machine that has none of
# them, so each one is header-only or a static archive.

find_package(Threads REQUIRED)

# fmt: the packaged archive, else one made here (Debian has the shared library alone), else the
# slower header-only target, which fits every version.
find_package(fmt 9.1 REQUIRED)
find_library(KVPROF_FMT_ARCHIVE libfmt.a)
mark_as_advanced(KVPROF_FMT_ARCHIVE)
get_target_property(fmt_include_dirs fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
if(KVPROF_FMT_ARCHIVE)
  add_library(kvprof_fmt INTERFACE)
  target_include_directories(kvprof_fmt SYSTEM INTERFACE ${fmt_include_dirs})
  target_link_libraries(kvprof_fmt INTERFACE ${KVPROF_FMT_ARCHIVE})
elseif(fmt_VERSION VERSION_LESS 10)
  add_library(kvprof_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt_archive.cpp)
  target_include_directories(kvprof_fmt SYSTEM PUBLIC ${fmt_include_dirs})
else()
  add_library(kvprof_fmt INTERFACE)
  target_link_libraries(kvprof_fmt INTERFACE fmt::fmt-header-only)
endif()

# The packaged target links a shared library. toml++ is header-only by default.
find_path(KVPROF_TOMLPP_INCLUDE_DIR toml++/toml.h REQUIRED)
mark_as_advanced(KVPROF_TOMLPP_INCLUDE_DIR)
add_library(kvprof_toml INTERFACE)
target_include_directories(kvprof_toml SYSTEM INTERFACE ${KVPROF_TOMLPP_INCLUDE_DIR})

# SQLiteCpp asks FindSQLite3, which would pick the shared library if this were not set before.
find_library(SQLite3_LIBRARY NAMES libsqlite3.a sqlite3)
find_package(SQLiteCpp 3.2 REQUIRED)
add_library(kvprof_sqlite INTERFACE)
target_link_libraries(kvprof_sqlite INTERFACE SQLiteCpp ${CMAKE_DL_LIBS} m)

find_package(CLI11 2.1 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)

# The packaged default target is the shared library.
find_package(pugixml 1.13 REQUIRED)
add_library(kvprof_pugixml INTERFACE)
if(TARGET pugixml::static)
  target_link_libraries(kvprof_pugixml INTERFACE pugixml::static)
else()
  target_link_libraries(kvprof_pugixml INTERFACE pugixml::pugixml)
endif()
find_library(KVPROF_ZLIB_ARCHIVE NAMES libz.a z REQUIRED)
find_path(KVPROF_ZLIB_INCLUDE_DIR zlib.h REQUIRED)
mark_as_advanced(KVPROF_ZLIB_ARCHIVE KVPROF_ZLIB_INCLUDE_DIR)
add_library(kvprof_zlib INTERFACE)
target_include_directories(kvprof_zlib SYSTEM INTERFACE ${KVPROF_ZLIB_INCLUDE_DIR})
target_link_libraries(kvprof_zlib INTERFACE ${KVPROF_ZLIB_ARCHIVE})

if(BUILD_TESTING)
  find_package(GTest 1.12 REQUIRED)
  find_package(Python3 COMPONENTS Interpreter)
  find_package(benchmark QUIET)
endif()
