package state

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"io"
	"math"
	"slices"
	"sort"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
)

// rename gives URNs to records that lost their parent, and to those below.
func (m *mender) rename() {
	for _, r := range m.sorted {
		own, err := urn.Parse(r.urn)
		if err != nil {
			continue
		}
		for _, b := range r.bonds {
			parent := ""
			switch {
			case b.member != "parent":
				continue
			case b.gone || b.now != "":
			case b.target != nil && b.target.renamed != "":
				parent = b.target.renamed
			default:
				continue
			}
			if now := below(parent, own.Stack(), own.Project(), own.Type(), own.Name()); now != r.urn {
				r.renamed = now
			}
		}
	}
}

// report lists what was decided, and what could not be.
func (m *mender) report() {
	live := map[string]int{}
	skip := map[int64]bool{} // offsets of records that are dropped
	for _, r := range m.records {
		if r.dropped {
			skip[r.offset] = true
		} else if !r.isDeleted {
			live[r.urn]++
		}
		m.reportOn(r)
	}
	for _, f := range m.findings {
		if !skip[f.Offset] && !isMended(f.Code) && (f.Code != "urn-twice" || live[f.URN] > 1) {
			m.result.Unmended = append(m.result.Unmended, f)
		}
	}
	slices.SortStableFunc(m.result.Unmended, func(a, b Finding) int { return cmp.Compare(a.Offset, b.Offset) })
}

// isMended reports whether resolve and sort have an answer to a kind of finding, or report
// it again if they have none.
func isMended(code string) bool {
	switch code {
	case "refers-to-itself", "provider-malformed",
		"provider-missing", "parent-missing", "dependency-missing", "property-dependency-missing", "deleted-with-missing", "replace-with-missing",
		"provider-order", "parent-order", "dependency-order", "property-dependency-order", "deleted-with-order", "replace-with-order":
		return true
	}
	return false
}

func (m *mender) reportOn(r *mended) {
	add := func(kind Mending, change Mend) {
		change.Mending, change.URN, change.Record, change.Offset = kind, r.urn, r.record, r.offset
		m.result.Mends = append(m.result.Mends, change)
	}
	if r.dropped {
		m.result.dropped = append(m.result.dropped, r)
		add(MendingDropped, Mend{Chosen: r.chosen})
		return
	}
	if r.before != nil {
		add(MendingMoved, Mend{To: numbered(r.before.urn, r.before.record)})
	}
	for _, b := range r.bonds {
		at := path.Show(b.path(), -1)
		switch {
		case b.gone:
			add(MendingRemoved, Mend{At: at, From: b.to})
		case b.now != "":
			add(MendingRepointed, Mend{At: at, From: b.to, To: b.now, Chosen: b.chosen})
		}
	}
	if r.renamed != "" {
		add(MendingRenamed, Mend{From: r.urn, To: r.renamed, Chosen: true})
	}
}

// piece is a range of the file.
type piece struct{ from, to int64 }

// cutOut notes what the result consists of.
func (m *mender) cutOut() error {
	for _, r := range m.sorted {
		if err := m.changed(r); err != nil {
			return err
		}
	}
	if err := m.respell(); err != nil {
		return err
	}

	add := func(from, to int64) {
		if n := len(m.result.pieces); n > 0 && m.result.pieces[n-1].to == from {
			m.result.pieces[n-1].to = to
			return
		}
		m.result.pieces = append(m.result.pieces, piece{from, to})
	}
	add(0, m.records[0].offset)
	for i, r := range m.sorted {
		if i > 0 { // what is between others stays where it is
			add(m.records[i-1].end, m.records[i].offset)
		}
		add(r.offset, r.end)
	}
	add(m.records[len(m.records)-1].end, math.MaxInt64)
	return nil
}

// changed notes the splices of a record.
func (m *mender) changed(r *mended) error {
	if !slices.ContainsFunc(r.bonds, func(b bond) bool { return b.gone || b.now != "" }) {
		return nil
	}
	text, err := m.result.text(r)
	if err != nil {
		return err
	}
	m.splice(rebound(span{r.offset, text}, r.bonds)...)
	return nil
}

// rebound returns the splices of references in the text of a record that are gone or others.
func rebound(in span, bonds []bond) (out []splice) {
	type list struct{ member, key string }
	alone, lists := map[string]bond{}, map[list][]bond{}
	for _, b := range bonds {
		switch {
		case b.index < 0:
			alone[b.member] = b
		case b.gone || b.now != "":
			lists[list{b.member, b.key}] = append(lists[list{b.member, b.key}], b)
		}
	}
	members := children(in.text)
	gone := make([]bool, len(members))
	for i, one := range members {
		name, value := unquote(in.text[one.Name:one.NameEnd]), in.sub(one.At, one.End)
		if now := alone[name].now; now != "" {
			out = append(out, value.with(quotedKey(now)))
		}
		gone[i] = alone[name].gone
		if name != "propertyDependencies" {
			out = append(out, reboundList(value, lists[list{name, ""}])...)
			continue
		}
		for _, each := range children(value.text) {
			key := unquote(value.text[each.Name:each.NameEnd])
			out = append(out, reboundList(value.sub(each.At, each.End), lists[list{name, key}])...)
		}
	}
	return append(out, without(in, members, gone)...)
}

func (m *mender) splice(all ...splice) { m.result.splices = append(m.result.splices, all...) }

// reboundList returns the splices of references in a list.
func reboundList(in span, bonds []bond) (out []splice) {
	if len(bonds) == 0 {
		return nil
	}
	items := children(in.text)
	gone := make([]bool, len(items))
	for _, b := range bonds {
		if gone[b.index] = b.gone; !b.gone {
			out = append(out, in.sub(items[b.index].At, items[b.index].End).with(quotedKey(b.now)))
		}
	}
	return append(out, without(in, items, gone)...)
}

// without returns the splices that take some of the members or elements out of a text.
func without(in span, all []jsonscan.Member, gone []bool) (out []splice) {
	first := slices.Index(gone, false)
	switch {
	case !slices.Contains(gone, true):
		return nil
	case first < 0:
		return []splice{in.sub(1, len(in.text)-1).with("")}
	case first > 0:
		out = append(out, in.sub(all[0].Name, all[first].Name).with(""))
	}
	for i := first + 1; i < len(all); i++ {
		if gone[i] {
			out = append(out, in.sub(all[i-1].End, all[i].End).with(""))
		}
	}
	return out
}

// respell adds the splices of new URNs, but for those in what is taken out, and sorts all.
func (m *mender) respell() error {
	renamed := map[string]string{}
	for _, r := range m.sorted {
		if r.renamed != "" {
			renamed[r.urn] = r.renamed
		}
	}
	if len(renamed) > 0 {
		x, err := newRewriter(&Edits{})
		if err != nil {
			return err
		}
		x.moves, x.renamed = true, renamed
		for _, read := range []func(io.Reader) error{x.names, x.plan} {
			if sum, err := pass(m.result.file, read); err != nil {
				return err
			} else if sum != m.result.sum {
				return &Error{Offset: -1, err: &outside{ErrEdit, errFileChanged}}
			}
		}
		m.splice(x.splices...)
	}

	inOrder(m.result.splices)
	end := int64(0)
	m.result.splices = slices.DeleteFunc(m.result.splices, func(s splice) bool {
		if s.base < end {
			return true
		}
		end = s.end
		return false
	})
	return nil
}

// text reads a record again.
func (r *Repaired) text(of *mended) (string, error) {
	text := make([]byte, of.end-of.offset)
	if n, err := r.file.ReadAt(text, of.offset); n < len(text) {
		return "", &Error{Offset: of.offset, Resources: of.number, err: &outside{ErrRead, cmp.Or(err, errFileChanged)}}
	}
	if sha256.Sum256(text) != of.digest {
		return "", &Error{Offset: of.offset, Resources: of.number, err: &outside{ErrEdit, errFileChanged}}
	}
	return string(text), nil
}

// WriteTo writes the repaired file, and returns the number of bytes. It writes nothing if
// there is something Unmended, or if the file is not the one that [Repair] read.
func (r *Repaired) WriteTo(w io.Writer) (int64, error) {
	switch {
	case r == nil || r.file == nil || w == nil:
		return 0, &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	case len(r.Unmended) > 0:
		return 0, refused("not all of it can be mended")
	}
	sum, err := pass(r.file, func(in io.Reader) error {
		_, err := io.Copy(io.Discard, in)
		return err
	})
	if err == nil && sum != r.sum {
		err = errFileChanged
	}
	if err != nil {
		return 0, &Error{Offset: -1, err: &outside{ErrEdit, err}}
	}

	to := counted{to: bufio.NewWriterSize(w, jsonscan.WindowSize)}
	for _, p := range r.pieces {
		to.piece(r, p)
	}
	if r.pieces == nil {
		to.piece(r, piece{0, math.MaxInt64})
	}
	if to.err == nil {
		to.err = to.to.Flush()
	}
	return to.n, to.err
}

// counted is a writer that counts, and keeps the first error.
type counted struct {
	to  *bufio.Writer
	n   int64
	err error
}

func (c *counted) copy(from io.Reader) {
	if c.err == nil {
		var n int64
		n, c.err = io.Copy(c.to, from)
		c.n += n
	}
}

// piece writes a range of the file with the splices in it.
func (c *counted) piece(r *Repaired, p piece) {
	at := p.from
	first := sort.Search(len(r.splices), func(i int) bool { return r.splices[i].base >= p.from })
	for _, s := range r.splices[first:] {
		if s.base >= p.to {
			break
		}
		c.copy(io.NewSectionReader(r.file, at, s.base-at))
		if c.err == nil {
			var n int
			n, c.err = c.to.WriteString(s.text)
			c.n += int64(n)
		}
		at = s.end
	}
	c.copy(io.NewSectionReader(r.file, at, p.to-at))
}

// WriteDropped writes what the repaired file lacks, as JSON: the records as they are in the
// file, and the references. It holds the secrets of the records.
func (r *Repaired) WriteDropped(w io.Writer) error {
	if r == nil || w == nil {
		return &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	type reference struct {
		URN    string `json:"urn"`
		Record int    `json:"record"`
		At     string `json:"at"`
		To     string `json:"to"`
	}
	out := bufio.NewWriter(w)
	between := ""
	write := func(text string) error {
		_, err := out.WriteString(between + "\n" + text)
		between = ","
		return err
	}

	_, _ = out.WriteString(`{"resources":[`) // an error of a bufio.Writer stays
	for _, of := range r.dropped {
		text, err := r.text(of)
		if err == nil {
			err = write(text)
		}
		if err != nil {
			return err
		}
	}
	_, _ = out.WriteString("\n],\"references\":[")
	between = ""
	for _, m := range r.Mends {
		if m.Mending == MendingDropped || m.Mending == MendingMoved || m.Mending == MendingRenamed {
			continue
		}
		text, err := json.Marshal(reference{m.URN, m.Record, m.At.String(), m.From})
		if err == nil {
			err = write(string(text))
		}
		if err != nil {
			return err
		}
	}
	_, _ = out.WriteString("\n]}\n")
	return out.Flush()
}
