# pmval: two archives, a mark between them; the mark is lost where a fetch ends within the millisecond before it; overlap is told on the way only
pmval -r -t 1 -a data/border-a,data/border-b -XX -O 9 -s 8 u.count
pmval -r -t 1 -a data/border-a,data/border-b -XX -O 10 -s 8 u.count
pmval -r -t 1 -a data/border-b,data/border-a -XX -O 10.0005 -s 8 u.count
pmval -r -t 1 -a data/border-a,data/border-b -XX -O 10.001 -s 8 u.count
pmval -t 2.5 -a data/border-a,data/border-b -X u.count
pmval -U data/border-a,data/border-b -r -O 4 u.count
pmval -U data/border-a,data/border-c -r u.count
pmval -U data/border-a,data/border-c -r -S 9 u.count
pmval -a data/border-a,data/border-c -t 1 -r -S 9 -s 6 u.level
