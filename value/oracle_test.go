package value_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/propalg/propalg/value"
)

// oracle writes a value as a text that is the same exactly for equal values:
// the obvious, slow way to compare.
type oracle struct {
	rel   value.Relation
	exact bool // what Identical looks at, too
}

func (o oracle) overlooks(r value.Relation) bool { return o.rel&r != 0 }

// text is the text of a value; below says whether a container above is secret,
// and secret whether the value has the mark itself.
func (o oracle) text(v value.Value, secret, below bool) string {
	var b strings.Builder
	if secret && (o.exact || !below) && !o.overlooks(value.IgnoreSecrets) {
		b.WriteString("secret ")
	}
	if v.HasDependencies() && !o.overlooks(value.IgnoreDependencies) {
		fmt.Fprintf(&b, "depends on %q ", slices.Collect(v.Dependencies()))
	}
	marked := b.Len() > 0
	below = below || secret
	fmt.Fprintf(&b, "%v ", v.Kind())
	switch v.Kind() {
	case value.KindNull:
		if !marked && o.overlooks(value.NullAsMissing) {
			return ""
		}
	case value.KindBool:
		is, _ := v.AsBool()
		fmt.Fprint(&b, is)
	case value.KindNumber:
		f, _ := v.AsNumber()
		if f == 0 && !o.exact {
			f = 0
		}
		if f == 0 && math.Signbit(f) && o.exact {
			b.WriteString("-")
		}
		fmt.Fprintf(&b, "%g", math.Abs(f)*math.Copysign(1, f))
	case value.KindString:
		s, _ := v.AsString()
		fmt.Fprintf(&b, "%q", s)
	case value.KindArray:
		for _, e := range v.Elems() {
			text := o.text(e, e.OwnSecret(), below)
			if text == "" {
				text = "null " // a null stays a value in arrays
			}
			b.WriteString("[" + text + "]")
		}
	case value.KindObject:
		for k, e := range v.Members() {
			if text := o.text(e, e.OwnSecret(), below); text != "" {
				fmt.Fprintf(&b, "{%q: %s}", k, text)
			}
		}
	default:
		b.WriteString(o.rest(v))
	}
	return b.String()
}

// rest is the content of the kinds that are no JSON.
func (o oracle) rest(v value.Value) string {
	switch v.Kind() {
	case value.KindAsset:
		a, _ := v.AsAsset()
		text, _ := a.Text()
		file, _ := a.Path()
		uri, _ := a.URI()
		return o.content(fmt.Sprintf("%v %q", a.Source(), text+file+uri), a.Hash)
	case value.KindArchive:
		a, _ := v.AsArchive()
		file, _ := a.Path()
		uri, _ := a.URI()
		inside := ""
		for name, e := range a.Entries() {
			inside += fmt.Sprintf("{%q: %s}", name, o.text(e, false, false))
		}
		return o.content(fmt.Sprintf("%v %q %s", a.Source(), file+uri, inside), a.Hash)
	case value.KindResourceReference:
		r, _ := v.AsResourceReference()
		if o.overlooks(value.IgnoreReferenceDetails) {
			r.PackageVersion, r.Name, r.Type = "", "", ""
		}
		return fmt.Sprintf("%q", fmt.Sprint(r.URN, "|", r.ID == (value.ID{}), r.ID.IsUnknown(), r.ID, "|", r.PackageVersion, "|", r.Name, "|", r.Type))
	case value.KindUnknown:
		if hint, _ := v.Hint(); o.exact {
			return hint.String()
		}
	case value.KindSealed:
		s, _ := v.AsSealed()
		return fmt.Sprintf("%q %q", s.Ciphertext, s.Provider)
	}
	return ""
}

func (o oracle) content(source string, hash func() (string, bool)) string {
	h, hashed := hash()
	switch {
	case !hashed:
		return source
	case o.exact:
		return source + " #" + h
	}
	return "#" + h
}

// same reports whether two values are equal.
func (o oracle) same(v, w value.Value) bool {
	return o.text(v, v.IsSecret(), false) == o.text(w, w.IsSecret(), false)
}
