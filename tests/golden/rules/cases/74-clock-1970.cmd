# on the first day of 1970 time macros count from 0
pmie -v -Z EST5EDT -a @SUITE@/dyninsts cases/74-clock-1970.pmie
