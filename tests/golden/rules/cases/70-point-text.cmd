# a point before a quote is a text without characters: the quote begins and ends it
pmie -v -t 1min -a archives/lab cases/70-point-text.pmie
