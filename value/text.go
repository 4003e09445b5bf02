package value

import (
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/veil"
)

// What display text is bounded by.
const (
	textLimit  = 64 << 10 // bytes of text, for the longest value
	textLevels = 100      // nested containers shown
	jsonLimit  = 4 << 20
	jsonLevels = 1000

	// After the limit, each open container still writes a count of what was left out and its
	// end, and the leaf that is being written its rest.
	roomPerLevel = 96
	roomForLeaf  = 1 << 10
)

// String returns the value as one line of printable UTF-8, not meant to be parsed:
//
//	null  true  1.5  NaN  -Infinity  "text"  [1, 2]  {a: 1, "odd key": 2}
//	asset(text:2cf24db)  archive(file)  reference("urn:…", id: "i-123")
//	[unknown]  [secret]
//
// Nothing of a secret's content is shown, neither keys nor kind. Strings, and keys that
// are not identifiers, are quoted as in Go, so that control characters and invalid
// UTF-8 are escaped. Assets and archives are shown by source and the beginning of their
// hash. Dependencies are not shown; see [Value.GoString].
//
// The text has at most 64 KiB and 100 nested containers; what is left out is counted
// ("… 12 more", "… 512 more bytes"). The time is limited too, whatever the size of the
// value.
func (v Value) String() string {
	p := newPrinter(styleText, textLimit, textLevels)
	p.value(&v)
	return string(p.dst)
}

// String returns the member as "key: value", in the style of [Value.String]. If the
// member was taken from a secret object, its key is secret too.
func (m Member) String() string {
	if m.Value.facts&inherited != 0 {
		return veil.SecretText
	}
	p := newPrinter(styleText, textLimit, textLevels)
	p.key(m.Key)
	p.value(&m.Value)
	return string(p.dst)
}

// String returns the quoted text of a known ID, "[unknown]" or "[none]". An ID has no
// marks and is shown in clear, like the fields of a [ResourceReference]; at most 64
// KiB.
func (id ID) String() string {
	switch id.state {
	case idKnown:
		p := newPrinter(styleText, textLimit, 0)
		p.quoted(id.text)
		return string(p.dst)
	case idUnknown:
		return veil.UnknownText
	case idAbsent:
	}

	return "[none]"
}

// style selects one of the three ways to write a value for display.
type style uint8

const (
	styleText style = iota // String
	styleGo                // GoString
	styleJSON              // MarshalJSON
)

// printer appends display text of bounded size and depth.
type printer struct {
	dst    []byte
	stop   int // content ends where dst is this long
	levels int // containers that may still be opened; below 0 inside one too many
	style  style
}

func newPrinter(s style, limit, levels int) printer {
	return printer{stop: limit - levels*roomPerLevel - roomForLeaf, levels: levels, style: s}
}

func (p *printer) raw(s string) { p.dst = append(p.dst, s...) }

// full reports whether the rest of the innermost container is to be left out.
func (p *printer) full() bool { return p.levels < 0 || len(p.dst) >= p.stop }

func (p *printer) value(v *Value) {
	switch p.style {
	case styleText:
		p.textValue(v)
	case styleGo:
		p.goValue(v)

	case styleJSON:
		p.jsonValue(v)
	}
}

func (p *printer) textValue(v *Value) {
	if v.facts&secretness != 0 {
		p.raw(veil.SecretText)
		return
	}

	switch v.kind {
	case KindNull:
		p.raw("null")
	case KindBool:
		p.dst = strconv.AppendBool(p.dst, v.number() != 0)
	case KindNumber:
		p.number(math.Float64frombits(v.number()))
	case KindString:
		p.quoted(v.str())
	case KindArray:
		p.array(v, "[", "]")
	case KindObject:
		p.object(v, "{", "}")
	case KindAsset:
		p.raw("asset(")
		p.brief(v.blob().source, v.blob().hash)
		p.raw(")")
	case KindArchive:
		p.raw("archive(")
		p.brief(v.archive().source, v.archive().hash)
		p.raw(")")
	case KindResourceReference:
		p.reference("reference(", v.reference())

	case KindUnknown:
		p.raw(veil.UnknownText)
	case KindSealed:
		p.raw(veil.SecretText)
	}
}

func (p *printer) number(f float64) {
	switch {
	case f != f:
		p.raw("NaN")
	case f > math.MaxFloat64:
		p.raw("Infinity")
	case f < -math.MaxFloat64:
		p.raw("-Infinity")
	default:
		format := byte('f')
		if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
			format = 'e'
		}
		p.dst = strconv.AppendFloat(p.dst, f, format, -1, 64)
	}
}

func (p *printer) array(v *Value, begin, end string) {
	p.raw(begin)
	p.levels--
	es := v.elems()
	for i := range es {
		if i > 0 {
			p.comma()
		}
		if p.full() {
			p.more(len(es) - i)
			break
		}
		p.value(&es[i])
	}

	p.levels++
	p.raw(end)
}

func (p *printer) object(v *Value, begin, end string) {
	p.raw(begin)
	p.levels--
	ms := v.members()
	for i := range ms {
		if i > 0 {
			p.comma()
		}
		if p.full() || !p.key(ms[i].Key) {
			p.moreMembers(len(ms) - i)
			break
		}
		p.value(&ms[i].Value)
	}

	p.levels++
	p.raw(end)
}

func (p *printer) comma() {
	if p.style == styleJSON {
		p.raw(",")
		return
	}
	p.raw(", ")
}

// more writes how many elements were left out.
func (p *printer) more(n int) {
	if p.style == styleJSON {
		p.raw(`"`)
		defer p.raw(`"`)
	}
	p.raw("… ")
	p.dst = strconv.AppendInt(p.dst, int64(n), 10)
	p.raw(" more")
}

func (p *printer) moreMembers(n int) {
	if p.style == styleJSON {
		p.raw(`"…":"`)
		p.dst = strconv.AppendInt(p.dst, int64(n), 10)
		p.raw(` more"`)
		return
	}
	p.more(n)
}

// key writes a key and a colon. It returns false, and writes nothing, if they do not fit.
func (p *printer) key(k string) bool {
	switch {
	case p.style == styleJSON:
		return p.jsonKey(k)
	case p.style == styleGo || !identifier(k) || len(k) > p.stop-len(p.dst):
		p.quoted(k)
	default:
		p.raw(k)
	}

	p.raw(": ")
	return true
}

func identifier(k string) bool {
	for i := range len(k) {
		c := k[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return k != ""
}

func (p *printer) brief(s Source, hash string) {
	p.raw(s.String())
	if hash == "" {
		return
	}

	p.raw(":")
	for i := 0; i < 7 && i < len(hash); i++ {
		if c := hash[i]; (c >= '0' && c <= '9') || (c|0x20 >= 'a' && c|0x20 <= 'z') {
			p.dst = append(p.dst, c)
			continue
		}
		p.raw("?")
	}
}

func (p *printer) reference(begin string, r *ResourceReference) {
	p.raw(begin)
	p.quoted(r.URN)
	switch r.ID.state {
	case idKnown:
		p.raw(", id: ")
		p.quoted(r.ID.text)
	case idUnknown:
		p.raw(", id: " + veil.UnknownText)
	case idAbsent:
	}

	p.raw(")")
}

// quoted writes a string as in Go source, cut between two runes where the limit
// is reached. It looks at no more of s than it writes.
func (p *printer) quoted(s string) {
	p.raw(`"`)
	i := 0
	for i < len(s) && len(p.dst) < p.stop {
		if n := p.plain(s[i:]); n > 0 {
			i += n
			continue
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		var room [16]byte
		q := strconv.AppendQuote(room[:0], s[i:i+n])
		p.dst = append(p.dst, q[1:len(q)-1]...)
		i += n
	}

	p.raw(`"`)
	p.cut(len(s) - i)
}

// plain writes what s begins with that needs no escape in any style, as far as
// there is room, and returns its length.
func (p *printer) plain(s string) int {
	n := 0
	for room := p.stop - len(p.dst); n < len(s) && n < room; n++ {
		if c := s[n]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			break
		}
	}

	p.raw(s[:n])
	return n
}

func (p *printer) cut(n int) {
	if n == 0 {
		return
	}
	p.raw(" … ")
	p.dst = strconv.AppendInt(p.dst, int64(n), 10)
	p.raw(" more bytes")
}

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
		p.raw(veil.SecretText)
	} else {
		p.key(m.Key)
		p.value(&m.Value)
	}

	p.raw("}")
	return string(p.dst)
}

// Format writes [Asset.String] for every verb, as [Value.Format] does.
func (a Asset) Format(f fmt.State, verb rune) { format(f, verb, "value.Asset", a, a.value().GoString) }

// Format writes [Archive.String] for every verb, as [Value.Format] does.
func (a Archive) Format(f fmt.State, verb rune) {
	format(f, verb, "value.Archive", a, a.value().GoString)
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
		p.raw("value.Secret(" + veil.SecretText + ")")
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
		p.brief(v.blob().source, v.blob().hash)
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
		p.raw("value.Secret(" + veil.SecretText + ")")
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

// LogValue returns the value for log/slog. A boolean or finite number that is not
// secret is logged as such, everything else as the text of [Value.String].
func (v Value) LogValue() slog.Value {
	if v.facts&secretness == 0 {
		switch {
		case v.kind == KindBool:
			return slog.BoolValue(v.number() != 0)
		case v.kind == KindNumber && finite(v.number()):
			return slog.Float64Value(math.Float64frombits(v.number()))
		}
	}

	return slog.StringValue(v.String())
}

// Secrets selects what a text holds of secrets, in the options of packages diff/render and
// codec/patch. The set is closed. The zero Secrets masks them.
type Secrets uint8

const (
	// MaskSecrets shows that there is a secret, and nothing of it: both sides of a change are
	// masked if either is secret, and so is everything inside a secret container. It is for
	// texts that people look at.
	MaskSecrets Secrets = iota
	// KeepSealed is like MaskSecrets, but keeps sealed secrets as their ciphertext, so that
	// whoever has the key can use the text. Texts without a form for ciphertext mask them.
	KeepSealed
	// RevealSecrets holds secrets in clear, and sealed ones as ciphertext, since they have no
	// clear text. It is for what another program has to read.
	RevealSecrets
)
