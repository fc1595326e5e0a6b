# what is wrong with a definition is said for each rule that asks for it
PCP_DERIVED_CONFIG=cases/84-derived-again.conf pmie -C -a archives/lab cases/84-derived-again.pmie
