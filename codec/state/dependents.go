package state

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Dependent is a resource that cannot stay where another one is deleted, see [Dependents].
type Dependent struct {
	Resource string   // its name as [Edits] has it, with a position if another one has its URN
	Fields   []string // what refers to the other ones, such as parent and dependencies
}

// Dependents returns the resources that refuse the deletion of those with the names, which
// are as [Edits] has them: those with a parent, provider, dependency, deletedWith or
// replaceWith that is deleted, those that depend on these, and so on, in the order of the
// file. With their names in [Edits.Delete] too, no resource refers to what is deleted.
// Its errors are those of [Rewrite].
func Dependents(r io.ReaderAt, names ...string) ([]Dependent, error) {
	if r == nil {
		return nil, &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	x, err := newRewriter(&Edits{Delete: names})
	if err != nil {
		return nil, err
	}
	if _, err := x.find(r); err != nil {
		return nil, err
	}

	d := dependents{called: [2]map[string]*homonyms{{}, {}}}
	for number := range x.targets {
		d.gone = append(d.gone, number)
	}
	if _, err := pass(r, func(in io.Reader) error {
		_, err := new(rewriter).each(in, d.add)
		return err
	}); err != nil {
		return nil, err
	}
	return d.all(), nil
}

// dependents finds what refers to what is deleted.
type dependents struct {
	rows   []dependent
	gone   []int                   // numbers of what is deleted, and not yet looked at
	called [2]map[string]*homonyms // by URN and, in the second one, providers by URN, two colons and ID
}

type dependent struct {
	urn, provider string // what others refer to; provider is empty for what is none
	isGone        bool
	fields        []string // nil: it is named, or stays
}

// homonyms are the resources that one text refers to, and the references to them.
type homonyms struct {
	numbers []int // in the order of the file
	refs    []referral
	remains int // how many of the numbers, from the first on, are deleted
	deleted int // the least that is; -1: none
}

type referral struct {
	number int // of the resource that refers
	field  string
}

// of returns those that a text refers to in a field.
func (d *dependents) of(field, text string) *homonyms {
	all := d.called[0]
	if field == "provider" {
		all = d.called[1]
	}
	h := all[text]
	if h == nil {
		h = &homonyms{deleted: -1}
		all[strings.Clone(text)] = h
	}
	return h
}

func (d *dependents) add(r *reading) error {
	if err := r.links(isLink); err != nil {
		return err
	}

	number := len(d.rows)
	row := dependent{urn: strings.Clone(r.to.URN)}
	named := d.of("urn", row.urn)
	named.numbers = append(named.numbers, number)
	if strings.HasPrefix(r.to.Type, providerTypes) {
		row.provider = row.urn + "::" + cmp.Or(r.to.ID, unknownID)
		named := d.of("provider", row.provider)
		named.numbers = append(named.numbers, number)
	}
	d.rows = append(d.rows, row)
	for l := range r.to.links() {
		to := d.of(l.member, l.to)
		to.refs = append(to.refs, referral{number, l.member})
	}
	return nil
}

// all follows the references to what is deleted, from each that is in turn.
func (d *dependents) all() (found []Dependent) {
	for len(d.gone) > 0 {
		changed := map[*homonyms]bool{}
		for _, number := range d.gone {
			row := &d.rows[number]
			row.isGone = true
			note := func(h *homonyms) {
				if changed[h] = true; h.deleted < 0 || number < h.deleted {
					h.deleted = number
				}
			}
			note(d.called[0][row.urn])
			if row.provider != "" {
				note(d.called[1][row.provider])
			}
		}
		d.gone = nil
		for h := range changed {
			d.follow(h)
		}
	}

	positions := map[string]int{}
	for _, row := range d.rows {
		positions[row.urn]++
		if row.fields == nil {
			continue
		}
		name := row.urn
		if len(d.called[0][row.urn].numbers) > 1 {
			name += "#" + strconv.Itoa(positions[row.urn])
		}
		slices.Sort(row.fields)
		found = append(found, Dependent{name, slices.Compact(row.fields)})
	}
	return found
}

// follow deletes what refers to resources of which some are deleted.
func (d *dependents) follow(h *homonyms) {
	for h.remains < len(h.numbers) && d.rows[h.numbers[h.remains]].isGone {
		h.remains++
	}
	n := named{remains: -1, deleted: h.deleted}
	if h.remains < len(h.numbers) {
		n.now, n.remains = "it", h.numbers[h.remains]
	}
	for _, ref := range h.refs {
		if row := &d.rows[ref.number]; !row.isGone && n.misses(ref.field, ref.number) {
			if row.fields == nil {
				d.gone = append(d.gone, ref.number)
			}
			row.fields = append(row.fields, ref.field)
		}
	}
}
