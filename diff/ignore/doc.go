// Package ignore applies ignoreChanges: it sets properties that a program changed back
// to their old values, before anything is compared.
//
//	patterns := []path.Pattern{path.MustParsePattern("tags.team")}
//	result := ignore.Changes(old, new, patterns, ignore.AsEngine)
//	d := diff.Between(old, result.Value, diff.Options{Relation: value.Engine})
//
// [Changes] returns the new value, in which every property that a pattern names is as in
// the old one. For each pattern it reports how many properties matched, and where it had
// no effect because the two values differ in shape. [AsEngine] follows the rules of
// Pulumi's engine exactly; [Corrected] avoids their traps.
//
// Patterns see through secret marks. What is copied out of a secret remains secret,
// and no report shows what is inside one.
package ignore
