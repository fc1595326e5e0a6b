# pminfo -l, -s: of a derived metric the agent is libpcp, of its instances that of their domain
printf 't.a = sample.bin\nt.b = 2 * sample.bin\nt.c = 1\n' > $T.conf; PCP_DERIVED_CONFIG=$T.conf pminfo -l -a ../archives/rec-v3 t.a
PCP_DERIVED_CONFIG=$T.conf pminfo -ls -a ../archives/rec-v3 sample.colour t.a t.c t.b sample.bin
