package main

import (
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
)

// stack is a stack of which resources are read as they are needed: once in the
// order of the file, for the index, then here and there.
type stack struct {
	name     string // as the user gave it
	file     io.ReaderAt
	size     int64
	entries  []state.Entry
	options  state.Options // to read resources with, of this stack
	shape    state.Shape
	document *state.File  // what it says beyond the resources
	rounded  map[int]bool // the resources that have numbers which were rounded, of those that were read
	done     atomic.Int64 // bytes of the index
}

// reading is whether resources are read while they are indexed.
type reading uint8

const (
	namesOnly reading = iota // they are not
	wholly                   // they are, so that what is wrong with one comes out
)

// index finds out which resources there are.
func (s *stack) index(how reading) error {
	s.options.Codec.Numbers = codec.RoundInexact
	r := state.NewReader(io.NewSectionReader(s.file, 0, s.size), s.options)
	parents := map[string]string{} // few, of which each has many children
	s.rounded = map[int]bool{}
	for e, err := range r.Entries() {
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if how == wholly {
			resource, err := e.Resource()
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if hasRounded(&resource.InputsReport) || hasRounded(&resource.OutputsReport) || hasRounded(&resource.ReplacementTriggerReport) {
				s.rounded[e.Number] = true
			}
		}
		if known, ok := parents[e.Parent]; ok {
			e.Parent = known
		} else {
			parents[e.Parent] = e.Parent
		}
		s.entries = append(s.entries, e)
		s.done.Store(e.Offset + e.Length)
	}
	s.done.Store(s.size)
	s.document = r.Document()
	s.shape, s.options.Codec.Provider = s.document.Shape(), s.document.Provider()
	return nil
}

func hasRounded(r *codec.Report) bool { return len(r.Rounded) > 0 || r.More > 0 }

// read reads resource i.
func (s *stack) read(i int) (*state.Resource, error) {
	r, err := s.entries[i].Reread(s.file, s.options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	return &r, nil
}

// indexed is two stacks of which it is known which resources belong together.
type indexed struct {
	old, now *stack
	partners []int // for each new resource the index of its old one, or -1
	news     []int // and the other way round
}

// indexBoth indexes two stacks, at once. The resources of the new one are read;
// of the old one only those will be, later, that have no twin there: so each text
// is read once.
func (inv *invocation) indexBoth(old, now *stack) (*indexed, error) {
	inv.progress.tell(func() string { return percent(old, now) })
	defer inv.progress.tell(func() string { return "comparing" })
	failed := make(chan error, 1)
	go func() { failed <- old.index(namesOnly) }()
	err := now.index(wholly)
	if first := <-failed; first != nil {
		err = first
	}
	if err != nil {
		return nil, err
	}
	both := &indexed{old: old, now: now}
	both.match()
	return both, nil
}

// identity is what a resource of one stack is found by in another: its URN; of
// several with one URN (replaced ones that wait for deletion) also by that
// and by ID.
type identity struct {
	urn      string
	deleting bool
	id       string
}

func identify(e *state.Entry) identity {
	if e.Delete {
		return identity{e.URN, true, e.ID}
	}
	return identity{urn: e.URN}
}

// match finds out which resources belong together. Live ones find each other by
// URN alone, so that a replaced one is shown as an update of its properties;
// those that wait for deletion also need the ID.
func (b *indexed) match() {
	olds, news := b.old.entries, b.now.entries
	first := make(map[identity]int, len(olds)) // of those that nobody has found yet
	next := make([]int, len(olds))             // with the same identity
	for i := len(olds) - 1; i >= 0; i-- {
		k := identify(&olds[i])
		next[i] = -1
		if later, ok := first[k]; ok {
			next[i] = later
		}
		first[k] = i
	}
	b.partners, b.news = make([]int, len(news)), slices.Repeat([]int{-1}, len(olds))
	for i := range news {
		k := identify(&news[i])
		found, ok := first[k]
		if !ok || found < 0 {
			b.partners[i] = -1
			continue
		}
		first[k] = next[found]
		b.partners[i], b.news[found] = found, i
	}
}

// same reports whether a new resource and its old one are known to be equal
// without being read: the same text, of which nothing is to be told.
func (b *indexed) same(old, now int) bool {
	return b.old.entries[old].Digest == b.now.entries[now].Digest &&
		b.old.options.Codec.Provider == b.now.options.Codec.Provider && !b.now.rounded[now]
}

// pairs calls visit for the resources that may differ, in the order of the new
// stack, then for those that are gone. One side is nil for a resource that came
// or went. It returns how many others there are.
func (b *indexed) pairs(visit func(old, now *state.Resource) error) (same int, err error) {
	for i, o := range b.partners {
		if o >= 0 && b.same(o, i) {
			same++
			continue
		}
		if err := b.pair(o, i, visit); err != nil {
			return same, err
		}
	}
	for o, i := range b.news {
		if i >= 0 {
			continue
		}
		if err := b.pair(o, -1, visit); err != nil {
			return same, err
		}
	}
	return same, nil
}

// pair reads two resources; an index below 0 is none.
func (b *indexed) pair(o, n int, visit func(old, now *state.Resource) error) (err error) {
	var old, now *state.Resource
	if o >= 0 {
		old, err = b.old.read(o)
	}
	if n >= 0 && err == nil {
		now, err = b.now.read(n)
	}
	if err != nil {
		return err
	}
	return visit(old, now)
}
