# files that end without a line feed; characters that are no ASCII, which end a statement where they were looked at
for text in 'a = lab.inst /' 'a = lab.inst / ' 'a = lab.inst / //' 'a = lab.inst / /* */' 'a = lab.inst .' 'lab.inst@/' 'lab.inst@+' \
    'a = lab.inst + *' 'a = lab.inst + $' 'a = lab.inst + $x' "a = lab.inst + \$'x" "a = lab.inst + \$'x'" 'x = "i"; lab.$x' 'a = $x' \
    'a = lab.inst\351 b = lab.inst > 3 x;' 'a = lab.inst \351 b = lab.inst > 3 x;' "'lab.inst'\\351 b = lab.inst > 3 x;" '\351 > 3;' ';\351 > 3;'; do
  echo "== $text" >&2; printf "$text" | pmie -q -C -a archives/lab; echo "exit $?" >&2
done
