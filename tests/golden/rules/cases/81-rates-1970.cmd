# seconds of a sample are the nearest to its microseconds: in 1970 the last bits of rates show how they are reckoned
pmie -q -v -S 1.338 -a @SUITE@/dyninsts2 cases/81-rates-1970.pmie
