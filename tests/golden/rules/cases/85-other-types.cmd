# values whose blocks have another type than their metric are taken as they are
pmie -v -t 2.5 -a ../archives/odd cases/85-other-types.pmie
