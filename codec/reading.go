package codec

import (
	"sync"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// document has what readers of messages share, in bytes or in memory.
type document struct {
	op      string
	opts    Options
	build   value.Builder
	rounded roundings // numbers in plaintexts
	merge   int       // see mergeable
	open    []frame   // the containers around what is being read, outermost first
	blind   bool      // open is not kept: what fails is read again
}

type frame struct {
	key    string // of the member that is being read
	n      int    // elements before the one that is being read
	object bool
	class  class
}

// enter, at and leave note where the reader is.
func (d *document) enter(f frame) {
	if !d.blind {
		d.open = append(d.open, f)
	}
}

func (d *document) at(key string, n int) {
	if !d.blind {
		top := &d.open[len(d.open)-1]
		top.key, top.n = key, n
	}
}

func (d *document) leave() {
	if !d.blind {
		d.open = d.open[:len(d.open)-1]
	}
}

func (d *document) position() position {
	var s position
	for _, f := range d.open {
		step := path.Index(f.n)
		if f.object {
			step = path.Key(f.key)
		}
		s = s.into(f.class, step)
	}
	return s
}

// fail returns the error of what is being read, at an offset (-1: none).
func (d *document) fail(at int, t *trouble) error {
	return failAt(d.op, &Error{Offset: at, Want: t.want, Found: t.found, err: t.err}, d.position())
}

// signature returns the value of an object with a signature, with used messages around
// its fields.
func (d *document) signature(object value.Value, used, at int) (value.Value, error) {
	s := signature{provider: d.opts.Provider, byteStrings: d.opts.ByteStrings, object: object}
	v, t := s.open()
	if t == nil {
		t = s.tooMany(&d.merge, 0)
	}
	if t != nil {
		return v, d.fail(at, t)
	}
	if s.hasPlaintext && d.blind && d.opts.Report != nil { // which needs places
		return v, d.fail(at, &trouble{err: ErrNumber})
	}
	if s.hasPlaintext {
		return d.plaintext(s.plaintext, used+jsonscan.Cost(true)-1, at)
	}

	return v, nil
}

// plaintext reads the JSON text that a secret has instead of a value, with so many
// messages around it. The path of an error leads into it; its offset is that of the
// secret.
func (d *document) plaintext(text string, used, offset int) (value.Value, error) {
	at := d.position().as(secret)
	r := plaintextReader(text, used, d.merge, &d.opts)
	v, fault := r.read()
	if fault != nil {
		e, at := fault.locate(at)
		e.Offset = offset
		return v, failAt(d.op, inPlaintext(e), at)
	}

	d.merge = r.merge
	if r.rounded && d.opts.Report != nil {
		d.rounded.find(text, r.layer, at)
	}
	return value.Secret(v), nil
}

// report adds the numbers that were rounded to the Report.
func (d *document) report() {
	if d.opts.Report != nil {
		d.opts.Report.resolve(&d.rounded)
	}
}

// textOrUnknown returns a string, or the unknown that a sentinel means.
func textOrUnknown(s string) value.Value {
	if hint, ok := sentinelHint(s); ok {
		return value.UnknownOf(hint)
	}
	return value.String(s)
}

// scratch is memory that readers and writers reuse. It holds nothing of a text or value
// while it is in the pool.
type scratch struct {
	tape jsonscan.Tape
	wire []byte // see [protoWriter]; all zero while it waits

	layout layout        // see [protoReader], as with the next two
	held   []value.Value // all zero while it waits, as is words
	words  []uint64
}

var scratches = sync.Pool{New: func() any { return new(scratch) }} //nolint:gochecknoglobals // the one pool of the package
