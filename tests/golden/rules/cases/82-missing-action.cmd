# a rule whose action is missing is its condition; behind a doubled sign the next statement is looked at before the rule is judged
pmie -q -v -T 1sec -a archives/lab cases/82-missing-action.pmie
