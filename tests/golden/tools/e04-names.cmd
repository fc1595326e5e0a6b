# another name space: -n and -N
pminfo -n data/names.pmns -m -a ../archives/rec-v3 light bar
pminfo -n data/names.pmns -f -a ../archives/rec-v3 bar.deeper
pminfo -n data/names.pmns -a ../archives/rec-v3 lost bar.step bar.moving sample.colour
pminfo -n data/names.pmns -m -a ../archives/rec-v3 29.0.6 29.0.8
pmprobe -n data/names.pmns -v -a ../archives/rec-v3 bar lost light nosuch
pmval -n data/names.pmns -s 3 -t 1 -a ../archives/rec-v3 bar.colour
pmval -n data/names.pmns -s 3 -t 1 -a ../archives/rec-v3 lost
pmval -n data/names.pmns -s 3 -t 1 -a ../archives/rec-v3 bar
pmdumplog -n data/names.pmns -d -m ../archives/rec-v3 bar
pmdumplog -n data/names.pmns ../archives/rec-v3 sample.colour
pminfo -N data/names.pmns -a ../archives/rec-v3 light
pminfo -n nosuch -a ../archives/rec-v3
pminfo -n data/names.pmns -n data/names.pmns -a ../archives/rec-v3
pmprobe -n data/names-bad.pmns -a ../archives/rec-v3
pmval -n data/names-lost.pmns -a ../archives/rec-v3 a
pmdumplog -n nosuch ../archives/rec-v3
