package state

import (
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/scan"
)

// index has the names, places and hashes of the resources of a file, and what the
// file says apart from its resources. Properties are read on demand.
type index struct {
	name     string // for errors
	file     io.ReaderAt
	options  Options // with the secrets provider of the document
	document *File
	entries  []Entry
	held     []Resource // by number, of resources that are in memory; else nil

	twins []int // by number, the resource of another index with the same text, or -1; nil: none is known

	// By number, of resources that were checked.
	rounded, unreadable map[int]bool
	aliases             map[int][]string
}

// newIndex reads a file. It calls check, if it is not nil, for each resource; of a resource with
// the text of one in another index, if there is one, the text is compared and not scanned.
func newIndex(name string, file io.ReaderAt, o Options, check func(*index, Entry) error, other *index) (*index, error) {
	x := &index{name: name, file: file, options: o, rounded: map[int]bool{}, unreadable: map[int]bool{}, aliases: map[int][]string{}}

	var stream io.Reader
	if file != nil {
		stream = io.NewSectionReader(file, 0, math.MaxInt64)
	}
	r := NewReader(stream, o)
	twins := twins{of: other}
	if other != nil {
		r.streaming().known = twins.known
	}
	parents := map[string]string{} // few, of which each is kept once
	for e, err := range r.Entries() {
		if err == nil && check != nil {
			err = check(x, e)
		}
		if err == nil && other != nil {
			x.twins = append(x.twins, twins.after(e))
		}
		if err != nil {
			return nil, x.named(err)
		}
		if _, known := parents[e.Parent]; !known {
			parents[e.Parent] = e.Parent
		}
		e.Parent = parents[e.Parent]
		x.entries = append(x.entries, e)
	}

	x.document = r.Document()
	if provider := x.document.Provider(); provider != "" {
		x.options.Codec.Provider = provider
	}
	return x, nil
}

// holding returns an index of resources in memory; nil has none.
func holding(name string, all iter.Seq2[Resource, error]) (*index, error) {
	x := &index{name: name, document: &File{}, held: []Resource{}, aliases: map[int][]string{}}
	if all == nil {
		return x, nil
	}
	for r, err := range all {
		if err != nil {
			return nil, x.named(err)
		}
		x.entries = append(x.entries, Entry{URN: r.URN, ID: r.ID, Parent: r.Parent, Delete: r.Delete, Offset: r.Offset, Number: len(x.held)})
		x.note(len(x.held), &r)
		x.held = append(x.held, r)
	}
	return x, nil
}

// note keeps the aliases of a live resource.
func (x *index) note(i int, r *Resource) {
	if len(r.Aliases) > 0 && !r.Delete {
		x.aliases[i] = slices.Clone(r.Aliases)
		for j := range r.Aliases {
			x.aliases[i][j] = strings.Clone(r.Aliases[j])
		}
	}
}

func (x *index) named(err error) error { return fmt.Errorf("%s: %w", scan.Line(x.name), err) }

func (x *index) resource(i int) (*Resource, error) {
	if x.held != nil {
		r := x.held[i] // a copy, of which the comparison hides outputs
		return &r, nil
	}
	r, err := x.entries[i].reread(x.file, x.options)
	if err != nil {
		return nil, x.named(err)
	}
	return &r, nil
}
