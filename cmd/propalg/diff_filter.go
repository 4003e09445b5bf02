package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/gate"
	"github.com/propalg/propalg/urn"
)

// filter selects the resources of stacks that are shown.
type filter struct {
	shown []string
	ops   choices

	named         []bool // of shown: whether a stack has such a resource; nil: no stack was compared
	resourcesOut  int    // resources that differ and are not shown
	deploymentOut bool   // the deployment differs and is not shown
}

func (f *filter) addTo(inv *invocation) {
	for _, op := range ops.All() {
		f.ops.of = append(f.ops.of, string(op))
	}
	inv.flags.Func("resource", "`pattern` of the resources of stacks to show: a URN, a type or a name, in which * is any text (repeatable)", appendTo(&f.shown))
	inv.flags.Var(&f.ops, "op", "`operations` whose resources to show: "+strings.Join(f.ops.of, ", ")+", or several of these with commas; in JSON a replacement is \"change\": \"update\" with \"replace\": true")
}

func (f *filter) showsAll() bool { return len(f.shown)+len(f.ops.list) == 0 }

// selects reports whether --resource names a resource, before or after a new name.
func (f *filter) selects(d *state.ResourceDiff) bool {
	return len(f.shown) == 0 || slices.ContainsFunc(f.shown, func(pattern string) bool {
		return (d.New != nil && names(pattern, d.New.URN)) || (d.Old != nil && names(pattern, d.Old.URN))
	})
}

// passes reports whether a resource that differs is shown, and counts it otherwise.
func (f *filter) passes(d *state.ResourceDiff, op ops.Op) bool {
	if f.selects(d) && (len(f.ops.list) == 0 || slices.Contains(f.ops.list, string(op))) {
		return true
	}
	f.resourcesOut++
	return false
}

// out returns the number of what differs and is not shown, and what that is.
func (f *filter) out() (n int, text string) {
	var what []string
	n = f.resourcesOut
	if n > 0 {
		what = append(what, printable.Counted(n, "resource"))
	}
	if f.deploymentOut {
		n++
		what = append(what, "the deployment")
	}
	return n, strings.Join(what, " and ")
}

// noteNoReplacements notes that --op selects replacements in two states, which say nothing of
// them.
func (f *diffFlags) noteNoReplacements(old, now *input.Source) {
	if slices.Contains(f.ops.list, string(ops.Replace)) && len(f.replaceOn.list) == 0 && old.Steps == nil && now.Steps == nil {
		f.note("--op replace: states do not say what is replaced; name the inputs that force it with --replace-on")
	}
}

// findNamed finds out which patterns of --resource name a resource of two stacks.
func (f *diffFlags) findNamed(s *stacks) {
	if len(f.shown) == 0 {
		return
	}
	all := slices.Collect(maps.Keys(s.parents()))
	f.named = slices.Grow(f.named, len(f.shown))[:len(f.shown)]
	for i, pattern := range f.shown {
		f.named[i] = f.named[i] || slices.ContainsFunc(all, func(text string) bool { return names(pattern, text) })
	}
}

// names reports whether a pattern matches a URN, or the type or the name in it.
func names(pattern, text string) bool {
	u, err := urn.Parse(text)
	return gate.Matches(pattern, text) || (err == nil && (gate.Matches(pattern, u.Type()) || gate.Matches(pattern, u.Name())))
}
