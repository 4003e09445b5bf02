package codec

// NOTE: Objects with a signature are read here. Writers are json_write.go, proto_write_scalar.go
// and structpb_write.go; codec/state writes the texts of secrets by itself (encode.go).

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/propalg/propalg/value"
)

// SignatureKey is the member name that marks an object as a value of a kind that JSON
// lacks. Objects of users cannot have such a member: writers refuse it, and readers treat
// the object as such a value.
const SignatureKey = "4dabf18193072939515e22adb298388d"

// The signatures, as the wire has them.
const (
	sigSecret     = "1b47061264138c4ac30d75fd1eb44270"
	sigAsset      = "c44067f5952c0a294b673a41bacd8c17"
	sigArchive    = "0def7320c3a5731c473e5ecbe6d01bc7"
	sigReference  = "5cf8f73096256a8f31e491e813e4eb8e"
	sigOutput     = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
	sigByteString = "803fd3297a5875dc03ca845dda5d2a98"
)

// sigFloat marks NaN or an infinity, in state files only.
const sigFloat = "8ad145fe-0d11-4827-bfd7-1abcbf086f5c"

// signature reads an object with the signature key, whose members were read
// before. It serves all forms of the codec.
type signature struct {
	provider     string // see Options
	byteStrings  Policy
	object       value.Value
	isText       bool   // the object is of a JSON text, which may be out of a state file
	isClear      bool   // and within the plaintext of a secret, where a ciphertext is one too
	plaintext    string // of a secret, if hasPlaintext: JSON text that is still to be read
	hasPlaintext bool
	merged       int      // dependencies of an output that the output around it takes over
	wrong        *trouble // the first text that is missing or of another kind
}

// trouble says what is wrong with a value.
type trouble struct {
	err         error
	want, found string
}

func malformed(want, found string) *trouble { return &trouble{ErrSignature, want, found} }

// open returns the value that the object encodes; of a secret with plaintext the caller
// has to read the plaintext.
func (s *signature) open() (value.Value, *trouble) {
	v, t := s.content()
	if s.wrong != nil {
		return value.Value{}, s.wrong
	}
	return v, t
}

// content is open, without what is wrong with texts.
func (s *signature) content() (value.Value, *trouble) {
	field := s.object.Field(SignatureKey)
	sig, ok := field.AsString()
	if !ok || isMarked(field) {
		return value.Value{}, malformed("string as signature", described(field))
	}

	switch sig {
	case sigSecret:
		return s.secret()
	case sigAsset:
		return s.asset()
	case sigArchive:
		return s.archive()
	case sigReference:
		return s.reference()
	case sigOutput:
		return s.output()
	case sigByteString:
		return s.byteString()
	case sigFloat:
		if s.isText {
			return s.float()
		}
	}
	return value.Value{}, malformed("known signature", shownSignature(sig))
}

// tooMany returns the trouble of an object that is well formed, but takes more
// merging of dependencies than is left, or has a plaintext inside too many others.
func (s *signature) tooMany(merge *int, layer int) *trouble {
	*merge -= s.merged
	switch {
	case *merge < 0:
		return &trouble{err: ErrDepth, want: "fewer nested outputs"}
	case s.hasPlaintext && layer >= mostLayers:
		return &trouble{err: ErrDepth, want: "fewer nested secrets"}
	}

	return nil
}

// shownSignature describes an unknown signature: by its text if it has the form of one;
// otherwise it may be anything, a secret too.
func shownSignature(sig string) string {
	if len(sig) != len(sigSecret) || strings.Trim(sig, "0123456789abcdef") != "" {
		return "text of " + strconv.Itoa(len(sig)) + " bytes as signature"
	}
	return "signature " + strconv.Quote(sig)
}

// text returns a field that has to be a string without marks, if it is there. What is
// wrong with one is noted, for open to return.
func (s *signature) text(name string) (text string, there bool) {
	v, there := s.object.Lookup(name)
	if !there {
		return "", false
	}

	text, ok := v.AsString()
	if (!ok || isMarked(v)) && s.wrong == nil {
		s.wrong = malformed("string as "+name, described(v))
	}
	return text, true
}

func (s *signature) required(name string) string {
	text, there := s.text(name)
	if !there && s.wrong == nil {
		s.wrong = malformed(name, "none")
	}
	return text
}

func isMarked(v value.Value) bool { return v.IsSecret() || v.HasDependencies() }

// described names a value by kind and marks.
func described(v value.Value) string {
	switch {
	case v.IsSecret() && v.Kind() != value.KindSealed:
		return "secret " + v.Kind().String()
	case v.HasDependencies():
		return v.Kind().String() + " with dependencies"
	}
	return v.Kind().String()
}

func (s *signature) secret() (value.Value, *trouble) {
	const fields = "one of value, ciphertext, plaintext"
	v, hasValue := s.object.Lookup("value")
	cipher, hasCipher := s.text("ciphertext")
	plaintext, hasPlain := s.text("plaintext")
	if masked, there := s.object.Lookup("masked"); there {
		if b, ok := masked.AsBool(); !ok || !b {
			return value.Value{}, malformed("true as masked", described(masked))
		}
		return value.Value{}, &trouble{err: ErrMasked, want: "its contents (write the text again, with secrets shown)"}
	}

	switch {
	case hasValue && !hasCipher && !hasPlain:
		return value.Secret(v), nil
	case hasCipher && !hasValue && !hasPlain && s.isClear:
		s.plaintext, s.hasPlaintext = cipher, true
		return value.Value{}, nil
	case hasCipher && !hasValue && !hasPlain:
		return value.Sealed{Ciphertext: cipher, Provider: s.provider}.Value(), nil
	case hasPlain && !hasValue && !hasCipher:
		s.plaintext, s.hasPlaintext = plaintext, true
		return value.Value{}, nil
	}
	return value.Value{}, malformed(fields, present(s.object, "value", "ciphertext", "plaintext"))
}

// present names those of some fields that an object has.
func present(object value.Value, names ...string) string {
	var found []string
	for _, name := range names {
		if _, there := object.Lookup(name); there {
			found = append(found, name)
		}
	}
	if found == nil {
		return "none"
	}

	return strings.Join(found, " and ")
}

// source reads the fields that say where the content of an asset or archive
// comes from; from is empty if there is none. An empty field counts as left
// out, unless it is the only one: then it is a source with an empty text.
func (s *signature) source(names ...string) (from, text string, t *trouble) {
	there, full := make([]string, 0, 3), make([]string, 0, 3)
	for _, name := range names {
		content, ok := s.text(name)
		if ok {
			there = append(there, name)
		}
		if content != "" {
			full, text = append(full, name), content
		}
	}
	switch {
	case len(full) > 1:
		return "", "", malformed("one source", strings.Join(full, " and "))
	case len(full) == 1:
		return full[0], text, nil
	case len(there) == 1:
		return there[0], "", nil
	}

	return "", "", nil
}

func (s *signature) asset() (value.Value, *trouble) {
	hash, _ := s.text("hash")
	from, text, t := s.source("text", "path", "uri")
	if t != nil {
		return value.Value{}, t
	}
	return value.Internal.AssetOf(sourceNamed(from), text, hash), nil
}

// sourceNamed returns the source that a field holds; without a name it is elided.
func sourceNamed(field string) value.Source {
	switch field {
	case "text":
		return value.SourceText
	case "path":
		return value.SourceFile
	case "uri":
		return value.SourceURI
	}

	return value.SourceElided
}

func (s *signature) archive() (value.Value, *trouble) {
	hash, _ := s.text("hash")
	from, text, t := s.source("path", "uri")
	if t != nil {
		return value.Value{}, t
	}

	assets, isLiteral := s.object.Lookup("assets")
	if isLiteral && (text == "" || assets.Len() > 0 || assets.Kind() != value.KindObject) {
		if text != "" {
			return value.Value{}, malformed("one source", "assets and "+from)
		}
		return literal(assets, hash)
	}
	return value.Internal.ArchiveOf(sourceNamed(from), text, hash), nil
}

// literal makes an archive of the members of an object.
func literal(assets value.Value, hash string) (value.Value, *trouble) {
	if a, ok := value.Internal.LiteralArchiveOf(assets, hash); ok {
		return a, nil
	}
	if assets.Kind() != value.KindObject || isMarked(assets) {
		return value.Value{}, malformed("object as assets", described(assets))
	}

	for _, v := range assets.Members() {
		if k := v.Kind(); (k != value.KindAsset && k != value.KindArchive) || isMarked(v) {
			return value.Value{}, malformed("assets and archives in an archive", described(v))
		}
	}
	return value.Value{}, malformed("assets and archives in an archive", "another kind")
}

func (s *signature) reference() (value.Value, *trouble) {
	r := value.ResourceReference{URN: s.required("urn")}
	if id, there := s.object.Lookup("id"); there {
		var ok bool
		if r.ID, ok = s.id(id); !ok {
			return value.Value{}, malformed("string as id", described(id))
		}
	}

	r.PackageVersion, _ = s.text("packageVersion")
	r.Name, _ = s.text("name")
	r.Type, _ = s.text("type")
	return r.Value(), nil
}

// id reads the ID of a reference. State files of some engines hold it in the
// member "V" of an object: a string, an object for one that is not known, or
// nothing for the reference of a component, which has none.
func (s *signature) id(v value.Value) (id value.ID, ok bool) {
	if isMarked(v) {
		return id, false
	}

	if s.isText && v.Kind() == value.KindObject {
		v = v.Field("V")
		switch {
		case isMarked(v):
			return id, false
		case v.IsNull():
			return id, true
		case v.Kind() == value.KindObject:
			return value.UnknownID(), true
		}
	} else if v.IsUnknown() {
		return value.UnknownID(), true
	}
	text, ok := v.AsString()
	return value.KnownID(text), ok
}

func (s *signature) output() (value.Value, *trouble) {
	v, known := s.object.Lookup("value")
	if !known {
		v = value.Unknown()
	}
	if flag, there := s.object.Lookup("secret"); there {
		b, ok := flag.AsBool()
		if !ok || isMarked(flag) {
			return v, malformed("bool as secret", described(flag))
		}
		if b {
			v = value.Secret(v)
		}
	}
	list, there := s.object.Lookup("dependencies")
	if !there {
		return v, nil
	}
	for range v.Dependencies() {
		s.merged++
	}
	if list.Kind() != value.KindArray || isMarked(list) {
		return v, malformed("array as dependencies", described(list))
	}

	for _, e := range list.Elems() {
		if e.Kind() != value.KindString || isMarked(e) {
			return v, malformed("strings as dependencies", described(e))
		}
	}

	v, _ = value.Internal.DependingOn(v, list)
	return v, nil
}

func (s *signature) byteString() (value.Value, *trouble) {
	text := s.required("value")
	if s.byteStrings == Reject {
		return value.Value{}, &trouble{err: ErrPolicy, found: "byte string"}
	}

	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return value.Value{}, malformed("base64 as value", "another text")
	}
	return value.String(string(content)), nil
}

// float reads a number by its bits.
func (s *signature) float() (value.Value, *trouble) {
	text := s.required("value")
	bits, err := strconv.ParseUint(text, 16, 64)
	if err != nil {
		return value.Value{}, malformed("64 bits in hexadecimal digits as value", "another text")
	}
	return value.Number(math.Float64frombits(bits)), nil
}

type signed struct {
	sig    string
	fields [5]signedField
	n      int
}

type signedField struct{ name, text string }

// field adds a text, unless it is empty and may be left out.
func (s *signed) field(name, text string, isKept bool) {
	if text != "" || isKept {
		s.fields[s.n] = signedField{name, text}
		s.n++
	}
}

// signedBy returns the fields of an asset, of an archive that is not literal, or of a
// reference. A path or URI is a field even if it is empty, since an asset with nothing
// but a hash is elided. So is the text of an asset, unless the hash says that it is
// empty. The unknown ID of a reference is an empty one.
func signedBy(v value.Value) (s signed) {
	if r, ok := v.AsResourceReference(); ok {
		s.sig = sigReference
		id, known := r.ID.Known()
		s.field("id", id, known || r.ID.IsUnknown())
		s.field("name", r.Name, false)
		s.field("packageVersion", r.PackageVersion, false)
		s.field("type", r.Type, false)
		s.field("urn", r.URN, true)
		return s
	}
	if a, ok := v.AsAsset(); ok {
		s.sig = sigAsset
		hash, _ := a.Hash()
		text, isText := a.Text()
		path, isPath := a.Path()
		uri, isURI := a.URI()

		s.field("hash", hash, false)
		s.field("path", path, isPath)
		s.field("text", text, isText && hash != hashOfNothing)
		s.field("uri", uri, isURI)
	} else if a, ok := v.AsArchive(); ok {
		s.sig = sigArchive
		hash, _ := a.Hash()
		path, isPath := a.Path()
		uri, isURI := a.URI()
		s.field("hash", hash, false)
		s.field("path", path, isPath)
		s.field("uri", uri, isURI)
	}

	return s
}

// hashOfNothing is the hash of an asset that is empty.
const hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// goesAsBytes reports whether a string has to travel as a byte string.
func goesAsBytes(s string) bool { return (len(s) == sentinelLength && isSentinel(s)) || !isUTF8(s) }
