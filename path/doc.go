// Package path names places in property values.
//
// A Path is a sequence of steps, each a key of an object or an index of an array; a
// Pattern may also have wildcards; a Set is many patterns, compiled. The package does not
// depend on values, so that errors of every other package can carry a path.
//
//	p := path.MustParse(`spec.containers[0]["app.kubernetes.io/name"]`)
//	for step := range p.Steps() {
//		fmt.Println(step) // spec, containers, [0], ["app.kubernetes.io/name"]
//	}
//	q, err := path.ParsePulumi("tags.env") // a key of detailedDiff
//	if err != nil {
//		return err // names the text, the offset, what was expected and found
//	}
//	ignored := path.MustSet("tags[*]", "owner")
//	fmt.Println(ignored.Covers(q)) // true
//
// Steps, paths and patterns are immutable values: comparable with ==, usable as map keys,
// shared freely between goroutines, their zero values useful (the zero Path is the root).
// Making a path never changes another one. The strings that a path returns, such as the
// name of a key, share its memory.
//
// # The canonical grammar
//
// It has exactly one text for every sequence of steps. String writes that text, and Parse
// and ParsePattern read it back to the same path, whatever bytes the keys hold: one of
// the module's [laws].
//
//	path     = first { "." name | bracket } ;      first = name | bracket ;     the root's text is empty
//	name     = ( letter | "_" ) { letter | digit | "_" }                        ASCII
//	bracket  = "[" ( index | string ) "]" ;        a pattern adds "[*]" and "[**]"
//	index    = "0" | nonzero { digit }                                          at most MaxIndex, 2^31-1
//	string   = '"' { any byte but '"' and '\' | '\"' | '\\' } '"'
//
// The wildcard of one step is `[*]`, and that of any number of steps `[**]`, so that
// `[**].name` is a name at any depth; `["*"]` is the key `*` and nothing else. The parser takes
// what the grammar says, and `["name"]` too where the writer has `name`.
//
// # The Pulumi dialect
//
// Engines and providers write and read a looser grammar. ParsePulumi and
// ParsePulumiPattern accept what Pulumi's own parser accepts in its lax mode, in which
// engines read, with the same meaning:
//
//   - a bare name is any characters up to the next '.' or '['; `a..b` is `a.b`,
//     `a.["k"]` is `a["k"]`, a name may follow `]` without a dot; a text that
//     begins or ends with '.' is an error;
//   - in quotes only `\"` is an escape, a `\` before anything else is itself;
//   - a number may have a sign and leading zeros.
//
// A text has one of two roles. Read as a path (a key of detailedDiff, the
// property of a check failure), `["*"]`, `[*]` and a bare `*` are the key `*`;
// read as a pattern (ignoreChanges, replaceOnChanges) they are the wildcard.
// The methods named Pulumi write the dialect: a key is bare when it is one or
// more of A-Z, a-z, 0-9 and '_', else in quotes.
//
// What they refuse, with ErrUnwritable: a key that is not UTF-8, since no
// message can carry it; a key that ends in '\' and has a '.' or a '[', since
// neither form can be read back (without these it is written bare, `tags.C:\`);
// and the key `*` and `[**]` in a pattern. The text of the root is empty, which is not a key of
// detailedDiff.
//
// Differences from Pulumi, on purpose: an index below 0 or above MaxIndex is
// an error; the empty key is written `[""]` (Pulumi writes nothing, and so
// another path); the wildcard of a pattern is written `[*]` (Pulumi writes
// `["*"]`, and reads both).
//
// Pulumi's newer property package has a third grammar, of Go-quoted strings and
// identifiers, in which `[*]` and `["*"]` differ as they do here. The canonical
// grammar covers it where the two overlap: names that are ASCII identifiers,
// indexes, the wildcard, and quoted keys with no escape but `\"` and `\\`. It
// has no `\n`, `\x00` or `\u00e9`: such characters are written in quotes as they are.
//
// # Limits
//
// An index is at most MaxIndex. Index and Path.Elem are total and clamp: an
// int out of range becomes MaxIndex, which no array reaches. Keys and paths
// may be of any length. No function takes more than linear
// time and memory in what it is given, but for the sort in NewSet. Parsing is one
// allocation, as is making a path longer; walking, comparing, taking prefixes
// and asking a Set are none.
//
// Paths below a secret contain its keys. A Shown is a path that is redacted there.
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package path
