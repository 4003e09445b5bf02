package rpc

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// PathDiff is an entry of the detailed diff of a [ViewStep], by path.
type PathDiff struct {
	Path string
	Diff PropertyDiff
}

// diffs is a map from paths that is a list in memory: a Go map of one entry takes 500
// bytes, and a step with one entry may be 4 bytes long. What is read is sorted by path,
// and has each path once. What users fill in may not be, and is written as if it were.
type diffs []PathDiff

func (*diffs) wire() protowire.Type { return protowire.BytesType }
func (p *diffs) isSet() bool        { return len(*p) > 0 }
func (p *diffs) clear()             { *p = nil }

func (p *diffs) appendProto(dst []byte, n protowire.Number, c call) ([]byte, error) {
	c, err := c.inside(-1)
	if err != nil {
		return dst, err
	}

	all := *p
	if !all.settled() {
		all = slices.Clone(all)
		all.settle()
	}
	for i := range all {
		if dst, err = appendEntry(dst, n, all[i].path(), all[i].diff(), c); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// takeProto appends an entry. It leaves sorting to settle, after the last one.
func (p *diffs) takeProto(o occurrence, c call) error {
	c, err := c.inside(o.at)
	if err != nil {
		return err
	}

	i := len(*p)
	if i == cap(*p) {
		*p = slices.Grow(*p, occurrences(o.from))
	}
	*p = append(*p, PathDiff{})
	return takeEntry(o, (*p)[i].path(), (*p)[i].diff(), c)
}

func (p *diffs) appendJSON(dst []byte, c call) ([]byte, error) {
	byPath := make(map[string]PropertyDiff, len(*p))
	for _, d := range *p {
		byPath[d.Path] = d.Diff
	}
	return messageMapOf(&byPath).appendJSON(dst, c)
}

func (p *diffs) takeJSON(r *reader, c call) error {
	var byPath map[string]PropertyDiff
	err := messageMapOf(&byPath).takeJSON(r, c)
	for path, d := range byPath {
		*p = append(*p, PathDiff{path, d})
	}
	p.settle()
	return err
}

// settled reports whether the paths ascend.
func (p *diffs) settled() bool {
	for i := 1; i < len(*p); i++ {
		if (*p)[i-1].Path >= (*p)[i].Path {
			return false
		}
	}
	return true
}

// settle sorts the entries. Of those with the same path the last one wins, as in protobuf.
func (p *diffs) settle() {
	if p.settled() {
		return
	}

	slices.Reverse(*p)
	slices.SortStableFunc(*p, func(a, b PathDiff) int { return strings.Compare(a.Path, b.Path) })
	*p = slices.CompactFunc(*p, func(a, b PathDiff) bool { return a.Path == b.Path })
}

func (d *PathDiff) path() *text { return (*text)(&d.Path) }
func (d *PathDiff) diff() slot  { return inner[PropertyDiff, *PropertyDiff]{&d.Diff} }
