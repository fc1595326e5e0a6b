# S counts from the start that is set, r runs as long as the window or as r said last, -b sends all to standard error
pmie -b -d -v -S 20 -T 50 -a archives/lab cases/73-interactive-window.pmie
