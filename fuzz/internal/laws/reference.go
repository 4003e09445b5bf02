package laws

import (
	"math"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Relations generates every Relation there is. They shrink to Strict.
func Relations() *rapid.Generator[value.Relation] { return rapid.SampledFrom(AllRelations()) }

// AllRelations lists the sixteen Relations, Strict first.
func AllRelations() []value.Relation {
	const all = value.NullAsMissing | value.IgnoreSecrets | value.IgnoreDependencies | value.IgnoreReferenceDetails
	var list []value.Relation
	for r := value.Strict; r <= all; r++ {
		list = append(list, r)
	}
	return list
}

// Matches generates ways to match the elements of arrays. They shrink to
// positional.
func Matches() *rapid.Generator[diff.Match] {
	return rapid.SampledFrom([]diff.Match{
		diff.Positional(), diff.Aligned(), diff.Unordered(), diff.Auto(), diff.Keyed(path.MustParse("name")), diff.Keyed(path.MustParse("a")), diff.Keyed(path.Path{}),
	})
}

// reference says what equal means, slowly: two values are equal under a Relation
// exactly when their forms are the same text. It is the oracle for Equal,
// Compare, Hash and Digest, and shares no code and no method with them.
type reference struct {
	rel   value.Relation
	exact bool // the finer Identical
	b     strings.Builder
}

func formOf(r value.Relation, v value.Value) string {
	f := reference{rel: r}
	f.write(trees.Own(v), v.IsSecret() && !v.OwnSecret())
	return f.b.String()
}

// exactFormOf is the form of Identical. The mark that v inherited counts, as it
// does for Identical.
func exactFormOf(v value.Value) string {
	f := reference{exact: true}
	if v.IsSecret() && !v.OwnSecret() {
		f.b.WriteString("secret ")
	}
	f.write(trees.Own(v), false)
	return f.b.String()
}

func (f *reference) text(s string) { f.b.WriteString(strconv.Quote(s) + " ") }

// marks are those of v that the Relation looks at.
func (f *reference) marks(v value.Value, below bool) string {
	marks := ""
	if v.OwnSecret() && f.rel&value.IgnoreSecrets == 0 && (!below || f.exact) {
		marks = "secret "
	}

	if f.rel&value.IgnoreDependencies == 0 {
		for d := range v.Dependencies() {
			marks += "on " + strconv.Quote(d) + " "
		}
	}
	return marks
}

func (f *reference) write(v value.Value, below bool) {
	f.b.WriteString(f.marks(v, below))

	below = below || v.OwnSecret()
	switch v.Kind() {
	case value.KindArray, value.KindObject:
		f.container(v, below)
	case value.KindAsset:
		a, _ := v.AsAsset()
		hash, _ := a.Hash()
		text, _ := a.Text()
		file, _ := a.Path()
		uri, _ := a.URI()
		f.source("asset", hash, a.Source(), text+file+uri)

	case value.KindArchive:
		f.archive(v)
	case value.KindResourceReference:
		f.pointer(v)
	case value.KindUnknown:
		f.b.WriteString("unknown ")
		if hint, _ := v.Hint(); f.exact {
			f.b.WriteString(hint.String())
		}
	case value.KindSealed:
		s, _ := v.AsSealed()
		f.b.WriteString("sealed ")
		f.text(s.Ciphertext)
		f.text(s.Provider)
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString:
		f.scalar(v)
	}
}

func (f *reference) scalar(v value.Value) {
	f.b.WriteString(v.Kind().String() + " ")

	if b, ok := v.AsBool(); ok {
		f.b.WriteString(strconv.FormatBool(b) + " ")
	}
	if s, ok := v.AsString(); ok {
		f.text(s)
	}
	if n, ok := v.AsNumber(); ok {
		if f.exact && n == 0 && math.Signbit(n) {
			f.b.WriteByte('-')
		}
		f.b.WriteString(strconv.FormatFloat(n+0, 'x', -1, 64) + " ")
	}
}

func (f *reference) container(v value.Value, below bool) {
	f.b.WriteString(v.Kind().String() + " ( ")
	for _, c := range trees.Children(v) {
		missing := f.rel&value.NullAsMissing != 0 && c.Step.IsKey() && c.Value.IsNull() && f.marks(c.Value, below) == ""
		if missing {
			continue
		}
		if key, ok := c.Step.AsKey(); ok {
			f.text(key)
		}
		f.write(c.Value, below)
	}

	f.b.WriteString(") ")
}

func (f *reference) source(name, hash string, s value.Source, text string) {
	f.b.WriteString(name + " ")
	f.text(hash)
	if hash == "" || f.exact {
		f.b.WriteString(s.String() + " ")
		f.text(text)
	}
}

func (f *reference) archive(v value.Value) {
	a, _ := v.AsArchive()
	hash, _ := a.Hash()
	file, _ := a.Path()
	uri, _ := a.URI()
	f.source("archive", hash, a.Source(), file+uri)
	if hash != "" && !f.exact {
		return
	}
	f.b.WriteString("( ")
	for name, entry := range a.Entries() {
		f.text(name)
		f.write(entry, false)
	}

	f.b.WriteString(") ")
}

func (f *reference) pointer(v value.Value) {
	r, _ := v.AsResourceReference()
	id, known := r.ID.Known()
	f.b.WriteString("reference ")
	f.text(r.URN)
	f.b.WriteString(strconv.FormatBool(known) + strconv.FormatBool(r.ID.IsUnknown()) + " ")
	f.text(id)

	if f.rel&value.IgnoreReferenceDetails == 0 {
		f.text(r.PackageVersion)
		f.text(r.Name)
		f.text(r.Type)
	}
}
