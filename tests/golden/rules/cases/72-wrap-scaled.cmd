# 2^32 or 2^64 is added to what is in canonical units, and not to the raw counter; what is negative then has no value
PCP_COUNTER_WRAP=1 pmie -v -a archives/labw cases/72-wrap-scaled.pmie
