# cmake -DFOLDER=rules/reports -DOUT=report_files.inc -P embed.cmake
#
# Writes a line REPORT(name, text) per report.
file(GLOB reports ${FOLDER}/*.toml)
list(SORT reports)
set(rows "")
foreach(report IN LISTS reports)
  cmake_path(GET report STEM name)
  file(READ ${report} text)
  string(APPEND rows "REPORT(\"${name}\", R\"toml(${text})toml\")\n")
endforeach()
file(WRITE ${OUT} "${rows}")
