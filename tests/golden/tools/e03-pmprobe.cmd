# pmprobe: values, instances, errors, options
PCP_DERIVED_CONFIG= pmprobe -a ../archives/types-v3
PCP_DERIVED_CONFIG= pmprobe -v -a ../archives/types-v3 syn.ctr nosuch event
PCP_DERIVED_CONFIG= pmprobe -iI -O 35 -a ../archives/insts4
PCP_DERIVED_CONFIG= pmprobe -fI -a ../archives/insts20
PCP_DERIVED_CONFIG= pmprobe -v -O -1 -a ../archives/insts4
PCP_DERIVED_CONFIG= pmprobe -F -a ../archives/types-v3 syn syn.ctr.i32 nosuch
PCP_DERIVED_CONFIG= pmprobe -F -a ../archives/types-v3 syn
PCP_DERIVED_CONFIG= pmprobe -fFI -a ../archives/insts4 nosuch in.ctr
PCP_DERIVED_CONFIG= pmprobe -i -a ../archives/mo
PCP_DERIVED_CONFIG= pmprobe -V -a ../archives/ma m.c
PCP_DERIVED_CONFIG= pmprobe -v -Z UTC -a ../archives/rec-v3 sample.event sample.colour
pmprobe -?
pmprobe -d
pmprobe --version
pmprobe -v -i -a ../archives/ma
pmprobe -i -v -I -a ../archives/ma
pmprobe -b x
pmprobe -a nosuch
