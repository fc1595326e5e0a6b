/* Statements of rule files in the dialect pmie, as tokens: compiler/compat/pmie/scanner.h makes them, for
   macros feed the text while it is read.

   The grammar is that of pmie without its types: what is a number, a truth, a text, an action or a
   rule is decided by compiler/compat/pmie/statement_reader.h in the order of the tokens, where pmie's own
   parser would stop, too. Every decision here is made by one token, so the parser never looks further
   ahead than pmie does; where that takes knowledge of more, the scanner gives the token another kind:
   TARGET is a name before `=`, SHARE a number before `%_`; COUNTED_OPEN and COUNTED_TRUTH begin what
   `count_` counts and are a truth by themselves, COUNTED_RELATION makes it one, and COUNTED_TEXT is
   the right side of that, which nothing continues. */
parser grammar rules;

tokens {
  NAME, TARGET, NUMBER, SHARE, MACRO, TEXT, UNIT, UNIT_SLASH, TRUTH, COUNTED_TRUTH, OPEN,
  COUNTED_OPEN, CLOSE, BECOMES, ARROW, BOTH, EITHER, IN_TURN, UNTIL_TRUE, NOT, RISING, FALLING,
  QUANTIFIER, PERCENT, MATCH, RELATION, COUNTED_RELATION, COUNTED_TEXT, PLUS, MINUS, TIMES, DIVIDED,
  RATE, INSTANT, AGGREGATE, COUNT, VERB, COLON, HASH, AT, RANGE, CARET, RULESET, ELSE, UNKNOWN,
  OTHERWISE, ALERT, SEVERITY, UNTIL, FOR, KEEP, STALE, GONE, RESOLVES, LABEL, NOTE, ILLEGAL
}

statement : (TARGET BECOMES)? (ruleset | alert | rule_)? EOF ;

ruleset : RULESET rule_ (ELSE rule_)* (UNKNOWN ARROW junction)? (OTHERWISE ARROW junction)? ;

// Of the dialect strict alone. Its scanner makes these words of names: `alert` directly behind
// `NAME =`, the others in such a statement.
alert    : ALERT level (ELSE level)* setting* outcome* ;
level    : SEVERITY? junction (UNTIL junction)? (FOR number)? ;
setting  : KEEP number | STALE number | UNKNOWN SEVERITY | GONE (RESOLVES | UNKNOWN)
         | LABEL NAME TEXT | NOTE NAME TEXT ;
outcome  : ARROW junction | UNKNOWN ARROW junction | OTHERWISE ARROW junction ;

// Loosest first. && || & | are of one level.
rule_    : junction (ARROW junction)* ;
junction : truth ((BOTH | EITHER | IN_TURN | UNTIL_TRUE) truth)* ;
truth    : judged | action | relation ;
relation : sum (RELATION sum)* ;
sum      : product ((PLUS | MINUS) product)* ;
product  : unary ((TIMES | DIVIDED) unary)* ;

judged   : judge truth ;
judge    : NOT | RISING | FALLING | QUANTIFIER | SHARE PERCENT | MATCH TEXT ;

unary    : led | counting | primary ;
led      : (MINUS | RATE | INSTANT | AGGREGATE) unary ;
// What is counted is one truth: `count_inst x > 5 > 1` is `(count_inst (x > 5)) > 1`.
counting : COUNT counted ;
counted  : counted_judged | COUNTED_OPEN rule_ CLOSE | COUNTED_TRUTH | counted_relation ;
counted_judged   : judge counted ;
counted_relation : sum (COUNTED_RELATION (counted_text | sum))? ;
counted_text     : COUNTED_TEXT ;

primary  : OPEN rule_ CLOSE | fetch | number | MACRO | TEXT | TRUTH ;
fetch    : NAME (COLON NAME)* (HASH NAME)* (AT NUMBER (RANGE NUMBER)?)? ;
number   : NUMBER unit* ;
unit     : UNIT_SLASH? UNIT (CARET NUMBER)? ;
action   : VERB number? TEXT+ ;
