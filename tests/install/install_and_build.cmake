# cmake -D BUILD=... -D SOURCE=... -D FOLDER=... -D GENERATOR=... -D COMPILER=... -D HAS_PRODUCT=...
#       -D EMULATOR=... -D LINKER_FLAGS=... -P this
# EMULATOR: what runs programs of another processor; empty: they run here.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${code}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(run_expecting words)
  run(${ARGN})
  if(NOT output MATCHES "${words}")
    message(FATAL_ERROR "${ARGN} printed: ${output}\nwanted: ${words}")
  endif()
endfunction()

function(build_on_the_installed project)
  get_filename_component(name ${project} NAME)
  run(${CMAKE_COMMAND} -S ${project} -B ${FOLDER}/${name} -G ${GENERATOR}
      -D CMAKE_PREFIX_PATH=${FOLDER}/prefix -D CMAKE_CXX_COMPILER=${COMPILER}
      -D CMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS})
  run(${CMAKE_COMMAND} --build ${FOLDER}/${name})
endfunction()

file(REMOVE_RECURSE ${FOLDER})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)

build_on_the_installed(${SOURCE}/tests/install/consumer)
run_expecting("weight of the first key 0.670, entropy 0.634" ${EMULATOR} ${FOLDER}/consumer/attend)
if(HAS_PRODUCT)
  run_expecting("51.5 GB" ${FOLDER}/consumer/price)
  run(${FOLDER}/prefix/bin/whereof --version)
elseif(EXISTS ${FOLDER}/prefix/bin OR EXISTS ${FOLDER}/prefix/include/whereof/model.h)
  message(FATAL_ERROR "the attention library alone has installed more than itself")
endif()

include(${SOURCE}/tests/examples/expected_output.cmake)
build_on_the_installed(${SOURCE}/examples/cpp)
foreach(example IN LISTS WHEREOF_EXAMPLES)
  run_expecting("${expected_output_of_${example}}" ${EMULATOR} ${FOLDER}/cpp/example_${example})
endforeach()
