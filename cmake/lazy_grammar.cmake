# cmake -DFILES=a.cpp;b.cpp -P lazy_grammar.cmake
#
# ANTLR's code unfolds its tables at every start of a program, which takes three million instructions, also where
# nothing is parsed. Here the first lexer or parser that is made does so.
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  string(REGEX REPLACE "[A-Za-z]+::Initializer [A-Za-z]+::_init;" "" lazy "${text}")
  if(lazy STREQUAL text)
    message(FATAL_ERROR "${file}: ANTLR unfolds its tables in another way than it did")
  endif()
  set(made "  _interpreter = new atn::")
  string(REPLACE "${made}" "  static const Initializer tables;\n${made}" all "${lazy}")
  if(all STREQUAL lazy)
    message(FATAL_ERROR "${file}: no constructor that makes its interpreter")
  endif()
  file(WRITE "${file}" "${all}")
endforeach()
