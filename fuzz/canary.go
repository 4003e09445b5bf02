package fuzz

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Canary is a secret text that can be found again in other texts.
//
// Plant a canary in values, have your code make texts of them (logs, errors, tables,
// traces), and call Check with these texts. The zero Canary is ready to use; [NewCanary]
// returns others.
//
// A canary is found even if it was cut, changed to upper case, quoted, or written in
// hexadecimal, decimal, octal, binary or base64, byte by byte or as code points. The
// digest of an asset's text is found too. It is not found reversed, compressed or
// encrypted. A canary cannot be a number or a boolean, whose texts are too short to
// recognize.
type Canary struct{ seed uint64 }

// canaryLetters are letters and no hexadecimal digits, so that no digest and no
// address holds a canary by chance.
const (
	canaryLetters = "ghjkmnpqrstvwxyz"
	canaryLength  = 8 // letters, then again from the first
	canaryTimes   = 3 // so that any part of a third of it or more is found
	canaryPart    = 6 // what counts as a leak
)

// NewCanary returns the canary of a seed. Check does not find canaries of other seeds.
func NewCanary(seed uint64) Canary { return Canary{seed} }

// token returns the letters of the canary. Canaries whose digest begins with decimal digits
// alone are left out: the decimal form of an address may hold these by chance.
func (c Canary) token() string {
	seed := "canary " + strconv.FormatUint(c.seed, 10)
	for {
		sum := sha256.Sum256([]byte(seed))
		token := make([]byte, canaryLength)
		for i := range token {
			token[i] = canaryLetters[sum[i]%byte(len(canaryLetters))]
		}
		if strings.ContainsAny(digestTrace(strings.Repeat(string(token), canaryTimes)), "abcdef") {
			return string(token)
		}
		seed += " "
	}
}

// digestTrace returns the part of a text's digest that counts as a leak.
func digestTrace(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:7]
}

// Text returns the secret text: 24 lower-case letters.
func (c Canary) Text() string { return strings.Repeat(c.token(), canaryTimes) }

// Place says which part of a secret value holds the canary, such as a key or the path of an
// asset. [Places] returns all places.
type Place uint8

// The places of a canary in a secret.
const (
	InString Place = iota
	inElement
	inMember
	InKey     // of an object that is secret
	inDeepKey // of an object in an object that is secret
	inAssetText
	inAssetPath
	inAssetURI
	inAssetHash
	inArchivePath
	inArchiveURI
	inArchiveEntry // the name of an entry
	inArchiveText  // the text of an asset in an archive in an archive
	inReferenceURN
	inReferenceID
	inReferenceDetails // version, name and type
	inDependency       // of a member of an object that is secret
	inSealed           // the ciphertext
	inProvider         // the secrets provider of a ciphertext
	numberOfPlaces
)

// Places returns all places: strings, keys, and the texts of every other kind.
func Places() []Place {
	places := make([]Place, numberOfPlaces)
	for i := range places {
		places[i] = Place(i) //nolint:gosec // within the enum
	}
	return places
}

// String describes the place in words.
func (p Place) String() string {
	names := [numberOfPlaces]string{
		"in a string", "in an element", "in a member", "in a key", "in a key deeper down", "in an asset's text", "in an asset's path",
		"in an asset's URI", "in an asset's hash", "in an archive's path", "in an archive's URI", "in the name of an archive's entry",
		"in the text of an asset in an archive", "in a reference's URN", "in a reference's ID", "in a reference's version, name and type",
		"in a dependency below", "in a ciphertext", "in the secrets provider's name",
	}
	if p >= numberOfPlaces {
		return "in no place"
	}

	return names[p]
}

// Hide returns a secret value that has the canary at the given place.
func (c Canary) Hide(at Place) value.Value { return value.Secret(c.Show(at)) }

// Show returns the value that Hide returns, without its secret mark. A place in a sealed
// secret still gives a secret, since that cannot lose its mark.
func (c Canary) Show(at Place) value.Value {
	text := c.Text()
	switch at {
	case inElement:
		return value.Array(value.Null(), value.Array(value.String(text)))
	case inMember:
		return value.Object(value.Member{Key: "a", Value: value.String(text)})
	case InKey:
		return value.Object(value.Member{Key: text, Value: value.Number(1)})
	case inDeepKey:
		return value.Object(value.Member{Key: "a", Value: value.Object(value.Member{Key: text, Value: value.Array(value.Null())})})
	case inAssetText:
		return value.TextAsset(text)
	case inAssetPath:
		return value.FileAsset(text)
	case inAssetURI:
		return value.URIAsset("https://" + text)
	case inAssetHash:
		return value.TextAsset("").WithHash(text).DropContent()

	case inArchivePath, inArchiveURI, inArchiveEntry, inArchiveText:
		return c.archive(at)
	case inReferenceURN, inReferenceID, inReferenceDetails:
		return c.pointer(at).Value()
	case inDependency:
		return value.Object(value.Member{Key: "a", Value: value.Null().WithDependencies(text)})
	case inSealed:
		return value.Sealed{Ciphertext: text}.Value()
	case inProvider:
		return value.Sealed{Ciphertext: "c", Provider: text}.Value()
	case InString, numberOfPlaces:
	}

	return value.String(text)
}

func (c Canary) archive(at Place) value.Value {
	text := c.Text()
	switch at {
	case inArchivePath:
		return value.FileArchive(text)
	case inArchiveURI:
		return value.URIArchive("https://" + text + ".zip")
	case inArchiveText:
		inner := MustLiteralArchive(value.Member{Key: "a.txt", Value: value.TextAsset(text)})
		return MustLiteralArchive(value.Member{Key: "a", Value: inner})
	case InString, inElement, inMember, InKey, inDeepKey, inAssetText, inAssetPath, inAssetURI, inAssetHash, inArchiveEntry,
		inReferenceURN, inReferenceID, inReferenceDetails, inDependency, inSealed, inProvider, numberOfPlaces:
	}

	return MustLiteralArchive(value.Member{Key: text, Value: value.TextAsset("x")})
}

func (c Canary) pointer(at Place) value.ResourceReference {
	text := c.Text()
	r := value.ResourceReference{URN: "urn:pulumi:s::p::t::n"}
	switch at {
	case inReferenceURN:
		r.URN = "urn:pulumi:s::p::t::" + text
	case inReferenceID:
		r.ID = value.KnownID(text)
	case InString, inElement, inMember, InKey, inDeepKey, inAssetText, inAssetPath, inAssetURI, inAssetHash, inArchivePath,
		inArchiveURI, inArchiveEntry, inArchiveText, inReferenceDetails, inDependency, inSealed, inProvider, numberOfPlaces:
		r.PackageVersion, r.Name, r.Type = text, text, text
	}

	return r
}

// Plant returns v with the value at p replaced by a secret with the canary in it. If v
// does not have p, it returns v and false.
func (c Canary) Plant(v value.Value, p path.Path, at Place) (value.Value, bool) {
	planted, err := v.With(p, c.Hide(at))
	return planted, err == nil
}

// Check returns an error if the canary is in the text. The error says where and in what
// form, and shows the text around it.
func (c Canary) Check(text string) error {
	byFirst := &c.finder().byFirst
	for at := range len(text) {
		for _, trace := range byFirst[lower(text[at])] {
			if trace.begins(text[at:]) {
				from, to := max(0, at-60), min(len(text), at+120)
				return fmt.Errorf("the canary, %s, at byte %d of %d: %q", trace.how, at, len(text), text[from:to])
			}
		}
	}

	return nil
}

// finder has the traces of a canary by their first bytes, since texts may be long, and
// there are a hundred traces.
type finder struct {
	canary  Canary
	byFirst [1 << 8][]trace
}

// lastFinder is that of the canary that was looked for last: many texts are checked for one.
var lastFinder atomic.Pointer[finder] //nolint:gochecknoglobals // a cache: what it holds follows from the canary

func (c Canary) finder() *finder {
	if f := lastFinder.Load(); f != nil && f.canary == c {
		return f
	}

	f := &finder{canary: c}
	for _, trace := range c.traces() {
		first := lower(trace.text[0])
		f.byFirst[first] = append(f.byFirst[first], trace)
	}
	lastFinder.Store(f)

	return f
}

// trace is one way in which a part of the canary can be written, in lower case
// but when exact.
type trace struct {
	how, text string
	exact     bool
}

// begins reports whether a text begins with the trace.
func (r trace) begins(text string) bool {
	if len(text) < len(r.text) || r.exact {
		return strings.HasPrefix(text, r.text)
	}
	for i := range len(r.text) {
		if lower(text[i]) != r.text[i] {
			return false
		}
	}

	return true
}

// lower returns the lower case of an ASCII letter, and any other byte as it is.
func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// traces are what to look for. Whatever is cut off in front or behind, what is
// left of twelve letters or more, and any beginning or end of six, has one of two
// parts; and in base64, whose groups begin anywhere, one of three.
func (c Canary) traces() []trace {
	whole := c.Text()
	all := append(partTraces(whole[:canaryPart]), partTraces(whole[len(whole)-canaryPart:])...)
	const block = 9 // bytes, 12 letters in base64
	for i := range 3 {
		all = append(all, trace{"in base64", base64.StdEncoding.EncodeToString([]byte(whole[i : i+block])), true})
	}

	return append(all, trace{how: "as the digest of its text", text: digestTrace(whole)})
}

// partTraces are the ways to write a part of the canary.
func partTraces(part string) []trace {
	all := []trace{{how: "as it is", text: part}}

	for _, w := range []struct{ how, each string }{
		{"in hexadecimal", "%x"},
		{"in decimal", "%d"},
		{"in octal", "%o"},
		{"in binary", "%b"},
		{"as code points", "u+%04x"},
		{"as characters", "%c"},
		{"as quoted characters", "'%c'"},
	} {
		var units []string
		for _, b := range []byte(part) {
			units = append(units, fmt.Sprintf(w.each, b))
		}
		for _, between := range []string{"", " ", ", ", ",", " 0x", ", 0x", "\\x", ":"} {
			if between != "" || w.each == "%x" {
				all = append(all, trace{how: w.how, text: strings.Join(units, between)})
			}
		}
	}

	return all
}
