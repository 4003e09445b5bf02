// Package equality compares property values by rules that say which spellings mean the
// same to a provider: JSON with and without white space, "TRUE" and "true", or a port of
// 443 and a missing port whose default is 443.
//
//	var same = equality.MustRules(
//		equality.Rule{Pattern: path.MustParsePattern("policy"), Form: equality.JSONText},
//		equality.Rule{Pattern: path.MustParsePattern("rules[*].protocol"), Form: equality.FoldCase},
//		equality.Rule{Pattern: path.MustParsePattern("rules[*].port"), Default: value.Number(443)},
//		equality.Rule{Pattern: path.MustParsePattern("tags"), Empty: true},
//	)
//	d := same.Between(old, now, diff.Options{Relation: value.Engine})
//
// A rule is a normal form: two values are equal if what [Rules.Normalize] makes of them
// is. So equality is reflexive, symmetric and transitive, whatever a Form does.
//
// # The diff
//
// [Rules.Between] returns an exact diff, of the old value and of the new one as
// [Rules.Respell] spells it: wherever the rules hide a difference, with the old spelling,
// or the member that the old value has, or without the member that it lacks. The
// result is a diff like any other. It holds no functions, shows values as they were
// written, and Apply, Invert, Compose, Split and patches do with it what they always do.
// Diffs of "A" to "a" and of "a" to "x" do not compose, since the first is empty and does
// not lead to "a"; Compose then returns an error.
//
// The diff is empty exactly if both values have equal normal forms under the Relation of
// the options. Elements of arrays that are not compared index by index are matched by
// their normal forms.
//
// # Unknowns
//
// Forms are not called for unknowns and sealed secrets, which may turn out to be
// anything. Where one decides whether a rule hides a difference, the verdict of the
// change is [value.Maybe].
//
// # Secrets
//
// A Form is called with values that were secret. What it returns is compared, and shown
// nowhere. A secret is never written into a place that is not secret: there the new
// spelling stays.
package equality
