# a truth that lost its right side to a metric that is not there is still one
pmie -C -a archives/lab cases/64-lost-side.pmie
