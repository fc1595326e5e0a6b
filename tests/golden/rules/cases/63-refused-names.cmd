# -X: rules that act are refused, and keep their names
pmie -X -T 20 -a archives/lab cases/63-refused-names.pmie
