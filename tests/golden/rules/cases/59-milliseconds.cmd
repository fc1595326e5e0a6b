# archives are read every so many whole milliseconds, whatever is due
pmie -v -t 10 -T 8s -a archives/lab cases/59-milliseconds.pmie
