package engine

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
)

// Options limit what the runs of a [Stack] do, as the flags of Pulumi's CLI with these names
// do. Import takes none of them.
type Options struct {
	// Targets are the URNs of the only resources that a run may change. In a text with
	// asterisks, each stands for any characters but colons, and two of them for any characters.
	// Provider resources and the root of the stack are registered in any case. What is not a
	// target stays in the state as it is; an update fails if a target needs what is not there,
	// and if it would delete what is not a target.
	Targets []string
	// TargetDependents makes what depends on targets targets too.
	TargetDependents bool
	// Excludes are the URNs of resources that a run does not change, written as Targets are. What
	// they depend on is not deleted either. There cannot be both.
	Excludes []string
	// ExcludeDependents excludes what depends on those too.
	ExcludeDependents bool
	// ContinueOnError has a run go on after an action that fails: without what depends on the
	// resource, which is skipped, and without the deletion of what that needs. An error in front
	// of the action, such as one of Check or Diff, ends the run even so, and so does the end of
	// the context.
	ContinueOnError bool
}

// scope is what the targets or the excludes of a run cover.
type scope struct {
	exclude    bool // it is what a run does not change
	dependents bool
	globs      []*regexp.Regexp
	literals   map[string]bool
	found      map[string]bool // with dependents: what depends on the rest
}

// scopeOf returns the scope of a run, or nil if all is in it.
func scopeOf(o Options) (*scope, error) {
	s, texts := &scope{literals: map[string]bool{}, found: map[string]bool{}, dependents: o.TargetDependents}, o.Targets
	switch {
	case len(o.Targets) > 0 && len(o.Excludes) > 0:
		return nil, errors.New("expected targets or excludes, found both")
	case len(o.Excludes) > 0:
		s.exclude, s.dependents, texts = true, o.ExcludeDependents, o.Excludes
	case len(o.Targets) == 0:
		return nil, nil
	}

	for _, text := range texts {
		if !strings.Contains(text, "*") {
			s.literals[text] = true
			continue
		}
		parts := strings.Split(regexp.QuoteMeta(text), `\*\*`)
		for i, part := range parts {
			parts[i] = strings.ReplaceAll(part, `\*`, "[^:]*")
		}
		glob, err := regexp.Compile("^" + strings.Join(parts, ".*") + "$")
		if err != nil {
			return nil, err
		}
		s.globs = append(s.globs, glob)
	}
	return s, nil
}

// names reports whether the options name a URN.
func (s *scope) names(u string) bool {
	return s.literals[u] || slices.ContainsFunc(s.globs, func(glob *regexp.Regexp) bool { return glob.MatchString(u) })
}

// covers reports whether a resource is covered, alone or as a dependent. Those before it have
// been asked about.
func (s *scope) covers(of *state.Resource, withProviders bool) bool {
	if s.names(of.URN) || s.found[of.URN] {
		return true
	}
	if !s.dependents {
		return false
	}
	for u, by := range references(of) {
		if (withProviders || by != asProvider) && (s.names(u) || s.found[u]) {
			return true
		}
	}
	return false
}

// includes reports whether a resource of the program is one that the run may change.
func (r *run) includes(t *task) bool {
	if r.scope == nil || r.imports {
		return true
	}
	covers := r.scope.covers(&t.now, true)
	isImplied := isProvider(t.now.Type) || isRoot(t.now.URN)
	isCreated := t.old != nil && (t.old.External || (t.old.deleted && t.old.URN == t.now.URN)) // which counts for no dependents
	if covers && !isCreated && (!r.scope.exclude || !isImplied) {
		r.scope.found[t.now.URN] = true
	}
	return isImplied || covers != r.scope.exclude
}

func isRoot(u string) bool {
	parsed, err := urn.Parse(u)
	return err == nil && parsed.Type() == urn.RootStackType
}

// known reports a target or an exclude that neither the state nor the program has, or that a
// refresh of this run did not find.
func (r *run) known() error {
	if r.scope == nil {
		return nil
	}
	for _, u := range slices.Sorted(maps.Keys(r.scope.literals)) {
		if r.states[u] == nil && r.index.gone[u].records == len(r.index.byURN[u]) {
			return fmt.Errorf("%s: neither the state nor the program has this target or exclude", u)
		}
	}
	return nil
}
