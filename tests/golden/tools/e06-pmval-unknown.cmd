# pmval: instances that no domain record names, at the start of a stretch and within; what it says between stretches
pmval -U data/unknown u.level
pmval -U data/unknown u.count
pmval -r -U data/unknown u.count
pmval -a data/unknown -t 1 u.level
pmval -a data/unknown -t 1 u.count
pmval -a data/unknown -t 0.7 u.count
pmval -a data/unknown -t 1500msec -r u.count
pmval -U data/unknown -i one u.count
pmval -U data/unknown -i 'one,two' u.level
pmval -X -w 4 -U data/unknown u.level
