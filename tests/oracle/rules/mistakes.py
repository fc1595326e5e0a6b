"""Mistakes in rule files: tokens and characters lost, doubled, swapped or put where they do not
belong, wrong types, unknown names.

    mistaken = Mistakes(random.Random(7), subject).tokens(statements)
    text = Mistakes(random.Random(7), subject).characters(text)
"""

STRAY = ["->", "==", "!=", "<=", ">=", "<", ">", "&&", "||", "&", "|", "!", "+", "-", "*", "/", "(",
         ")", "=", ":", "#", "@", "..", "^", ";", ";", "}", "{", "[", "]", ",", "?", "~", "%", "$",
         "'", '"', "\\", "true", "false", "rate", "instant", "shell", "alarm", "syslog", "print",
         "rising", "falling", "match_inst", "nomatch_inst", "ruleset", "else", "unknown",
         "otherwise", "sum_host", "avg_inst", "max_sample", "min_inst", "count_inst", "count_host",
         "all_inst", "some_sample", "%_host", "%_inst", "sec", "Kbyte", "count", "min", "0", "1",
         "3.5", "1e", ".", ".5.", "0..3", "7-", '"text"', '"%v"', "/*", "*/", "//", "delta", "/ /",
         "/\n/", "& |", "> >", "some_sample true", "print ;", "\n\n", ";\n\n"]
UNKNOWN = ["no.such", "nosuch", "$nosuch", "$no_such.x", "$'odd name'", "$9", "x..y",
           "unknown.metric", "sum_inst2", "%_inst"]
WRONG = ['"text"', "true", "3", "2 Kbyte", "( 1 > 0 )", "0..2", "sum_inst 3", "count_inst true",
         "rate 3", "rising 3", "rate true", "all_host 1 > 0", "some_sample true",
         "print \"x\"", "some_inst 5 > 3", "avg_sample 1", "- true", "! 3", "instant true"]


class Mistakes:
    def __init__(self, pick, subject):
        self.pick, self.subject = pick, subject

    def tokens(self, statements):
        """The same with 1 to 3 mistakes."""
        out = [list(tokens) for tokens in statements]
        for _ in range(self.pick.choice([1, 1, 1, 2, 3])):
            at = self.pick.randrange(len(out))
            getattr(self, self.pick.choice(
                ["deleted", "deleted", "doubled", "swapped", "inserted", "inserted", "cut",
                 "unended", "wrong", "unknown", "exchanged", "instance", "size", "repeated"]))(
                     out, at)
        return out

    def place(self, tokens):
        return self.pick.randrange(max(1, len(tokens)))

    def deleted(self, statements, at):
        tokens = statements[at]
        if tokens:
            tokens.pop(self.place(tokens))

    def doubled(self, statements, at):
        tokens = statements[at]
        if tokens:
            place = self.place(tokens)
            tokens.insert(place, tokens[place])

    def swapped(self, statements, at):
        tokens = statements[at]
        if len(tokens) > 1:
            place = self.pick.randrange(len(tokens) - 1)
            tokens[place], tokens[place + 1] = tokens[place + 1], tokens[place]

    def inserted(self, statements, at):
        statements[at].insert(self.place(statements[at]), self.pick.choice(STRAY))

    def cut(self, statements, at):
        """The end is missing, mostly but for the terminator."""
        tokens = statements[at]
        end = tokens[-1:] if self.pick.random() < 0.7 else []
        statements[at] = tokens[:self.place(tokens)] + end

    def unended(self, statements, at):
        statements[at] = statements[at][:-1]

    def wrong(self, statements, at):
        """An operand of another type."""
        tokens = statements[at]
        fit = [i for i, token in enumerate(tokens) if token[0].isalnum() or token[0] in "'\""]
        if fit:
            tokens[self.pick.choice(fit)] = self.pick.choice(WRONG)

    def unknown(self, statements, at):
        tokens = statements[at]
        fit = [i for i, token in enumerate(tokens) if "." in token or token[0] == "$"] or [0]
        if tokens:
            tokens[self.pick.choice(fit)] = self.pick.choice(UNKNOWN)

    def instance(self, statements, at):
        fit = [i for i, token in enumerate(statements[at]) if token == "#"]
        if fit:
            statements[at][min(self.pick.choice(fit) + 1, len(statements[at]) - 1)] = \
                self.pick.choice(["nosuch", "'no such'", "9", "#"])
        else:
            statements[at].insert(-1, "# nosuch")

    def size(self, statements, at):
        """Another metric, with other instances; or more samples."""
        tokens = statements[at]
        fit = [i for i, token in enumerate(tokens) if "." in token and token[0].isalpha()]
        if fit:
            place = self.pick.choice(fit)
            if self.subject.numbers and self.pick.random() < 0.6:
                tokens[place] = self.pick.choice(self.subject.numbers).name
            else:
                tokens[place] += self.pick.choice([" @0..2", " @1", " @3..1", " @0..3 @1"])

    def exchanged(self, statements, at):
        """Part of another statement follows."""
        other = self.pick.choice(statements)
        statements[at] = (statements[at][:self.place(statements[at])]
                          + other[self.place(other):])

    def repeated(self, statements, at):
        """Again, and so of the same name."""
        statements.insert(self.pick.randrange(len(statements) + 1), list(statements[at]))

    def characters(self, text):
        """One character lost, put in, or the text cut."""
        if not text:
            return text
        at = self.pick.randrange(len(text))
        kind = self.pick.random()
        if kind < 0.4:
            return text[:at] + text[at + 1:]
        if kind < 0.75:
            return text[:at] + self.pick.choice(";'\"\\$%/*-.#@^_ \n\t\001\xe9aZ0") + text[at:]
        return text[:at]
