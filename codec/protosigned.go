package codec

import "github.com/propalg/propalg/value"

// signed is what an object with a signature has besides: texts, sorted by name.
type signed struct {
	sig    string
	fields [5]signedField
	n      int
}

type signedField struct{ name, text string }

func (s *signed) field(name, text string, p presence) {
	if text != "" || p == always {
		s.fields[s.n] = signedField{name, text}
		s.n++
	}
}

// signedBy returns the fields of an asset, of an archive that is not literal, or
// of a reference; as of which fields are there see [jsonWriter.blob],
// [jsonWriter.asset] and [jsonWriter.reference].
func signedBy(v value.Value) (s signed) {
	if r, ok := v.AsResourceReference(); ok {
		s.sig = sigReference
		id, known := r.ID.Known()
		p := ifAny
		if known || r.ID.IsUnknown() {
			p = always
		}
		s.field("id", id, p)
		s.field("name", r.Name, ifAny)
		s.field("packageVersion", r.PackageVersion, ifAny)
		s.field("type", r.Type, ifAny)
		s.field("urn", r.URN, always)
		return s
	}
	if a, ok := v.AsAsset(); ok {
		s.sig = sigAsset
		hash, _ := a.Hash()
		s.field("hash", hash, ifAny)
		path, isPath := a.Path()
		s.field("path", path, ifThere(isPath))
		text, isText := a.Text()
		s.field("text", text, ifThere(isText && hash != hashOfNothing))
		uri, isURI := a.URI()
		s.field("uri", uri, ifThere(isURI))
	} else if a, ok := v.AsArchive(); ok {
		s.sig = sigArchive
		hash, _ := a.Hash()
		s.field("hash", hash, ifAny)
		path, isPath := a.Path()
		s.field("path", path, ifThere(isPath))
		uri, isURI := a.URI()
		s.field("uri", uri, ifThere(isURI))
	}
	return s
}

// ifThere is when a field is written that is the source of an asset or archive,
// or is not.
func ifThere(isSource bool) presence {
	if isSource {
		return always
	}
	return ifAny
}

// hashOfNothing is the hash of an asset that is empty.
const hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// goesAsBytes reports whether a string has to travel as a byte string.
func goesAsBytes(s string) bool { return isSentinel(s) || !isUTF8(s) }
