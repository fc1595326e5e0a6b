# listings of delays, of syslog without a text, of instances that the newest record does not have
pmie -q -d -a ../archives/insts4 -a archives/lab
