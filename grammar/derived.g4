/* The derived-metric language, as the strict dialect reads it. What each construct means: README.md.

   The grammar accepts a superset of every dialect; what strict refuses although it is well formed
   (`a || b && c`, `1 < 2 < 3`, …) is refused afterwards on the tree, by compiler/parse/strict.cc, so that
   the messages can say why and other dialects can share this file.

   Text is read byte by byte: a "character" here is a byte, and offsets are offsets of the source.

   Adding a function of one expression is a line in rule `function`; nothing else here changes. */
grammar derived;

definition : expr EOF ;

// Tightest first. Unary minus and ! bind as in C.
expr
  : '(' expr ')' INSTANCE?                          # group
  | name INSTANCE?                                  # metric
  | NUMBER                                          # number
  | PARAMETER                                       # parameter
  | function '(' expr ')'                           # call
  | 'rescale' '(' expr ',' STRING ')'               # rescale
  | MATCHINST ',' expr ')'                          # matchinst
  | 'mkconst' '(' (NUMBER | PARAMETER) (',' spec)+ ')'  # constant
  | 'novalue' '(' (spec (',' spec)*)? ')'           # constant
  | ('-' | '!') expr                                # prefix
  | expr ('*' | '/') expr                           # binary
  | expr ('+' | '-') expr                           # binary
  | expr ('<' | '<=' | '==' | '>=' | '>' | '!=') expr   # binary
  | expr '&&' expr                                  # binary
  | expr '||' expr                                  # binary
  | <assoc=right> expr '?' expr ':' expr            # ternary
  ;

// Functions of one expression.
function
  : 'avg'
  | 'count'
  | 'delta'
  | 'max'
  | 'min'
  | 'sum'
  | 'rate'
  | 'instant'
  | 'scalar'
  | 'defined'
  | 'known'
  | 'some'
  | 'all'
  | 'avg_host'
  | 'count_host'
  | 'max_host'
  | 'min_host'
  | 'sum_host'
  | 'some_host'
  | 'all_host'
  | 'anon'
  ;

// A function's name is a function's name before `(` only.
name : word | QUOTED ;
word : NAME | function | 'rescale' | 'mkconst' | 'novalue' | tag ;

spec : word '=' (STRING | NUMBER | name) ;

// Reserved: as metrics they must be quoted.
tag : 'type' | 'semantics' | 'units' | 'indom' | 'meta' ;

// The head of matchinst() is one token, so that a / anywhere else is a division.
MATCHINST : PATTERN_HEAD PATTERN_BODY '/' ;
NAME      : LETTER (LETTER | DIGIT | [_.])* ;
QUOTED    : '\'' (ESCAPED | ~['\\])* '\'' ;
INSTANCE  : '[' (ESCAPED | ~[\]\\])* ']' ;
STRING    : '"' ~["]* '"' ;
NUMBER    : (DIGIT+ ('.' DIGIT*)? | '.' DIGIT*) EXPONENT? ;
// A number that `pmjit eval --sweep` gives; elsewhere it is refused.
PARAMETER : '$' LETTER (LETTER | DIGIT | '_')* ;
BLANK     : SPACE+ -> skip ;

// So that the scanner never fails: what these match is reported with its place.
OPEN_PATTERN  : PATTERN_HEAD PATTERN_BODY '\\'? ;
OPEN_QUOTED   : '\'' (ESCAPED | ~['\\])* '\\'? ;
OPEN_INSTANCE : '[' (ESCAPED | ~[\]\\])* '\\'? ;
OPEN_STRING   : '"' ~["]* ;
ILLEGAL       : . ;

fragment PATTERN_HEAD : 'matchinst' SPACE* '(' SPACE* ('!' SPACE*)? '/' ;
fragment PATTERN_BODY : (ESCAPED | ~[/\\])* ;
fragment ESCAPED      : '\\' . ;
fragment EXPONENT     : [eE] [+-]? DIGIT+ ;
fragment LETTER       : [A-Za-z] ;
fragment DIGIT        : [0-9] ;
fragment SPACE        : [ \t\r\n\u000B\u000C] ;
