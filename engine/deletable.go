package engine

import "fmt"

// deletable returns the URNs of what may be deleted of what is left, or nil if all may be. It
// is an error if that has something that is no target.
func (r *run) deletable() (may map[string]bool, err error) {
	switch {
	case r.scope == nil:
		return nil, nil
	case r.scope.exclude:
		return r.notExcluded(), nil
	}

	may = map[string]bool{}
	for _, e := range r.base { // each after all that it refers to
		may[e.URN] = may[e.URN] || r.scope.names(e.URN) || refersTo(e, may)
	}
	for _, e := range r.base {
		if may[e.URN] && r.isLeft(e) && !r.scope.dependents && !r.scope.names(e.URN) {
			return nil, fmt.Errorf("%s would be deleted, and is no target", e.URN)
		}
		if u := r.needsLeft(e, may); !may[e.URN] && u != "" {
			return nil, fmt.Errorf("%s would be deleted with what waits for its deletion, and %s depends on it, and is no target", u, e.URN)
		}
	}
	return may, nil
}

// needsLeft returns a URN of those that may be deleted, and that something stays in need of.
func (r *run) needsLeft(e *entry, may map[string]bool) string {
	for u := range references(&e.Resource) {
		of := r.live(u)
		if of != nil && may[u] && r.isLeft(e) && r.isLeft(of) && !of.Delete && of.at < e.at {
			return u
		}
	}
	return ""
}

// notExcluded returns the URNs of what is neither excluded nor needed by that.
func (r *run) notExcluded() map[string]bool {
	k := keeper{run: r, kept: map[string]bool{}, descended: map[*entry]int{}}
	for _, e := range r.base {
		if r.scope.names(e.URN) {
			k.keep(e)
		}
	}
	for len(k.queue) > 0 {
		e := k.queue[0]
		k.queue = k.queue[1:]
		k.keepNeeded(e)
	}

	may := map[string]bool{}
	for _, e := range r.base { // what waits for its deletion is kept only with what is there
		may[e.URN] = !k.kept[e.URN] || r.live(e.URN) == nil
	}
	return may
}

// keeper finds what is kept with what is excluded.
type keeper struct {
	*run
	kept      map[string]bool
	queue     []*entry       // what is kept, and not looked at
	descended map[*entry]int // components, with the place before which their descendants are kept
}

func (k *keeper) keep(e *entry) {
	if !k.kept[e.URN] {
		k.kept[e.URN], k.queue = true, append(k.queue, k.index.byURN[e.URN]...)
	}
}

// keepNeeded keeps what something refers to: of a component that it depends on also the
// descendants that come before it. It may keep what depends on it too.
func (k *keeper) keepNeeded(e *entry) {
	for u, by := range references(&e.Resource) {
		needed := k.first(u) // the others have fewer descendants and dependents
		if needed == nil || needed.at > e.at {
			continue
		}
		k.keep(needed)
		if !needed.Custom && by != asParent {
			k.descend(needed, e.at)
		}
	}
	if !k.scope.dependents || e != k.first(e.URN) {
		return
	}
	for _, d := range k.dependents(e.URN) {
		if d.at > e.at {
			k.keep(d)
		}
	}
}

func (k *keeper) descend(of *entry, before int) {
	if k.descended[of] >= before {
		return
	}
	k.descended[of] = before
	for _, e := range k.dependents(of.URN) {
		if e.Parent == of.URN && e.at > of.at && e.at < before {
			k.keep(e)
			k.descend(e, before)
		}
	}
}
