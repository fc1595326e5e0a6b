# one conflict of options is told, the first; with -d and -C files are checked; -d asks for what stomp needs
for options in "-b -x -f -F" "-x -b" "-c x -b -x FILE" "-c x -d FILE"; do
  pmie $options -a archives/lab 2>&1 < /dev/null | head -1
done
pmie -C -d -a archives/lab cases/76-conflicts.pmie
pmie -d -j nowhere -a archives/lab cases/76-conflicts.pmie
