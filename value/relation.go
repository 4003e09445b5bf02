package value

import "strings"

// Relation says when two values count as equal: a set of differences that are
// to be overlooked, and so a constant. The zero Relation, [Strict], overlooks
// none. Every Relation is an equivalence (reflexive, also for NaN, symmetric,
// transitive), has a total order and a hash of its own, and is what package
// diff takes: a diff is empty exactly when the values are equal under its
// Relation.
type Relation uint16

// What a Relation can overlook.
const (
	// Strict overlooks only what never makes a difference: the sign of
	// zero, the hint of an unknown, the source of an asset whose hash is known,
	// a secret mark below a secret.
	Strict Relation = 0

	// NullAsMissing: a member whose value is a null without marks is as good as
	// no member. Inside arrays a null stays a value.
	NullAsMissing Relation = 1 << (iota - 1)
	// IgnoreSecrets: secret marks make no difference.
	IgnoreSecrets
	// IgnoreDependencies: dependencies make no difference.
	IgnoreDependencies
	// IgnoreReferenceDetails: package version, name and type of a resource
	// reference make no difference; URN and ID do.
	IgnoreReferenceDetails

	// Engine is the Relation of Pulumi's engine: null as missing, references by
	// URN and ID.
	Engine = NullAsMissing | IgnoreReferenceDetails

	known = NullAsMissing | IgnoreSecrets | IgnoreDependencies | IgnoreReferenceDetails
	// exact is the finer relation of Identical, which is no equality of users'.
	exact Relation = 1 << 15
)

// String returns the names of what is overlooked, joined by "|"; "strict" for
// nothing.
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

// marked reports whether v carries a mark that r looks at, below a secret or
// not.
func (r Relation) marked(v *Value, below bool) bool {
	return r.secret(v, below) || r&IgnoreDependencies == 0 && v.facts&boxed != 0
}

// secret reports whether v carries a secret mark that r looks at: one below a
// secret is redundant, except to exact.
func (r Relation) secret(v *Value, below bool) bool {
	return v.facts&secretness != 0 && r&IgnoreSecrets == 0 && (!below || r&exact != 0)
}

// absent reports whether a member with this value counts as missing.
func (r Relation) absent(v *Value, below bool) bool {
	return r&NullAsMissing != 0 && v.kind == KindNull && !r.marked(v, below)
}
