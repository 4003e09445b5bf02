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
// [Rules.Between] first gives the new value the old spelling wherever the rules hide a
// difference, as [Rules.Respell] does; a member that only one side has is kept or left
// out as in the old value. Then it compares exactly. So the result is a diff like any
// other: it holds no functions, and it can be applied, inverted, composed, split and
// written as a patch. Note that the diffs of "A" to "a" and of "a" to "x" do not compose:
// with [FoldCase] the first is empty and does not lead to "a".
//
// The diff is empty exactly if both values have equal normal forms under the Relation of
// the options. Elements of arrays that are not compared index by index are matched by
// their normal forms.
//
// # Unknowns
//
// Forms are not called for unknowns and sealed secrets, whose contents are not known yet.
// If a rule may turn out to hide a difference once they are, the verdict of the change is
// [value.Maybe].
//
// # Secrets
//
// A Form is called with the contents of secrets. What it returns is compared and never
// shown. The old spelling of a secret is not copied to a place that is not secret: there
// the new spelling stays.
package equality
