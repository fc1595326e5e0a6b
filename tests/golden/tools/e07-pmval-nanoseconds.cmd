# pmval: records half a microsecond behind whole seconds; windows are reckoned in nanoseconds and then cut
pmval -a ../archives/rec-v3 -T 0.015 -t 5msec sample.drift
pmval -a ../archives/rec-v3 -T 1.1 -t 0.1 sample.drift
pmval -a data/nano -XX -t 1 u.level
pmval -a data/nano -XX -t 1 -A 1 u.level
pmval -a data/nano -XX -t 1 -S 1 -A 1 u.level
pmval -a data/nano -XX -t 1 -S 0.9999996 -s 1 u.level
pmval -a data/nano -XX -t 1 -O 0.9999994 -s 1 u.level
pmval -a data/nano -XX -t 1 -T 1.9999996 -O -0.5 u.level
pmval -a data/nano -XX -t 1 -A 0.0000015 -S 1 -s 2 u.level
pminfo -f -a data/nano -O 0.9999996 u.level
pmprobe -v -a data/nano -O 0.9999994 u.level
