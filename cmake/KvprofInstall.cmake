# `cmake --install` puts the program, its manual pages and what lets shells complete its words where
# they look. The program prints both, when it is installed: a build makes neither.

include(GNUInstallDirs)

install(TARGETS kvprof RUNTIME COMPONENT kvprof)
install(
  CODE "
    set(KVPROF \"$<TARGET_FILE:kvprof>\")
    set(GENERATED \"${PROJECT_BINARY_DIR}/generated/install\")
    set(PREFIX \"\${CMAKE_INSTALL_PREFIX}\")
    set(MAN_FOLDER \"${CMAKE_INSTALL_MANDIR}/man1\")
    set(DATA_FOLDER \"${CMAKE_INSTALL_DATADIR}\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/KvprofInstallScript.cmake\")"
  COMPONENT kvprof)
