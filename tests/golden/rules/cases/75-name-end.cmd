# a backslash at the end of the file: the end becomes a character of the name
pmie -C -a archives/lab cases/75-name-end.pmie
