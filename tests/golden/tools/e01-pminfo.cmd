# pminfo: what it says of metrics, domains and identifiers; which errors go where
PCP_DERIVED_CONFIG= pminfo -a ../archives/meta-v3
PCP_DERIVED_CONFIG= pminfo -dmMtTfFIls -a ../archives/meta-v3
PCP_DERIVED_CONFIG= pminfo -ls -O -1 -a ../archives/meta-v3 me.a
PCP_DERIVED_CONFIG= pminfo -tTIl -a ../archives/meta-v3 245.2 241.1 245.7.0 511.0.1
PCP_DERIVED_CONFIG= pminfo -a ../archives/types-v3 0.0.0 1.2.3 1.2 600.1 1 1.2.3.4 5x nosuch syn.ctr.i32 event
PCP_DERIVED_CONFIG= pminfo -fMI -O 15 -a ../archives/types-v2 syn.ctr.u32 syn.inst
PCP_DERIVED_CONFIG= pminfo -fs -O 35 -a ../archives/insts4
PCP_DERIVED_CONFIG= pminfo -x -a ../archives/rec-v3 sample.event
PCP_DERIVED_CONFIG= pminfo -x -a ../archives/rec-mark-v3 sample.event.records
PCP_DERIVED_CONFIG= pminfo -v -a ../archives/rec-v3
PCP_DERIVED_CONFIG= pminfo -f -a ../archives/multi m
PCP_DERIVED_CONFIG= pminfo -f -O 30 -a ../archives/ma,../archives/mb m
