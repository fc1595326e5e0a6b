# a point that begins nothing is the sign behind it, twice
pmie -q -d -a archives/lab
