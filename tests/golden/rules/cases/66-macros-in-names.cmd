# what a macro puts in a name ends it, where it would in the text; behind a quote a character is looked at
pmie -q -d -a archives/lab
