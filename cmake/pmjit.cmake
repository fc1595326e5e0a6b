# How our libraries are made: one a row of the layer table (tests/tidy/layers.txt), warnings on, linked
# PRIVATE so that a layer sees only what it names.

option(PMJIT_TESTS "build the tests" ON)
option(PMJIT_UNIT_TESTS "build all unit tests, not those alone that are marked RELEASE" ON)
option(PMJIT_WERROR "warnings are errors" OFF)
option(PMJIT_FUZZ "build the fuzz targets (clang)" OFF)
option(PMJIT_COVERAGE "all code counts its branches for the fuzzer, not the targets alone" OFF)
option(PMJIT_BENCH "build the benchmarks" OFF)
option(PMJIT_PRECOMPILED "precompiled headers" ON)
option(PMJIT_UNITY "compile the sources of a library together" ON)
# What one costs to compile again: at most 20 s.
set(PMJIT_UNITY_BATCH 24 CACHE STRING "sources that are compiled together")
set(CMAKE_UNITY_BUILD_BATCH_SIZE ${PMJIT_UNITY_BATCH})
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
    # Alignment and null are checked where bytes of others are read (pmjit_reads_bytes). Alignment takes
    # from two fifths to a half of the compiler's time. Null takes a sixth and two fifths of the code; ASan
    # stops at every use of such a pointer, and unoptimised code leaves none out.
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=object-size,alignment,null)
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
# A program of ours has 16,000 addresses that the loader sets at every start. Packed they are 4 KB, not 400,
# and a start takes a tenth of a millisecond less.
if(CMAKE_BUILD_TYPE STREQUAL Release)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -Wl,-z,pack-relative-relocs PMJIT_PACKS_RELOCATIONS)
  if(PMJIT_PACKS_RELOCATIONS)
    add_link_options(-Wl,-z,pack-relative-relocs)
  endif()
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

# Tests are compiled quickly, whatever they test.
set(pmjit_test_optimisation -O0)
target_compile_options(pmjit_precompiled_tests PRIVATE ${pmjit_test_optimisation})

# How much our code is optimised costs more time than all else in it. HOT is what sees every value: -O3.
# COLD runs once a command: -O1 takes two thirds of the time of -O3, and with small functions alone inlined a
# sixth less, for half of the code. What is neither has -O2, in three
# quarters of it. With checks in it, nothing is optimised: -O0 takes half the time of -O1, for loops of
# templates a seventh. A precompiled header is for one of these.
string(REPLACE -O3 -O2 CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
set(pmjit_flags_hot $<$<CONFIG:Release>:-O3>)
set(pmjit_flags_other "")
set(pmjit_flags_cold $<$<CONFIG:Release>:-O1>
                     "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:Clang>>:SHELL:-mllvm -inline-threshold=30>")
if(PMJIT_COVERAGE)
  # What a fuzzer is to find its way through counts its branches, which takes a third of the compiler's time
  # again. The fuzzer's own main is in the targets alone (tests/fuzz).
  set(pmjit_flags_hot -fsanitize=fuzzer-no-link)
  set(pmjit_flags_other ${pmjit_flags_hot})
  set(pmjit_flags_cold ${pmjit_flags_hot})
endif()
target_compile_options(pmjit_precompiled PRIVATE ${pmjit_flags_hot})

foreach(carrier pmjit_precompiled pmjit_precompiled_tests)
  pmjit_flags(${carrier})
  target_link_libraries(${carrier} PRIVATE fmt::fmt)
  if(PMJIT_PRECOMPILED)
    # ccache asks for the option of g++, and needs a header without the times of what it was made from.
    target_compile_options(${carrier} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
                           "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endforeach()
if(PMJIT_PRECOMPILED)
  target_precompile_headers(pmjit_precompiled PRIVATE cmake/precompiled.h)
  target_precompile_headers(pmjit_precompiled_tests PRIVATE cmake/precompiled_tests.h)
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

# pmjit_own_code(TARGET [HOT|COLD]): the flags of our own code.
function(pmjit_own_code target)
  pmjit_flags(${target})
  set(flags ${pmjit_flags_other})
  if(HOT IN_LIST ARGN)
    set(flags ${pmjit_flags_hot})
  elseif(COLD IN_LIST ARGN)
    set(flags ${pmjit_flags_cold})
  endif()
  target_compile_options(${target} PRIVATE ${flags})
  pmjit_precompile(${target} pmjit_precompiled)
endfunction()

# pmjit_own_flags(FLAGS source…): sources compiled with further flags, each for itself.
function(pmjit_own_flags flags)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${flags}"
                              SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# pmjit_release_flags(FLAGS source…): the same, in what users get alone. Elsewhere they are compiled as others are.
function(pmjit_release_flags)
  if(CMAKE_BUILD_TYPE STREQUAL Release)
    pmjit_own_flags(${ARGN})
  endif()
endfunction()

# A library that reads bytes of others, from files or sockets.
function(pmjit_reads_bytes target)
  if(PMJIT_SANITIZE MATCHES undefined)
    target_compile_options(${target} PRIVATE -fsanitize=alignment,null)
  endif()
endfunction()

# pmjit_library(NAME [HOT|COLD] SOURCES a.cc … LINK other …)
function(pmjit_library name)
  cmake_parse_arguments(ARG "HOT;COLD" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  pmjit_own_code(${ARGV})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${PMJIT_UNITY})
  target_link_libraries(${name} PRIVATE fmt::fmt ${ARG_LINK})
endfunction()
