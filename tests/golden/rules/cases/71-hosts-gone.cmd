# an aggregate over hosts goes on behind a set that has fewer elements than hosts: in the sample behind, then in zeros
pmie -v -a archives/lab -a archives/labb cases/71-hosts-gone.pmie
