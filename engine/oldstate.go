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

// index finds entries, so that no action has to search the state.
type index struct {
	byURN      map[string][]*entry
	later      map[string]*entry   // what does not wait for its deletion, if another of its URN comes before
	providers  map[string]*entry   // by reference, the first of each
	dependents map[string][]*entry // by the URN of what they refer to; nil until it is needed
	gone       map[string]lost     // by the URN of what a refresh did not find
}

func indexed(resources []state.Resource) ([]*entry, index) {
	base := make([]*entry, len(resources))
	x := index{byURN: make(map[string][]*entry, len(resources)), providers: map[string]*entry{}, gone: map[string]lost{}}
	for i, resource := range resources {
		e := &entry{Resource: withConfigState(resource), at: i}
		base[i] = e
		all := x.byURN[e.URN]
		if len(all) > 0 && all[0].Delete && !e.Delete {
			if x.later == nil {
				x.later = map[string]*entry{}
			}
			x.later[e.URN] = e
		}
		x.byURN[e.URN] = append(all, e)
		if !isProvider(e.Type) {
			continue
		}
		if reference := referenceOf(&e.Resource); x.providers[reference] == nil {
			x.providers[reference] = e
		}
	}

	return base, x
}

// first returns what of a URN comes first in the state before the run, or nil.
func (r *run) first(u string) *entry {
	if all := r.index.byURN[u]; len(all) > 0 {
		return all[0]
	}
	return nil
}

// live returns the resource of a URN that did not wait for its deletion before the run, or nil.
func (r *run) live(u string) *entry {
	if e := r.first(u); e != nil && (!e.Delete || e.claimed) {
		return e
	}
	return r.index.later[u]
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
	queued, pushed := map[*entry]bool{}, map[string]bool{}
	push := func(of *entry) {
		if pushed[of.URN] { // by one that comes before
			return
		}
		pushed[of.URN] = true
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

// lost is how many of the records of a URN, from the first on, a refresh did not find, and how
// many of its dependents are before the next.
type lost struct{ records, dependents int }

// forget has nothing refer to a resource that was not found any more. The references are
// removed when somebody looks: one resource may refer to many.
func (r *run) forget(u string) {
	all, dependents, l := r.index.byURN[u], r.dependents(u), r.index.gone[u]
	for l.records < len(all) && all[l.records].dropped {
		l.records++
	}
	for l.dependents < len(dependents) && r.isGone(u, l, dependents[l.dependents]) {
		dependents[l.dependents].stale = true
		l.dependents++
	}
	r.index.gone[u] = l
}

// isGone reports whether nothing of a URN is before an entry, of which so much is lost.
func (r *run) isGone(u string, l lost, e *entry) bool {
	all := r.index.byURN[u][l.records:]
	return len(all) == 0 || all[0].at > e.at
}

// refreshed returns an entry without references to what is gone, unless another of that URN is
// before the entry.
func (r *run) refreshed(e *entry) *entry {
	if !e.stale {
		return e
	}

	isGone := func(u string) bool {
		l, ok := r.index.gone[u]
		return ok && r.isGone(u, l, e)
	}
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
