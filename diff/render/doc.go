// Package render writes diffs as text, in the style of `pulumi preview --diff`.
//
//	d := diff.Between(old, new, diff.Options{Relation: value.Engine})
//	fmt.Print(render.Text(d, render.Options{Colour: render.ANSI}))
//
// [Text] returns the whole text. [Lines] iterates over its lines, which consist of
// spans with a style, for other renderers, such as one that writes HTML.
//
// Secrets are masked unless [Options] have RevealSecrets, control characters are
// escaped, and the length of the text is limited for any values: long texts, deep
// values and large subtrees are cut, and what is left out is counted.
package render
