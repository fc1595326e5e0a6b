# a run that goes back: only what has a hold-off is held off; S with @ or - may go back, too
pmie -q -d -v -a archives/lab cases/79-runs-again.pmie
