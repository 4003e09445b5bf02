// Package render writes a diff for people, in the manner of `pulumi preview --diff`.
//
//	d := diff.Between(old, new, diff.Options{Relation: value.Engine})
//	fmt.Print(render.Text(d, render.Options{Colour: render.ANSI}))
//
// [Text] returns the whole text. [Lines] iterates over its lines, each made of spans
// with a style, for those who render it otherwise, as HTML for example.
//
// Secrets are masked unless [Options] say RevealSecrets, control characters are
// escaped, and the text is bounded for any values: long texts, deep values and large
// subtrees are cut, and what is left out is counted.
package render
