package main

import (
	"maps"
	"slices"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// repeats returns the changes of outputs that repeat those of inputs, and the others.
// Masked secrets repeat others only if they hold the same.
func (f *diffFlags) repeats(in, out *state.PartDiff, inputs, outputs diff.Diff) (rest, repeated diff.Diff) {
	r := repeatFinder{inputs: inputs, outputs: outputs, in: sides{in.Old, in.New}, out: sides{out.Old, out.New}}
	r.visit(path.Path{})
	return outputs.Split(path.NewSet(r.found...))
}

// sides are the old and the new bag of a part.
type sides [2]value.Value

// repeatFinder finds the places where outputs repeat inputs.
type repeatFinder struct {
	inputs, outputs diff.Diff
	in, out         sides
	found           []path.Pattern
}

func (r *repeatFinder) visit(at path.Path) {
	for key := range membersOf(at, r.out) {
		member := at.Member(key)
		if !r.outputs.Changed(member) || !r.inputs.Changed(member) {
			continue
		}

		if r.isRepeated(member) {
			r.found = append(r.found, member.Pattern())
		} else if isObjectIn(member, r.in) && isObjectIn(member, r.out) {
			r.visit(member)
		}
	}
}

// isRepeated reports whether both parts have the same at a place, before and after.
func (r *repeatFinder) isRepeated(at path.Path) bool {
	for i := range r.in {
		x, inInputs := r.in[i].At(at)
		y, inOutputs := r.out[i].At(at)
		if inInputs != inOutputs || !x.Equal(y) {
			return false
		}
	}

	return true
}

// membersOf returns the members that an object has on either side.
func membersOf(at path.Path, of sides) map[string]value.Value {
	members := map[string]value.Value{}
	for _, side := range of {
		v, _ := side.At(at)
		maps.Insert(members, v.Members())
	}

	return members
}

// isObjectIn reports whether there is an object at a place, on both sides, which is not
// secret.
func isObjectIn(at path.Path, of sides) bool {
	return !slices.ContainsFunc(of[:], func(side value.Value) bool {
		v, _ := side.At(at)
		return v.Kind() != value.KindObject || v.IsSecret()
	})
}

// count returns the number of changes of a diff. All inside one secret are one, unless secrets
// are shown: how many there are says what it holds.
func (f *diffFlags) count(d diff.Diff) int {
	n := d.Len()
	if f.secrets == value.RevealSecrets {
		return n
	}

	known := map[path.Path]bool{} // secrets that are counted
	for c := range d.Changes() {
		_, onOld := c.Old()
		_, onNew := c.New()
		shown := c.Shown()
		if !shown.Redacted() && (!c.Secret() || !onOld || !onNew) {
			continue
		}
		secret := c.NewPath().Prefix(shown.Path().Len())
		if known[secret] {
			n--
		}
		known[secret] = true
	}
	return n
}

// foldedNote says how much of the outputs was left out because inputs have it.
func foldedNote(repeated, rest, inputs int) string {
	switch {
	case repeated == 0:
		return ""
	case rest == 0 && repeated == inputs:
		return "as inputs"
	}

	return printable.Counted(repeated, "change") + " as inputs"
}
