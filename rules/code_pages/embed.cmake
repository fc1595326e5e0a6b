# cmake -DFOLDER=docs/codes -DOUT=code_pages.inc -P embed.cmake
#
# Writes a line CODE_PAGE(code, title, text) per page, by letter and number.
file(GLOB pages ${FOLDER}/[A-Z][0-9]*.md)
list(SORT pages COMPARE NATURAL)
set(rows "")
foreach(page IN LISTS pages)
  file(READ ${page} text)
  if(NOT text MATCHES "^# ([A-Z][0-9]+): ([^\n]+)\n")
    message(FATAL_ERROR "${page} does not begin with `# CODE: TITLE`")
  endif()
  string(APPEND rows
    "CODE_PAGE(\"${CMAKE_MATCH_1}\", R\"page(${CMAKE_MATCH_2})page\", R\"page(${text})page\")\n")
endforeach()
file(WRITE ${OUT} "${rows}")
