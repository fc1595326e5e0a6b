# what is listed before the first metric without instances is forgotten: operands of derived metrics have all
PCP_DERIVED_CONFIG=cases/62-forgotten.conf pmie -v -t 2 -T 4 -a ../archives/rec-mark-v3 cases/62-forgotten.pmie
