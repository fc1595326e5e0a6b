# pmval: which mistake is told, and which hides the others
pmval -s x
pmval -s x a b
pmval -w 0 -a ../archives/rec-v3 sample.bin
pmval -d
pmval -d foo
pmval -Z UTC -z -a ../archives/rec-v3
pmval -f x a b
pmval -S 1 a b
pmval -S 1 a
pmval -S 1 a[
pmval -z a b
pmval -g -d -a ../archives/rec-v3 a
pmval -S 1 ../archives/rec-v3/sample.bin
pmval -z ../archives/rec-v3/sample.bin
pmval -a ../archives/rec-v3 foo:sample.bin
pmval -x 3 -s 2 -a ../archives/rec-v3 sample.bin
pmval -d -s 3 -t 0.1 -a ../archives/rec-v3 sample.bin
