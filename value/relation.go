package value

// NOTE: What counts as equal is said three times, for speed: in equal.go, in compare.go as an
// order, and in digest.go as a hash; law 2 holds them together. A new bit is read there and by
// verdict.go, for diffs by internal/difftree (rules.go) and internal/walk (prints.go,
// children.go, match_maybe.go), by the oracles (oracle_test.go, and reference.go of the laws),
// and has a name in codec/patch (read_fields.go). What counts as missing is said again, for
// diffs, by Rules.Absent of internal/difftree, for answers by Nothing of internal/protocol,
// and for ignoreChanges by form of diff/ignore.

import "strings"

// Relation is a set of differences that are overlooked when values are compared.
//
// The zero Relation, [Strict], overlooks least. Every Relation is an equivalence
// (reflexive, also for NaN, symmetric and transitive) and has a total order and a hash
// that agree with it. Package diff takes a Relation: a diff is empty exactly if the
// values are equal under its Relation.
type Relation uint16

// The differences that a Relation can overlook.
const (
	// Strict overlooks only the sign of zero, the hint of an unknown, the source of an
	// asset or archive whose hash is known, and a secret mark below a secret.
	Strict Relation = 0

	// NullAsMissing treats a member whose value is a null without marks as missing.
	// Inside arrays a null is a value.
	NullAsMissing Relation = 1 << (iota - 1)
	// IgnoreSecrets overlooks secret marks.
	IgnoreSecrets
	// IgnoreDependencies overlooks dependencies.
	IgnoreDependencies
	// IgnoreReferenceDetails overlooks the package version, name and type of a resource
	// reference, but not its URN and ID.
	IgnoreReferenceDetails

	// A further bit needs a place in known and String below, and in the files that the NOTE
	// above names. With it a Relation must still be an equivalence, which a tolerance
	// ("equal up to 1 %") is not: it has no hash.

	// Engine is the Relation of Pulumi's engine: null is missing, and references are
	// compared by URN and ID.
	Engine = NullAsMissing | IgnoreReferenceDetails

	known = NullAsMissing | IgnoreSecrets | IgnoreDependencies | IgnoreReferenceDetails
	// exact makes Identical finer than every other relation. It is not exported.
	exact Relation = 1 << 15
)

// String returns the names of the overlooked differences joined by "|", or "strict".
func (r Relation) String() string {
	var names []string
	for _, n := range []struct {
		bit  Relation
		name string
	}{
		{NullAsMissing, "null as missing"},
		{IgnoreSecrets, "ignore secrets"},
		{IgnoreDependencies, "ignore dependencies"},
		{IgnoreReferenceDetails, "ignore reference details"},
	} {
		if r&n.bit != 0 {
			names = append(names, n.name)
		}
	}
	if names == nil {
		return "strict"
	}

	return strings.Join(names, "|")
}

// marked reports whether v has a mark that r compares, below a secret or not.
func (r Relation) marked(v *Value, below bool) bool {
	return r.secret(v, below) || (r&IgnoreDependencies == 0 && v.facts&boxed != 0)
}

// secret reports whether v has a secret mark that r compares: one below a secret is
// redundant, except for exact.
func (r Relation) secret(v *Value, below bool) bool {
	return v.facts&secretness != 0 && r&IgnoreSecrets == 0 && (!below || r&exact != 0)
}

// absent reports whether a member with this value counts as missing.
func (r Relation) absent(v *Value, below bool) bool {
	return r&NullAsMissing != 0 && v.kind == KindNull && !r.marked(v, below)
}
