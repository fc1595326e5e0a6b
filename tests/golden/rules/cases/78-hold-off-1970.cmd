# hold-offs count from a start that is as near to its decimals as can be
pmie -v -t 0.7 -S 0.677 -a @SUITE@/dyninsts2 cases/78-hold-off-1970.pmie
