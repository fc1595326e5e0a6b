# a text that is a counter has no value
pmie -v -a ../archives/odd cases/69-text-counter.pmie
