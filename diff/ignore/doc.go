// Package ignore applies ignoreChanges: it sets properties that a program changed
// back to what they were, before anything is compared.
//
//	patterns := []path.Pattern{path.MustParsePattern("tags.team")}
//	result := ignore.Changes(old, new, patterns, ignore.Engine)
//	d := diff.Between(old, result.Value, diff.Options{Relation: value.Engine})
//
// [Changes] returns the new value with every property that a pattern names as it is
// in the old one, and reports for each pattern what it matched and where the two
// values have no common shape. [Engine] follows Pulumi's engine to the letter;
// [Corrected] avoids its traps.
//
// Secret marks do not matter to patterns, what is copied out of a secret remains
// secret, and no report shows what is inside one. Values of any depth are accepted,
// and the time is linear in the parts that the patterns lead to.
package ignore
