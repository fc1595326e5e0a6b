# How our libraries are made: one a row of the layer table (tests/tidy/layers.txt), warnings on, linked
# PRIVATE so that a layer sees only what it names.

option(PMJIT_TESTS "build the tests" ON)
option(PMJIT_WERROR "warnings are errors" OFF)
option(PMJIT_FUZZ "build the fuzz targets (clang)" OFF)
option(PMJIT_BENCH "build the benchmarks" OFF)
option(PMJIT_PRECOMPILED "precompiled headers" ON)
option(PMJIT_UNITY "compile the sources of a library together" ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)  # what one costs to compile again: at most 20 s
set(PMJIT_SANITIZE "" CACHE STRING "address,undefined or thread")

# ccache keeps what uses a precompiled header only where it may ignore its macros and the times of its
# files. Paths are hashed from the root of the checkout.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

if(PMJIT_SANITIZE)
  add_compile_options(-fsanitize=${PMJIT_SANITIZE} -fno-omit-frame-pointer)
  if(PMJIT_SANITIZE MATCHES undefined)
    # ASan sees what object-size sees, and more; without it the sanitized code compiles an eighth quicker.
    # Alignment is checked where bytes of others are read (pmjit_reads_bytes): that check alone takes
    # from two fifths to a half of the compiler's time.
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=object-size,alignment)
  endif()
  # g++ warns of the fences in Asio's headers, which TSan does not see. One thread runs each of our loops.
  if(PMJIT_SANITIZE STREQUAL thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-Wno-tsan)
  endif()
  add_link_options(-fsanitize=${PMJIT_SANITIZE})
endif()
# Programs with debugging information are linked in a quarter of the time. What users get is linked as
# Debian links.
find_program(PMJIT_LLD ld.lld)
if(PMJIT_LLD AND NOT CMAKE_BUILD_TYPE STREQUAL Release)
  add_link_options(-fuse-ld=lld)
endif()
if(PMJIT_FUZZ)
  # Coverage everywhere; the fuzzer's own main only in the targets (tests/fuzz).
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# One precompiled header for all of our libraries and programs, one for unit tests. They can be
# shared only where code is generated alike, so programs are position-independent as libraries are.
# Files with flags of their own do without it: pmjit_own_flags.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cc CONTENT "// Carries a precompiled header.\n")
add_library(pmjit_precompiled OBJECT ${CMAKE_BINARY_DIR}/precompiled.cc)
add_library(pmjit_precompiled_tests OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled.cc)

# Floating point: one meaning in both evaluators, so no contraction anywhere.
# Designated initialisers name what differs from the default; what they leave out is no mistake. g++ 12
# warns of its own std::string (overlaps), and where it optimises more, of lengths, places and
# members of its own library. Which file it warns of changes with every inlining. clang, ASan and
# the less optimised presets see true ones.
set(pmjit_gnu_library
    -Wno-restrict
    "$<$<CONFIG:Release>:-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds;-Wno-maybe-uninitialized>")
# g++ inlines less once a unit is large, and units of 24 files are. The limit is for single files: where a
# library is split into units must not change what a hot loop costs.
set(pmjit_gnu_inlining "$<$<CONFIG:Release>:--param=large-unit-insns=100000>")
# clang 19 warns of what g++ 12's library deprecates and uses itself, where it is precompiled.
set(pmjit_clang_library -Wno-deprecated-declarations)
function(pmjit_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion
                         -Wno-missing-field-initializers -ffp-contract=off
                         "$<$<CXX_COMPILER_ID:GNU>:${pmjit_gnu_library};${pmjit_gnu_inlining}>"
                         $<$<CXX_COMPILER_ID:Clang>:${pmjit_clang_library}>)
  if(PMJIT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# Tests are compiled quickly, whatever they test. With checks in it, their code takes half as long to compile
# where nothing optimises it.
set(pmjit_test_optimisation -O1)
if(PMJIT_SANITIZE)
  set(pmjit_test_optimisation -O0)
endif()
target_compile_options(pmjit_precompiled_tests PRIVATE ${pmjit_test_optimisation})

# Code that runs once a command is compiled quickly: -O1 takes two thirds of the time of -O3, and with
# checks in it -O0 half of that of -O1. A precompiled header is for one of them.
set(pmjit_cold_optimisation $<$<CONFIG:Release>:-O1>)
set(pmjit_cold_carrier pmjit_precompiled)
if(PMJIT_SANITIZE)
  set(pmjit_cold_optimisation -O0)
  set(pmjit_cold_carrier pmjit_precompiled_cold)
  add_library(pmjit_precompiled_cold OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled.cc)
  target_compile_options(pmjit_precompiled_cold PRIVATE -O0)
endif()
set(pmjit_carriers pmjit_precompiled pmjit_precompiled_tests ${pmjit_cold_carrier})
list(REMOVE_DUPLICATES pmjit_carriers)

foreach(carrier ${pmjit_carriers})
  pmjit_flags(${carrier})
  target_link_libraries(${carrier} PRIVATE fmt::fmt)
  if(PMJIT_PRECOMPILED)
    # ccache asks for the option of g++.
    target_compile_options(${carrier} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endforeach()
if(PMJIT_PRECOMPILED)
  target_precompile_headers(pmjit_precompiled PRIVATE cmake/precompiled.h)
  target_precompile_headers(pmjit_precompiled_tests PRIVATE cmake/precompiled_tests.h)
  if(TARGET pmjit_precompiled_cold)
    target_precompile_headers(pmjit_precompiled_cold PRIVATE cmake/precompiled.h)
  endif()
  if(PMJIT_TESTS)
    find_package(GTest REQUIRED)
    target_link_libraries(pmjit_precompiled_tests PRIVATE GTest::gtest)
  endif()
endif()

# pmjit_precompile(TARGET CARRIER)
function(pmjit_precompile target carrier)
  if(PMJIT_PRECOMPILED)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    target_precompile_headers(${target} REUSE_FROM ${carrier})
  endif()
endfunction()

# Flags of our own code.
function(pmjit_own_code target)
  pmjit_flags(${target})
  pmjit_precompile(${target} pmjit_precompiled)
endfunction()

# The same of code that runs once a command.
function(pmjit_cold_code target)
  pmjit_flags(${target})
  target_compile_options(${target} PRIVATE ${pmjit_cold_optimisation})
  pmjit_precompile(${target} ${pmjit_cold_carrier})
endfunction()

# pmjit_own_flags(FLAGS source…): sources compiled with further flags.
function(pmjit_own_flags flags)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${flags}"
                              SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# A library that reads bytes of others, from files or sockets.
function(pmjit_reads_bytes target)
  if(PMJIT_SANITIZE MATCHES undefined)
    target_compile_options(${target} PRIVATE -fsanitize=alignment)
  endif()
endfunction()

# pmjit_library(NAME [COLD] SOURCES a.cc … LINK other …)
function(pmjit_library name)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  if(ARG_COLD)
    pmjit_cold_code(${name})
  else()
    pmjit_own_code(${name})
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${PMJIT_UNITY})
  target_link_libraries(${name} PRIVATE fmt::fmt ${ARG_LINK})
endfunction()
