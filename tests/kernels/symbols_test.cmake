# Fails when an object compiled for an instruction set defines a symbol that the linker may share
# with other objects (weak, unique or common): it could keep the wide copy for everyone.
#   cmake -DNM=... -DOBJECTS=a.o,b.o -P symbols_test.cmake
string(REPLACE "," ";" objects "${OBJECTS}")
list(LENGTH objects count)
if(count EQUAL 0)
  message(FATAL_ERROR "no objects given")
endif()
foreach(object IN LISTS objects)
  execute_process(COMMAND ${NM} --demangle --defined-only ${object} OUTPUT_VARIABLE listing
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[0-9a-f]* [A-Za-z] [^\n]*" lines "${listing}")
  list(LENGTH lines symbols)
  if(symbols EQUAL 0)
    message(FATAL_ERROR "${object} defines nothing: wrong file?")
  endif()
  # What a sanitizer adds to every object is no code of ours.
  list(FILTER lines EXCLUDE REGEX " (asan|tsan|ubsan|sancov|__odr_asan|DW\\.ref\\.)")
  list(FILTER lines INCLUDE REGEX "^[0-9a-f]* [WVuC] ")
  if(lines)
    list(JOIN lines "\n  " lines)
    message(FATAL_ERROR "${object} defines symbols that other objects may be given:\n  ${lines}")
  endif()
  message("${object}: ${symbols} symbols, none shared")
endforeach()
