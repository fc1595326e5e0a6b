# a slash behind a slash and blanks, where no comment begins
pmie -q -v -T 1sec -a archives/lab cases/83-slashes.pmie
