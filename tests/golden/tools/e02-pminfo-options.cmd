# pminfo: options, zones, what cannot be opened
pminfo -?
pminfo -V
pminfo -b x -a ../archives/ma
pminfo -S 3 -a ../archives/ma
pminfo -h localhost -a ../archives/ma
pminfo -O bogus -a ../archives/ma
PCP_DERIVED_CONFIG= pminfo -Z EST5EDT -a ../archives/ma m.c
PCP_DERIVED_CONFIG= pminfo -z -O 1 -f -a ../archives/ma m.c
PCP_DERIVED_CONFIG= pminfo -f -O 1.0195449 -a ../archives/rec-v3 sample.drift
PCP_DERIVED_CONFIG= pminfo -f -O 1.019546 -a ../archives/rec-v3 sample.drift
pminfo -a nosuch
pminfo -a ../archives/bad-pid
pminfo -a ../archives/ma,../archives/mh
