# what is complete whatever follows is said before the next word is read: the line is that of the last one
pmie -C -a archives/lab cases/80-before-the-next.pmie
