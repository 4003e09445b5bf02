package steps

import (
	"io"
	"maps"
	"math"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/veil"
)

// Stack is the stack that an update begins with, as its state file has it. Each step takes the
// resource that it is about out of it, once. A Stack holds the names of its resources in
// memory, and reads a resource when a step takes it. It is for one update and one goroutine.
type Stack struct {
	inner veil.Pointer[stack]
}

type stack struct {
	file    io.ReaderAt
	options state.Options
	entries []*entry
	byID    map[identity]*queue
	live    map[string]*queue // by URN
	parents map[string]string // by URN
	made    map[string]bool   // URNs of resources that steps make
	missing int
	renamed int // resources that it does not have, in plans, which do not say what they rename
}

// entry is a resource of the stack.
type entry struct {
	state.Entry
	isTaken bool // by a step
}

type identity struct {
	urn, id   string
	isDeleted bool
}

// NewStack reads the names of the resources in a state file. The file must stay as it is
// until the update has been read. Errors are those of [state.Reader.Entries].
func NewStack(file io.ReaderAt, o state.Options) (*Stack, error) {
	b := &stack{
		file: file, options: o, byID: map[identity]*queue{}, live: map[string]*queue{},
		parents: map[string]string{}, made: map[string]bool{},
	}
	var text io.Reader
	if file != nil {
		text = io.NewSectionReader(file, 0, math.MaxInt64)
	}
	r := state.NewReader(text, o)
	for e, err := range r.Entries() {
		if err != nil {
			return nil, err
		}
		b.add(e)
	}
	if provider := r.Document().Provider(); provider != "" {
		b.options.Codec.Provider = provider
	}
	return &Stack{veil.Hide(b)}, nil
}

func (b *stack) add(e state.Entry) {
	one := &entry{Entry: e}
	b.entries = append(b.entries, one)
	enqueue(b.byID, identity{e.URN, e.ID, e.Delete}, one)
	if !e.Delete {
		enqueue(b.live, e.URN, one)
	}
	b.parents[e.URN] = e.Parent
}

func (s *Stack) open() *stack {
	if s == nil || s.inner.Open() == nil {
		return &stack{}
	}
	return s.inner.Open()
}

// Parents returns the URNs of the resources, with those of their parents.
func (s *Stack) Parents() map[string]string { return maps.Clone(s.open().parents) }

// Untouched returns the number of resources that no step was about, of those that the
// engine's summary counts. They stay as they are.
func (s *Stack) Untouched() (n int) {
	b := s.open()
	for _, e := range b.entries {
		_, isCounted := (&Step{Op: OpSame, URN: e.URN, Logical: true}).Counted()
		if isCounted && !e.isTaken && !b.made[e.URN] { // one that is made, and not taken away before, is gone already
			n++
		}
	}
	return max(0, n-b.renamed)
}

// Missing returns the number of steps that begin with a resource which the stack does not
// have. If there are any, the update began with another state.
func (s *Stack) Missing() int { return s.open().missing }

// take takes the resource that a step begins with out of the stack: that with its URN and
// ID, or else a live one. It returns nil if there is none.
func (b *stack) take(s *Step) (*state.Resource, error) {
	switch {
	case b.byID == nil:
		return nil, nil //nolint:nilnil // there is none
	case s.Old == nil:
		b.made[strings.Clone(s.URN)] = true // the step's own keeps its text in memory
		return nil, nil                     //nolint:nilnil // there is none
	}
	e := b.find(s)
	if e == nil {
		b.lack(s)
		return nil, nil //nolint:nilnil // there is none
	}
	e.isTaken = true
	if s.Old == s.New {
		return s.Old, nil // nothing changes
	}
	r, err := state.Internal.Reread(e.Entry, b.file, b.options)
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// find returns the resource that a step begins with, or nil. Each is passed over once at most.
func (b *stack) find(s *Step) *entry {
	for _, isDeleted := range []bool{s.Old.Delete, !s.Old.Delete} {
		if e := b.byID[identity{s.Old.URN, s.Old.ID, isDeleted}].first(); e != nil {
			return e
		}
	}
	if s.Pending {
		return nil
	}
	return b.live[s.Old.URN].first()
}

// queue is entries with something in common, in the order of the file. It is behind a pointer,
// since a map to which something is assigned takes the text of the key as well, here that of
// a step.
type queue struct{ entries []*entry }

// first returns the first entry that is not taken, or nil.
func (q *queue) first() *entry {
	if q == nil {
		return nil
	}
	for len(q.entries) > 0 && q.entries[0].isTaken {
		q.entries = q.entries[1:]
	}
	if len(q.entries) == 0 {
		return nil
	}
	return q.entries[0]
}

func enqueue[K comparable](to map[K]*queue, key K, e *entry) {
	if to[key] == nil {
		to[key] = &queue{}
	}
	to[key].entries = append(to[key].entries, e)
}

// lack counts a step of a resource that the stack does not have.
func (b *stack) lack(s *Step) {
	// An update of other resources does not create one, and that is the same then; one that
	// a plan imports has an ID.
	isNew := s.Op == OpSame || (s.InputsPartial && s.Old.ID != "")
	_, isKnown := b.parents[s.Old.URN]
	switch {
	case isKnown || b.made[s.Old.URN]:
	case !isNew:
		b.missing++
	case s.Op == OpSame && s.InputsPartial:
		b.renamed++
	}
}
