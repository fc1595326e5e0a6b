# the best over hosts: its element is taken for the host
pmie -t 20 -a archives/lab -a archives/labb cases/67-best-host.pmie
