# How our libraries are made: one a row of the layer table (tests/tidy/layers.txt), warnings on, linked
# PRIVATE so that a layer sees only what it names.

option(PMJIT_TESTS "build the tests" ON)
option(PMJIT_WERROR "warnings are errors" OFF)
option(PMJIT_FUZZ "build the fuzz targets (clang)" OFF)
option(PMJIT_BENCH "build the benchmarks" OFF)
set(PMJIT_SANITIZE "" CACHE STRING "address,undefined or thread")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

if(PMJIT_SANITIZE)
  add_compile_options(-fsanitize=${PMJIT_SANITIZE} -fno-omit-frame-pointer)
  if(PMJIT_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  add_link_options(-fsanitize=${PMJIT_SANITIZE})
endif()
if(PMJIT_FUZZ)
  # Coverage everywhere; the fuzzer's own main only in the targets (tests/fuzz).
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Flags of our own code. Floating point: one meaning in both evaluators, so no contraction anywhere.
# Designated initialisers name what differs from the default; what they leave out is no mistake. -Wrestrict of
# g++ 12 sees overlaps in its own std::string.
function(pmjit_own_code target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion
                         -Wno-missing-field-initializers -ffp-contract=off
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(PMJIT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
endfunction()

# pmjit_library(NAME SOURCES a.cc … LINK other …)
function(pmjit_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  pmjit_own_code(${name})
  target_link_libraries(${name} PRIVATE fmt::fmt ${ARG_LINK})
endfunction()
