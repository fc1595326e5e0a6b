# a ruleset whose only rule is wrong has no name to be taken
pmie -C -a archives/lab cases/77-ruleset-of-nothing.pmie
