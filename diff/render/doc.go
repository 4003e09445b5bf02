// Package render writes diffs as text, in the style of `pulumi preview --diff`.
//
//	d := diff.Between(old, new, diff.Options{Relation: value.Engine})
//	fmt.Print(render.Text(d, render.Options{ANSI: true}))
//
// [Text] returns the whole text. [Lines] yields it line by line, each line as a list of
// styled spans, for callers that write another format, such as HTML.
//
// Secrets are masked unless [Options] select [value.RevealSecrets], and control characters are
// escaped. The length of the text is bounded, whatever the values: long texts, deep
// values and large subtrees are cut, with a count of what was left out.
package render
