# Run by `cmake --install`; see KvprofInstall.cmake.

# Installs what `kvprof ARGUMENT...` prints as FOLDER/NAME.
function(install_print folder name)
  set(file ${GENERATED}/${name})
  execute_process(
    COMMAND ${KVPROF} ${ARGN}
    OUTPUT_FILE ${file}
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "kvprof ${ARGN} ended with ${result}")
  endif()
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${PREFIX})
  file(INSTALL ${file} DESTINATION ${folder})
endfunction()

file(MAKE_DIRECTORY ${GENERATED})
install_print(${DATA_FOLDER}/bash-completion/completions kvprof completion bash)
install_print(${DATA_FOLDER}/zsh/site-functions _kvprof completion zsh)
install_print(${DATA_FOLDER}/fish/vendor_completions.d kvprof.fish completion fish)

# The program's own page names the others.
install_print(${MAN_FOLDER} kvprof.1 man)
file(READ ${GENERATED}/kvprof.1 page)
string(REGEX MATCHALL "kvprof\\\\-[a-z]+\\\\fP\\(1\\)" names "${page}")
foreach(name IN LISTS names)
  string(REGEX REPLACE "kvprof\\\\-([a-z]+).*" "\\1" verb "${name}")
  install_print(${MAN_FOLDER} kvprof-${verb}.1 man ${verb})
endforeach()
