# a column is as wide as printf makes it: names have bytes, not characters
pmval -a $ARCHIVES/procpid-encode -O 0.464 -A 0.5 -t 1min -s 30 -w 26 proc.psinfo.pid | grep -ao '.\{22\}/tmp/1.*sec 60 ' | head -1
pmval -a $ARCHIVES/procpid-encode -O 0.464 -A 0.5 -t 1min -s 30 -w 14 proc.psinfo.pid | grep -ao '^.*31816 /tmp/1.*032671' | tail -c 40 | head -1
