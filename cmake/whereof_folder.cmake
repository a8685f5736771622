# How a folder of src/ becomes part of a library, and how its tests are built.
find_package(Threads REQUIRED)

set(WHEREOF_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                     -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND WHEREOF_WARNINGS -Wno-restrict)  # GCC 12 warns of std::string itself (bug 105329)
endif()
if(WHEREOF_SANITIZE)
  add_compile_options(-fsanitize=${WHEREOF_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WHEREOF_SANITIZE})
endif()

# whereof_folder(NAME SOURCES file... [LIBRARIES lib...] [FLAGS flag...] [DIRECTORY dir])
# An object library whereof_NAME_objects of the current folder's sources. LIBRARIES are outside
# packages; they are passed on to the library that the folder ends up in.
function(whereof_folder name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;FLAGS" ${ARGN})
  set(target whereof_${name}_objects)
  add_library(${target} OBJECT ${ARG_SOURCES})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include
                                              ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE ${WHEREOF_WARNINGS} ${ARG_FLAGS})
  target_compile_definitions(${target} PRIVATE WHEREOF_BUILDING)
  target_link_libraries(${target} PUBLIC Threads::Threads ${ARG_LIBRARIES})
  set_property(GLOBAL PROPERTY WHEREOF_LIBRARIES_OF_${name} "${ARG_LIBRARIES}")
endfunction()

# whereof_library(TARGET EXPORT name FOLDERS folder... HEADERS header... [USES target...])
function(whereof_library target)
  cmake_parse_arguments(ARG "" "EXPORT" "FOLDERS;HEADERS;USES" ${ARGN})
  set(objects "")
  set(libraries "")
  foreach(folder IN LISTS ARG_FOLDERS)
    list(APPEND objects $<TARGET_OBJECTS:whereof_${folder}_objects>)
    get_property(of_folder GLOBAL PROPERTY WHEREOF_LIBRARIES_OF_${folder})
    list(APPEND libraries ${of_folder})
  endforeach()
  list(REMOVE_DUPLICATES libraries)
  add_library(${target} STATIC ${objects})
  add_library(whereof::${ARG_EXPORT} ALIAS ${target})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC Threads::Threads ${ARG_USES})
  target_link_libraries(${target} PRIVATE ${libraries})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${ARG_EXPORT})
  list(TRANSFORM ARG_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/whereof/)
  list(TRANSFORM ARG_HEADERS APPEND .h)
  install(FILES ${ARG_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/whereof)
  install(TARGETS ${target} EXPORT whereof_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# whereof_test(NAME SOURCES file... [LIBRARIES lib...] [LABEL label])
# One executable NAME_test; each of its tests is a ctest test.
function(whereof_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;LIBRARIES" ${ARGN})
  set(target ${name}_test)
  add_executable(${target} ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                                               ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(${target} PRIVATE ${WHEREOF_WARNINGS})
  target_compile_definitions(${target} PRIVATE WHEREOF_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               WHEREOF_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} GTest::gmock GTest::gtest_main)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 900)
  endif()
  if(NOT ARG_LABEL)
    set(ARG_LABEL quick)
  endif()
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${name}/"
                       PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${ARG_TIMEOUT})
endfunction()
