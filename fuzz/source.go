package fuzz

import (
	"math"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/test/trees"

	"github.com/propalg/propalg/value"
)

// GoSource stops at the depth sourceDepth.
const sourceDepth = 500

// GoSource returns a Go expression that makes v, for failures to be reproduced.
//
// IT SHOWS SECRETS: it is for generated values and for test data. A mark that v
// inherited is written as its own. Containers nested more than 500 levels deep are
// replaced by a comment.
func GoSource(v value.Value) string {
	var b strings.Builder
	writeSource(&b, v, sourceDepth)
	return b.String()
}

func writeSource(b *strings.Builder, v value.Value, depth int) {
	if v.IsSecret() && v.Kind() != value.KindSealed {
		b.WriteString("value.Secret(")
		defer b.WriteByte(')')
	}
	writeContent(b, v, depth)
	comma := ".WithDependencies("
	for d := range v.Dependencies() {
		b.WriteString(comma + quoted(d))
		comma = ", "
	}

	if v.HasDependencies() {
		b.WriteByte(')')
	}
}

func writeContent(b *strings.Builder, v value.Value, depth int) {
	switch v.Kind() {
	case value.KindNull:
		b.WriteString("value.Null()")
	case value.KindBool:
		content, _ := v.AsBool()
		b.WriteString("value.Bool(" + strconv.FormatBool(content) + ")")

	case value.KindNumber:
		n, _ := v.AsNumber()
		b.WriteString("value.Number(" + numberSource(n) + ")")
	case value.KindString:
		s, _ := v.AsString()
		b.WriteString("value.String(" + quoted(s) + ")")

	case value.KindArray, value.KindObject:
		writeContainer(b, v, depth)
	case value.KindAsset:
		a, _ := v.AsAsset()
		b.WriteString(assetSource(a))
	case value.KindArchive:
		a, _ := v.AsArchive()
		writeArchive(b, a, depth)
	case value.KindResourceReference:
		r, _ := v.AsResourceReference()
		b.WriteString(referenceSource(r) + ".Value()")
	case value.KindUnknown:
		hint, _ := v.Hint()
		b.WriteString("value.UnknownOf(" + kindSource(hint) + ")")
	case value.KindSealed:
		s, _ := v.AsSealed()
		b.WriteString("value.Sealed{Ciphertext: " + quoted(s.Ciphertext) + ", Provider: " + quoted(s.Provider) + "}.Value()")
	}
}

func writeContainer(b *strings.Builder, v value.Value, depth int) {
	if depth == 0 {
		b.WriteString("value.Null() /* a container, left out */")
		return
	}

	if v.Kind() == value.KindArray {
		b.WriteString("value.Array(")
		for i, e := range v.Elems() {
			if i > 0 {
				b.WriteString(", ")
			}
			writeSource(b, ownIfBelow(v, e), depth-1)
		}
	} else {
		b.WriteString("value.Object(")
		comma := ""
		for k, m := range v.Members() {
			b.WriteString(comma + "value.Field(" + quoted(k) + ", ")
			writeSource(b, ownIfBelow(v, m), depth-1)
			b.WriteByte(')')
			comma = ", "
		}
	}

	b.WriteByte(')')
}

// ownIfBelow takes off the mark that a child inherited from container.
func ownIfBelow(container, child value.Value) value.Value {
	if container.IsSecret() {
		return trees.Own(child)
	}
	return child
}

func writeArchive(b *strings.Builder, a value.Archive, depth int) {
	hash, hashed := a.Hash()
	switch a.Source() {
	case value.SourceFile:
		file, _ := a.Path()
		b.WriteString("value.FileArchive(" + quoted(file) + ")")
	case value.SourceURI:
		uri, _ := a.URI()
		b.WriteString("value.URIArchive(" + quoted(uri) + ")")
	case value.SourceElided:
		b.WriteString("value.FileArchive(\"\").WithHash(" + quoted(hash) + ").DropContent()")
		return
	case value.SourceLiteral, value.SourceText:
		writeEntries(b, a, depth)
	}

	if hashed {
		b.WriteString(".WithHash(" + quoted(hash) + ")")
	}
}

func writeEntries(b *strings.Builder, a value.Archive, depth int) {
	if depth == 0 {
		b.WriteString("value.FileArchive(\"\") /* a nested archive, left out */")
		return
	}

	b.WriteString("fuzz.MustLiteralArchive(")
	comma := ""
	for name, entry := range a.Entries() {
		b.WriteString(comma + "value.Field(" + quoted(name) + ", ")
		writeContent(b, entry, depth-1)
		b.WriteByte(')')
		comma = ", "
	}
	b.WriteByte(')')
}

// MustLiteralArchive returns value.LiteralArchive of valid entries, and panics otherwise.
//
// [GoSource] writes calls of it.
func MustLiteralArchive(entries ...value.Member) value.Value {
	a, err := value.LiteralArchive(entries...)
	if err != nil {
		panic(err.Error())
	}
	return a
}

func assetSource(a value.Asset) string {
	hash, hashed := a.Hash()

	var source string
	switch a.Source() {
	case value.SourceText, value.SourceLiteral:
		text, _ := a.Text()
		source = "value.TextAsset(" + quoted(text) + ")"
		plain, _ := value.TextAsset(text).AsAsset()
		natural, _ := plain.Hash()
		hashed = hashed && natural != hash
	case value.SourceFile:
		file, _ := a.Path()
		source = "value.FileAsset(" + quoted(file) + ")"
	case value.SourceURI:
		uri, _ := a.URI()
		source = "value.URIAsset(" + quoted(uri) + ")"
	case value.SourceElided:
		return "value.TextAsset(\"\").WithHash(" + quoted(hash) + ").DropContent()"
	}

	if hashed {
		source += ".WithHash(" + quoted(hash) + ")"
	}
	return source
}

func referenceSource(r value.ResourceReference) string {
	source := "value.ResourceReference{URN: " + quoted(r.URN)
	if id, known := r.ID.Known(); known {
		source += ", ID: value.KnownID(" + quoted(id) + ")"
	} else if r.ID.IsUnknown() {
		source += ", ID: value.UnknownID()"
	}

	for _, field := range []struct{ name, text string }{
		{"PackageVersion", r.PackageVersion},
		{"Name", r.Name},
		{"Type", r.Type},
	} {
		if field.text != "" {
			source += ", " + field.name + ": " + quoted(field.text)
		}
	}
	return source + "}"
}

func numberSource(n float64) string {
	switch {
	case math.IsNaN(n):
		return "math.NaN()"
	case math.IsInf(n, 1):
		return "math.Inf(1)"
	case math.IsInf(n, -1):
		return "math.Inf(-1)"
	case n == 0 && math.Signbit(n):
		return "math.Copysign(0, -1)"
	}

	return strconv.FormatFloat(n, 'g', -1, 64)
}

func kindSource(k value.Kind) string {
	switch k {
	case value.KindBool:
		return "value.KindBool"
	case value.KindNumber:
		return "value.KindNumber"
	case value.KindArray:
		return "value.KindArray"
	case value.KindObject:
		return "value.KindObject"
	case value.KindAsset:
		return "value.KindAsset"
	case value.KindArchive:
		return "value.KindArchive"
	case value.KindString, value.KindNull, value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}

	return "value.KindString"
}

// quoted is a Go string literal, or for a long text of one letter a call.
func quoted(s string) string {
	const long = 256
	if len(s) >= long && s == strings.Repeat(s[:1], len(s)) {
		return "strings.Repeat(" + strconv.Quote(s[:1]) + ", " + strconv.Itoa(len(s)) + ")"
	}
	return strconv.Quote(s)
}
