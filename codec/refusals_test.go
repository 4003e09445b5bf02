package codec_test

import (
	"math"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// unwritable says, slowly, whether a value holds anything for which writing in
// FormSealed fails, depth aside.
func unwritable(v value.Value, o codec.Options) bool {
	bad := false
	for urn := range v.Dependencies() {
		bad = bad || !fit(urn)
	}
	switch v.Kind() {
	case value.KindNumber:
		f, _ := v.AsNumber()
		bad = bad || math.IsNaN(f) || math.IsInf(f, 0)
	case value.KindString:
		s, _ := v.AsString()
		bad = bad || o.ByteStrings != codec.Keep && !fit(s)
	case value.KindArray:
		for _, e := range v.Elems() {
			bad = bad || unwritable(e, o)
		}
	case value.KindObject:
		for k, e := range v.Members() {
			bad = bad || k == sigKey || !utf8.ValidString(k) || unwritable(e, o)
		}
	case value.KindAsset:
		a, _ := v.AsAsset()
		text, _ := a.Text()
		path, _ := a.Path()
		uri, _ := a.URI()
		bad = bad || !fit(text) || !fit(path) || !fit(uri)
	case value.KindArchive:
		a, _ := v.AsArchive()
		path, _ := a.Path()
		uri, _ := a.URI()
		bad = bad || !fit(path) || !fit(uri)
		for k, e := range a.Entries() {
			bad = bad || k == sigKey || !utf8.ValidString(k) || unwritable(e, o)
		}
	case value.KindResourceReference:
		r, _ := v.AsResourceReference()
		id, _ := r.ID.Known()
		bad = bad || !fit(r.URN) || !fit(id) || !fit(r.Name) || !fit(r.Type)
	case value.KindSealed:
		s, _ := v.AsSealed()
		bad = bad || !fit(s.Ciphertext)
	case value.KindNull, value.KindBool, value.KindUnknown:
	}
	return bad
}

// fit says whether a text can stand where no byte string can.
func fit(s string) bool {
	switch s {
	case anyString, anyBool:
		return false
	}
	return utf8.ValidString(s)
}
