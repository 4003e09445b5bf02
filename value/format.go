package value

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Format writes [Value.String] for every verb of package fmt, as if the value were that
// text.
//
// %v and %s write it as it is, %q quoted, and %x and %X in hex, with the width,
// precision and flags of a string. %#v writes [Value.GoString]. Any other verb gives
// fmt's usual error text, again with that text.
//
// Two verbs do not call Format, and go vet reports both: %p, and %w with a value that
// is not an error. For these fmt prints memory, as it does for an unexported field of a
// struct: an address, the length of a string or container, and the bits of a boolean or
// number that is not secret, but never a text.
func (v Value) Format(f fmt.State, verb rune) { format(f, verb, "value.Value", v, v.GoString) }

// GoString returns a text that looks like Go and names kinds. Secrets are masked, and
// the text has the limits of [Value.String]. It is not meant to be parsed:
//
//	value.Object{"a": value.Number(1), "p": value.Secret([secret])}
//
// Dependencies of values that are not secret are shown as `.WithDependencies("urn:…")`.
func (v Value) GoString() string {
	p := newPrinter(styleGo, textLimit, textLevels)
	p.value(&v)
	return string(p.dst)
}

// Format writes [Member.String] for every verb, as [Value.Format] does. For %p and %w,
// which call no method, fmt also shows the Key, even of a member of a secret.
func (m Member) Format(f fmt.State, verb rune) { format(f, verb, "value.Member", m, m.goText) }

// goText returns the member as a text that looks like Go.
func (m Member) goText() string {
	p := newPrinter(styleGo, textLimit, textLevels)
	p.raw("value.Member{")
	if m.Value.facts&inherited != 0 {
		p.raw(secretText)
	} else {
		p.key(m.Key)
		p.value(&m.Value)
	}
	p.raw("}")
	return string(p.dst)
}

// Format writes [Asset.String] for every verb, as [Value.Format] does.
func (a Asset) Format(f fmt.State, verb rune) { format(f, verb, "value.Asset", a, a.Value().GoString) }

// Format writes [Archive.String] for every verb, as [Value.Format] does.
func (a Archive) Format(f fmt.State, verb rune) {
	format(f, verb, "value.Archive", a, a.Value().GoString)
}

// format writes the text of d for a verb, and that of goText for %#v.
func format(f fmt.State, verb rune, typeName string, d fmt.Stringer, goText func() string) {
	switch verb {
	case 'v':
		text := d.String
		if f.Flag('#') {
			text = goText
		}
		_, _ = fmt.Fprintf(f, fmt.FormatString(f, 's'), text()) // fmt keeps the error
	case 's', 'q', 'x', 'X':
		_, _ = fmt.Fprintf(f, fmt.FormatString(f, verb), d.String())
	default:
		text := utf8.AppendRune([]byte("%!"), verb)
		text = append(text, "("+typeName+"="...)
		text = append(text, d.String()...)
		_, _ = f.Write(append(text, ')'))
	}
}

func (p *printer) goValue(v *Value) {
	if v.facts&secretness != 0 {
		p.raw("value.Secret(" + secretText + ")")
		return
	}
	switch v.kind {
	case KindNull:
		p.raw("value.Null()")
	case KindBool:
		p.raw("value.Bool(")
		p.dst = append(strconv.AppendBool(p.dst, v.number() != 0), ')')
	case KindNumber:
		p.raw("value.Number(")
		p.number(math.Float64frombits(v.number()))
		p.raw(")")
	case KindString:
		p.raw("value.String(")
		p.quoted(v.str())
		p.raw(")")
	case KindArray:
		p.array(v, "value.Array{", "}")
	case KindObject:
		p.object(v, "value.Object{", "}")
	case KindAsset:
		p.raw("value.Asset(")
		p.brief(v.asset().source, v.asset().hash)
		p.raw(")")
	case KindArchive:
		p.raw("value.Archive(")
		p.brief(v.archive().source, v.archive().hash)
		p.raw(")")
	case KindResourceReference:
		p.reference("value.ResourceReference(", v.reference())
	case KindUnknown:
		p.goUnknown(v.hint)
	case KindSealed:
		p.raw("value.Secret(" + secretText + ")")
	}
	p.goDependencies(v.deps())
}

func (p *printer) goUnknown(hint Kind) {
	if hint == KindString {
		p.raw("value.Unknown()")
		return
	}
	p.raw("value.UnknownOf(" + hint.String() + ")")
}

func (p *printer) goDependencies(urns []string) {
	if len(urns) == 0 {
		return
	}
	p.raw(".WithDependencies(")
	for i, u := range urns {
		if i > 0 {
			p.raw(", ")
		}
		if len(p.dst) >= p.stop {
			p.more(len(urns) - i)
			break
		}
		p.quoted(u)
	}
	p.raw(")")
}
