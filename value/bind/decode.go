package bind

import (
	"encoding"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/propalg/propalg/internal/listing"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

type decoder struct {
	listing.Position

	options         Options
	outermostSecret int  // how many steps lead to it, or -1
	marked          bool // there are secrets or dependencies
	holder          *held
	unknowns        []path.Shown
	problems        []Problem
}

// decoders holds decoders for the next call, with room for a path.
var decoders = sync.Pool{New: func() any { return &decoder{Position: listing.Position{At: make([]path.Step, 0, mostKept)}} }} //nolint:gochecknoglobals // decoding is one allocation for the Info, and one for a copy

// A decoder keeps room for paths of mostKept steps between calls.
const mostKept = 64

// decode reads the value of i into to, and returns what is wrong.
func (i *Info) decode(p *plan, to reflect.Value) []Problem {
	d, _ := decoders.Get().(*decoder)
	d.options, d.outermostSecret = i.options, -1
	d.marked = i.from.ContainsSecret() || i.from.ContainsDependencies()
	d.value(p, i.from, to)
	i.Unknowns = d.unknowns
	problems := d.problems
	if cap(d.At) == mostKept {
		clear(d.At[:mostKept])
		*d = decoder{Position: listing.Position{At: d.At}}
		decoders.Put(d)
	}

	return problems
}

// held is what an [Output] holds of the values in it.
type held struct {
	unknown, secret bool
	dependencies    []string
}

func (d *decoder) fail(want, found string) {
	if at, listed := d.Place(d.outermostSecret); listed {
		d.problems = append(d.problems, Problem{At: at, Want: want, Found: found})
	}
}

func (d *decoder) wrong(want string, v value.Value) { d.fail(want, v.Kind().String()) }

func (d *decoder) below(s path.Step, p *plan, v value.Value, to reflect.Value) {
	d.At = append(d.At, s)
	d.value(p, v, to)
	d.At = d.At[:len(d.At)-1]
}

func (d *decoder) value(p *plan, v value.Value, to reflect.Value) {
	if d.marked && d.outermostSecret < 0 && v.IsSecret() {
		d.outermostSecret = len(d.At)
		defer func() { d.outermostSecret = -1 }()
	}

	switch p.form {
	case formValue:
		*at[value.Value](to) = v
		return
	case formOutput:
		o, _ := to.Addr().Interface().(output)
		o.decode(d, p.elem, v)
		return
	}

	if d.marked && d.holder != nil {
		d.holder.take(v)
	}
	if v.IsUnknown() {
		d.unknown(p, to)
		return
	}

	switch p.form {
	case formPointer:
		if v.IsNull() {
			to.SetZero()
			return
		}
		made := reflect.New(p.elem.typ)
		d.value(p.elem, v, made.Elem())
		to.Set(made)
	case formSlice, formArray:
		d.array(p, v, to)
	case formMap:
		d.object(p, v, to)
	case formStruct:
		d.members(p, v, to)
	default:
		d.scalar(p, v, to)
	}
}

func at[T any](to reflect.Value) *T {
	x, _ := to.Addr().Interface().(*T)
	return x
}

func (h *held) take(v value.Value) {
	h.secret = h.secret || v.IsSecret()
	h.dependencies = slices.AppendSeq(h.dependencies, v.Dependencies())
}

func (d *decoder) unknown(p *plan, to reflect.Value) {
	to.SetZero()

	switch {
	case d.holder != nil:
		d.holder.unknown = true
	case d.options.AllowUnknown:
		if at, listed := d.Place(d.outermostSecret); listed {
			d.unknowns = append(d.unknowns, at)
		}
	default:
		d.fail("known "+p.typ.String(), "unknown")
	}
}

func (d *decoder) array(p *plan, v value.Value, to reflect.Value) {
	n := v.Len()
	switch {
	case p.form == formSlice && v.IsNull():
		to.SetZero()
		return
	case v.Kind() != value.KindArray:
		d.wrong("array", v)
		return

	case p.form == formSlice && n == 0:
		to.Set(reflect.MakeSlice(p.typ, 0, 0))
	case p.form == formSlice:
		to.SetZero() // what it has may belong to the caller
		to.Grow(n)
		to.SetLen(n)
	case n != to.Len():
		d.fail("as many elements as "+p.typ.String()+" has", "another number")
		return
	}

	for i := range n {
		d.below(path.Index(i), p.elem, v.Elem(i), to.Index(i))
	}
}

func (d *decoder) object(p *plan, v value.Value, to reflect.Value) {
	if v.IsNull() {
		to.SetZero()
		return
	}
	if v.Kind() != value.KindObject {
		d.wrong("object", v)
		return
	}

	made := reflect.MakeMapWithSize(p.typ, v.Len())
	room, _ := p.spare.Get().(*entry)
	for i := range v.Len() {
		key, member, _ := v.MemberAt(i)
		if member.IsNull() && !p.elem.holdsNull() {
			d.leaveOut(member)
			continue
		}

		room.key.SetString(key)
		room.elem.SetZero()
		d.below(path.Key(key), p.elem, member, room.elem)
		made.SetMapIndex(room.key, room.elem)
	}
	room.key.SetZero()
	room.elem.SetZero()
	p.spare.Put(room)
	to.Set(made)
}

// leaveOut passes over a member whose marks count nonetheless.
func (d *decoder) leaveOut(member value.Value) {
	if d.marked && d.holder != nil {
		d.holder.take(member)
	}
}

// members reads an object into a struct: both are in the order of their names.
func (d *decoder) members(p *plan, v value.Value, to reflect.Value) {
	if v.Kind() != value.KindObject {
		d.wrong("object", v)
		return
	}

	fields := p.fields
	for i := range v.Len() {
		key, member, _ := v.MemberAt(i)
		for len(fields) > 0 && fields[0].name < key {
			d.missing(&fields[0])
			fields = fields[1:]
		}
		if len(fields) == 0 || fields[0].name != key {
			d.extra(p, key)
			continue
		}

		f := &fields[0]
		fields = fields[1:]
		if (f.optional || d.options.AllowMissing) && member.IsNull() && f.plan.form != formValue {
			continue
		}
		if f.secret { // whether or not the sender says so
			member, d.marked = value.Secret(member), true
		}
		d.below(path.Key(key), f.plan, member, to.FieldByIndex(f.index))
	}
	for i := range fields {
		d.missing(&fields[i])
	}
}

func (d *decoder) missing(f *field) {
	if !f.optional && !d.options.AllowMissing {
		d.At = append(d.At, path.Key(f.name))
		d.fail("a member of this name", "none")
		d.At = d.At[:len(d.At)-1]
	}
}

func (d *decoder) extra(p *plan, key string) {
	if d.options.AllowExtra || (len(d.At) == 0 && strings.HasPrefix(key, "__")) {
		return
	}

	want := "no member of this name"
	if near := scan.Nearest(p.names(), key); near != "" && d.outermostSecret < 0 && len(d.problems) < mostShown {
		want = "the name of a field, such as " + scan.Line(near)
	}
	d.At = append(d.At, path.Key(key))
	d.fail(want, "")
	d.At = d.At[:len(d.At)-1]
}

// scalar reads a value that contains no others.
func (d *decoder) scalar(p *plan, v value.Value, to reflect.Value) {
	switch p.form {
	case formBool:
		if x, ok := v.AsBool(); ok {
			to.SetBool(x)
			return
		}

		d.wrong("bool", v)
	case formInt, formUint, formFloat:
		d.number(p, v, to)
	case formAsset:
		if x, ok := v.AsAsset(); ok {
			*at[value.Asset](to) = x
			return
		}

		d.wrong("asset", v)
	case formArchive:
		if x, ok := v.AsArchive(); ok {
			*at[value.Archive](to) = x
			return
		}
		d.wrong("archive", v)
	case formReference:
		if x, ok := v.AsResourceReference(); ok {
			*at[value.ResourceReference](to) = x
			return
		}
		d.wrong("resource reference", v)
	default:
		d.text(p, v, to)
	}
}

func (d *decoder) number(p *plan, v value.Value, to reflect.Value) {
	f, ok := v.AsNumber()
	if !ok {
		d.wrong("number", v)
		return
	}

	const beyondInt, beyondUint = 1 << 63, 1 << 64
	switch p.form {
	case formInt:
		if f == math.Trunc(f) && f >= -beyondInt && f < beyondInt && !to.OverflowInt(int64(f)) {
			to.SetInt(int64(f))
			return
		}
	case formUint:
		if f == math.Trunc(f) && f >= 0 && f < beyondUint && !to.OverflowUint(uint64(f)) {
			to.SetUint(uint64(f))
			return
		}
	default:
		if p.typ.Kind() == reflect.Float64 || float64(float32(f)) == f || f != f {
			to.SetFloat(f)
			return
		}
	}

	d.fail("number that is exactly one of "+p.typ.String(), "another number")
}

func (d *decoder) text(p *plan, v value.Value, to reflect.Value) {
	s, ok := v.AsString()
	switch {
	case p.form == formBytes && v.IsNull():
		to.SetZero()
	case !ok:
		d.wrong("string", v)

	case p.form == formString:
		to.SetString(s)
	case p.form == formBytes:
		to.SetBytes([]byte(s))
	case p.form == formDuration:
		x, err := time.ParseDuration(s)
		if err != nil {
			d.fail("duration such as 1h30m", "another string")
			return
		}

		to.SetInt(int64(x))
	default:
		x, _ := to.Addr().Interface().(encoding.TextUnmarshaler)
		if err := x.UnmarshalText([]byte(s)); err != nil {
			found := "another string"
			if d.outermostSecret < 0 {
				found = "one that is refused: " + scan.Line(err.Error())
			}
			d.fail("text of "+p.typ.String(), found)
		}
	}
}
