package equality

import (
	"fmt"
	"slices"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Rule says which values at the places of a pattern are equal. If several rules match a
// place, their forms are applied in order.
type Rule struct {
	Pattern path.Pattern

	// Form returns the normal form of a bool, number or string, which is passed without
	// marks. It must always return the same for the same argument. The normal form may be
	// of any kind: that of a string may be an array. A result that is null, or has marks or
	// unknowns, counts as the argument itself. A nil Form changes nothing.
	Form func(value.Value) value.Value

	// Default is the value of a member that is missing; null means that there is none.
	// It requires a pattern that ends in a key.
	//
	// A member whose normal form is that of its Default is left out of the normal form
	// of its object, from the innermost object out, and so is a null. The Relation decides
	// whether both are equal: a null in an object or array counts as missing only if it
	// does under the Relation. Members with marks that the Relation compares stay.
	Default value.Value

	// Empty reports whether an empty string, array or object counts as a missing member.
	// The member is left out as with Default. Empty, too, requires a pattern that ends in
	// a key.
	Empty bool

	// Ignored reports that the member does not count, whatever it is: as a missing one, also
	// with marks. It requires a pattern that ends in a key. [Internal] has such rules.
	Ignored bool
}

// drops reports whether the rule leaves out members; which ones, presence says.
func (r *Rule) drops() bool { return r.Ignored || r.Empty || !r.Default.IsNull() }

// Rules is a list of rules. Rules never change and may be shared by goroutines; nil and
// the zero Rules add nothing to the Relation.
type Rules struct {
	all []Rule
	set *path.Set
}

// NewRules returns Rules. It returns an error that names the pattern if a Default has
// marks or unknowns, if a rule with Default, Empty or Ignored has a pattern that does not
// end in a key, or if a Default holds values and its pattern [path.AnyDepth], so that it could
// be in itself.
func NewRules(rules ...Rule) (*Rules, error) {
	patterns := make([]path.Pattern, len(rules))
	for i, r := range rules {
		patterns[i] = r.Pattern
		switch {
		case !isPlain(r.Default):
			return nil, fmt.Errorf("equality: %s: default with marks or unknowns", scan.Line(r.Pattern.String()))
		case r.drops() && !endsInKey(r.Pattern):
			return nil, fmt.Errorf("equality: %s: default, empty or ignored for what is no member", scan.Line(r.Pattern.String()))
		case r.Default.Len() > 0 && slices.ContainsFunc(slices.Collect(r.Pattern.Steps()), path.Step.IsAnyDepth):
			return nil, fmt.Errorf("equality: %s: default with values in it, at any depth", scan.Line(r.Pattern.String()))
		}
	}

	return &Rules{slices.Clone(rules), path.NewSet(patterns...)}, nil
}

// MustRules is [NewRules] for rules that are known to be right: it panics on an error.
func MustRules(rules ...Rule) *Rules {
	r, err := NewRules(rules...)
	if err != nil {
		panic(err)
	}
	return r
}

// Patterns returns the patterns of the rules, in their order.
func (r *Rules) Patterns() *path.Set {
	if r == nil {
		return nil
	}
	return r.set
}

func endsInKey(p path.Pattern) bool {
	last := path.Any()
	for step := range p.Steps() {
		last = step
	}
	return last.IsKey()
}

func isPlain(v value.Value) bool {
	return !v.ContainsSecret() && !v.ContainsDependencies() && !v.ContainsUnknown()
}

func isLeaf(v value.Value) bool {
	switch v.Kind() {
	case value.KindBool, value.KindNumber, value.KindString:
		return true
	case value.KindNull, value.KindArray, value.KindObject, value.KindAsset, value.KindArchive,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}
	return false
}

// formed returns what the forms of the rules that match a place make of a value without
// marks.
func (r *Rules) formed(v value.Value, st path.Matcher) value.Value {
	for i := range st.Matched() {
		if form := r.all[i].Form; form != nil && isLeaf(v) {
			if x := form(v); !x.IsNull() && isPlain(x) {
				v = x
			}
		}
	}
	return v
}

// forms reports whether a rule that matches a place has a form.
func (r *Rules) forms(st path.Matcher) bool {
	for i := range st.Matched() {
		if r.all[i].Form != nil {
			return true
		}
	}
	return false
}

func (r *Rules) drops(st path.Matcher) bool {
	for i := range st.Matched() {
		if r.all[i].drops() {
			return true
		}
	}
	return false
}

// ignores reports whether a rule says that a place does not count.
func (r *Rules) ignores(st path.Matcher) bool {
	for i := range st.Matched() {
		if r.all[i].Ignored {
			return true
		}
	}
	return false
}

// presence compares the normal form of a member with the lack of it: Same if a rule leaves
// it out, Maybe if an unknown decides, and Changed if it stays. Below says that the
// object is secret.
func (n *normalizer) presence(v value.Value, st path.Matcher, below bool) value.Verdict {
	switch {
	case !n.rules.drops(st):
		return value.Changed
	case n.rules.ignores(st):
		return value.Same
	}

	relation := n.relation
	if below { // where the mark says nothing
		relation |= value.IgnoreSecrets
	}
	verdict := likeness(relation, v, value.Null())
	for i := range st.Matched() {
		rule := &n.rules.all[i]
		if !rule.Default.IsNull() {
			verdict = min(verdict, likeness(relation, v, n.normalDefault(i, st)))
		}
		if rule.Empty {
			verdict = min(verdict, likeness(relation, v, value.String("")), likeness(relation, v, value.Array()), likeness(relation, v, value.Object()))
		}
	}
	return verdict
}

// likeness compares a normal form with one that leaves a member out. An unknown in it may
// turn out to be a member that is left out, under any Relation; a null is one that is there,
// unless the Relation has it otherwise.
func likeness(relation value.Relation, v, w value.Value) value.Verdict {
	verdict := relation.Compatible(v, w)
	if verdict == value.Changed && (relation|value.NullAsMissing).Compatible(v, w) == value.Maybe {
		return value.Maybe
	}
	return verdict
}
