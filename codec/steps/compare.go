package steps

import (
	"cmp"
	"maps"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Compare compares the resource before the step with the one after it, which explains the
// operation. What is not known yet ([Step.OutputsPartial]) is no change.
//
// If base is not nil, it is taken for the resource before: that of a stack which the update
// begins with. What Old and New have alike is after the step as it is in base, so that what
// the text masks or lacks is no change either.
func (s *Step) Compare(base *state.Resource, o state.CompareOptions) state.ResourceDiff {
	switch {
	case base == nil:
		base = s.Old
	case s.Old == nil: // it says nothing of a resource before
		base = nil
	}
	if s.Old == nil || s.New == nil {
		return state.ComparePair(base, s.New, o)
	}
	if s.Old == s.New {
		return state.ResourceDiff{Old: base, New: base}
	}

	from, now := *s.Old, *s.New
	from.Delete = from.Delete && s.Op != OpReplace // it is marked while the new one is made
	if from.Outputs.IsNull() && s.InputsPartial {
		from.Outputs = now.Outputs
	}
	if s.OutputsPartial {
		now.Outputs = filled(now.Outputs, from.Outputs)
		now.ID = cmp.Or(now.ID, from.ID)
	}
	own := state.ComparePair(&from, &now, o)
	switch {
	case base == s.Old:
		return own
	case own.Outcome == state.Unchanged:
		return state.ResourceDiff{Old: base, New: base, LeftOut: own.LeftOut}
	}

	now.Inputs = carried(base.Inputs, s.Old.Inputs, now.Inputs)
	now.Outputs = carried(base.Outputs, s.Old.Outputs, now.Outputs)
	d := state.ComparePair(base, &now, o)
	d.Metadata.Diff, _ = d.Metadata.Diff.Split(unlike(&d.Metadata, &own.Metadata))
	d.LeftOut = own.LeftOut
	d.Outcome = max(d.Metadata.Outcome(), d.Inputs.Outcome(), d.Outputs.Outcome())
	return d
}

// filled returns outputs with those of the resource before in place of what is not known: what
// they lack, and an ID that is empty.
func filled(v, before value.Value) value.Value {
	if v.Len() == 0 && !v.IsUnknown() {
		return before
	}
	members := maps.Collect(v.Members())
	for key, each := range before.Members() {
		now, has := members[key]
		if !has || (key == "id" && now.Equal(value.String(""))) {
			members[key] = each
		}
	}
	return hidden(value.ObjectFromMap(members).WithMarksOf(v), before)
}

// carried returns base as it is after a change from one object to another.
func carried(base, from, to value.Value) value.Value {
	members := maps.Collect(base.Members())
	for key := range from.Members() {
		if _, stays := to.Lookup(key); !stays {
			delete(members, key)
		}
	}
	for key, v := range to.Members() {
		if before, ok := from.Lookup(key); !ok || !before.Equal(v) {
			members[key] = v
		}
	}
	return hidden(value.ObjectFromMap(members).WithMarksOf(to), base)
}

// hidden returns an object that is secret if the one is that some members are from: their keys
// are secret too.
func hidden(v, from value.Value) value.Value {
	if from.IsSecret() {
		return value.Secret(v)
	}
	return v
}

// unlike returns the members that differ in one part and not in the other.
func unlike(p, other *state.PartDiff) *path.Set {
	var found []path.Pattern
	for key := range filled(p.New, p.Old).Members() {
		if at := path.Of(path.Key(key)); !other.Diff.Changed(at) {
			found = append(found, at.Pattern())
		}
	}
	return path.NewSet(found...)
}
