package engine

import (
	"container/heap"
	"slices"

	"github.com/propalg/propalg/codec/state"
)

// entry is a resource of the state before a run.
type entry struct {
	state.Resource
	at      int  // in the order of the state
	dropped bool // the state has it no more
	hidden  bool // nor this one, which is deleted, but has an action yet
	claimed bool // it is that of a resource of the program
	stale   bool // it refers to what is gone
	deleted bool // in this run, to be replaced
	stays   bool // the run does not delete it: it may not, or what was to be done failed or was skipped
	passes  bool // the state has it with what the run made

	neededBy string   // something that stays, and depends on it
	keys     []string // of the replacement that it was deleted for
	causes   []string
}

// kept reports whether a resource must not be deleted.
func (e *entry) kept() bool { return e.Protect && !e.Delete && !e.PendingReplacement }

func isClaimed(e *entry) bool { return e.claimed }

// index finds entries, so that no action has to search the state.
type index struct {
	byURN      map[string][]*entry
	providers  map[string]*entry   // by reference, the first of each
	dependents map[string][]*entry // by the URN of what they refer to; nil until it is needed
	gone       map[string]bool     // the URNs of what a refresh did not find
}

func indexed(resources []state.Resource) ([]*entry, index) {
	base := make([]*entry, len(resources))
	x := index{byURN: make(map[string][]*entry, len(resources)), providers: map[string]*entry{}, gone: map[string]bool{}}
	for i, resource := range resources {
		e := &entry{Resource: withConfigState(resource), at: i}
		base[i] = e
		x.byURN[e.URN] = append(x.byURN[e.URN], e)
		if !isProvider(e.Type) {
			continue
		}
		if reference := referenceOf(&e.Resource); x.providers[reference] == nil {
			x.providers[reference] = e
		}
	}

	return base, x
}

// provider returns the provider resource that the state had before the run, or nil.
func (r *run) provider(reference string) *state.Resource {
	if e := r.index.providers[reference]; e != nil {
		return &e.Resource
	}
	return nil
}

// dependents returns what the state before the run has that refers to a URN, in order.
func (r *run) dependents(u string) []*entry {
	if r.index.dependents == nil {
		all := map[string][]*entry{}
		for _, e := range r.base {
			for u := range references(&e.Resource) {
				if known := all[u]; len(known) == 0 || known[len(known)-1] != e {
					all[u] = append(known, e)
				}
			}
		}
		r.index.dependents = all
	}

	return r.index.dependents[u]
}

// following calls body for the dependents of an entry that come after it, in the order of
// the state, and also for the dependents of each for which body returns true.
func (r *run) following(root *entry, body func(*entry) (follow bool, err error)) error {
	var next queue
	queued := map[*entry]bool{}
	push := func(of *entry) {
		for _, e := range r.dependents(of.URN) {
			if e.at > of.at && !queued[e] {
				queued[e] = true
				heap.Push(&next, e)
			}
		}
	}
	push(root)
	for len(next) > 0 {
		e, _ := heap.Pop(&next).(*entry)
		follow, err := body(e)
		if err != nil {
			return err
		}
		if follow {
			push(e)
		}
	}

	return nil
}

// queue is a heap of entries, the first of the state on top.
type queue []*entry

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].at < q[j].at }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push adds an entry.
func (q *queue) Push(x any) {
	e, _ := x.(*entry)
	*q = append(*q, e)
}

// Pop removes the last entry.
func (q *queue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	*q = (*q)[:last]
	return e
}

// forget has nothing refer to a resource that was not found any more. The references are
// removed when somebody looks: one resource may refer to many.
func (r *run) forget(u string) {
	r.index.gone[u] = true
	for _, e := range r.dependents(u) {
		e.stale = true
	}
}

// refreshed returns an entry without references to what is gone, unless another of that URN is
// before the entry.
func (r *run) refreshed(e *entry) *entry {
	if !e.stale {
		return e
	}

	isThere := func(other *entry) bool { return !other.dropped && other.at < e.at }
	isGone := func(u string) bool { return r.index.gone[u] && !slices.ContainsFunc(r.index.byURN[u], isThere) }
	e.stale = false
	e.Dependencies = slices.DeleteFunc(slices.Clone(e.Dependencies), isGone)
	depends := make(map[string][]string, len(e.PropertyDependencies))
	for name, urns := range e.PropertyDependencies {
		depends[name] = slices.DeleteFunc(slices.Clone(urns), isGone)
	}
	e.PropertyDependencies = depends
	if isGone(e.Parent) {
		e.Parent = ""
	}
	if isGone(e.DeletedWith) {
		e.DeletedWith = ""
	}
	e.ReplaceWith = slices.DeleteFunc(slices.Clone(e.ReplaceWith), isGone)
	return e
}

func (r *run) state() ([]state.Resource, []state.Operation) {
	all := make([]state.Resource, 0, len(r.made)+len(r.base))
	addMade := func() {
		for _, o := range r.made {
			all = append(all, o.now)
		}
	}
	if !r.imports { // what is imported may depend on what is there
		addMade()
	}
	for _, e := range r.base {
		if !e.dropped && !e.hidden {
			all = append(all, r.refreshed(e).Resource)
		}
	}

	if r.imports {
		addMade()
	}
	return renamed(all), slices.Clone(r.pending)
}
