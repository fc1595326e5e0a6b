# instances are listed as the newest record has them, then those of older ones
pmie -q -d -a ../archives/meta-v3
