package codec

import (
	"strconv"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/value"
)

// Policy selects what readers and writers do with one kind of content.
type Policy uint8

// The policies.
const (
	Keep   Policy = iota // keep it unchanged
	Lower                // replace it by something simpler; see [Options]
	Reject               // return an error that wraps [ErrPolicy]
)

// Form selects how JSON text represents secrets and other values that JSON lacks. It
// matters mostly to writers: readers accept every form, whichever is selected, except that
// a masked secret is always an error that wraps [ErrMasked], and that with [FormState] fewer
// strings are read as unknowns.
type Form uint8

// The forms of a text.
const (
	// FormWire writes the contents of secrets in the clear; a sealed secret is an
	// error that wraps [ErrSealed].
	FormWire Form = iota
	// FormSealed is like FormWire, but writes a sealed secret as its ciphertext, which
	// readers of state files understand and peers on the wire do not. It does not
	// write the secrets provider, which [Options.Provider] restores on reading. Other
	// secrets are written in the clear.
	FormSealed
	// FormMasked writes `"masked": true` in place of the contents of every secret,
	// sealed or not, for people to look at. No reader accepts it.
	FormMasked
	// FormState is the form of Pulumi's state files. It writes a sealed secret as its
	// ciphertext, any other as `plaintext`, which is JSON text; NaN and the infinities by
	// their bits; and every unknown as the sentinel of a string, so that its hint is
	// lost. It cannot represent dependencies: if outputs are kept, a value that has some
	// is an error that wraps [ErrPolicy]. With this form, readers treat no other sentinel
	// as an unknown.
	FormState
)

// String returns "wire", "sealed", "masked" or "state".
func (f Form) String() string {
	return scan.Name(f, "invalid form", []string{
		FormWire: "wire", FormSealed: "sealed", FormMasked: "masked", FormState: "state",
	})
}

// Limits for [Options.Depth], in nested messages of protobuf, of which an object takes
// three and an array two.
const (
	// DefaultDepth is the limit on nesting if Options.Depth is 0. It is also the limit
	// of protobuf-go.
	DefaultDepth = 10_000
	// PeerDepth is the limit of protobuf in other languages.
	PeerDepth = 100
)

// Options are the options of readers and writers. The zero Options keep everything.
// A policy has the same effect on reading and writing, and on text and bytes.
type Options struct {
	// Unknowns is the policy for unknowns. Lower drops them: an object loses the member,
	// an array gets null in its place, and a document becomes null. The unknown ID of a
	// resource reference is not affected: it is written as "".
	Unknowns Policy
	// Secrets is the policy for secrets. Lower removes the marks and keeps the contents,
	// except on outputs that are kept, which keep their marks. A sealed secret cannot be
	// lowered, which is an error that wraps [ErrSealed].
	Secrets Policy
	// Outputs is the policy for values with dependencies. Lower removes the dependencies,
	// which leaves an unknown, a secret or a plain value.
	Outputs Policy
	// Assets is the policy for assets and archives. Lower keeps the hash and elides the
	// contents; an asset with contents but without a hash is an error that wraps
	// [ErrPolicy].
	Assets Policy
	// References is the policy for references to resources. Lower replaces a reference
	// by its ID (an unknown if the ID is not known), or by its URN if it has no ID.
	References Policy
	// ByteStrings is the policy for strings that are not UTF-8 or that equal the sentinel
	// of an unknown. Keep writes them as byte strings. With Reject, writing one is an error
	// that wraps [ErrUTF8] or [ErrSentinel], and reading a byte string is an error that
	// wraps [ErrPolicy]. Lower is an error that wraps [ErrOptions], since nothing simpler
	// could replace them.
	ByteStrings Policy
	// Nulls is the policy for members of objects, at any depth, that are null. Lower
	// drops the member. Elements of arrays, and nulls with marks, are not affected.
	Nulls Policy
	// Internal is the policy for internal properties: members of the outermost object
	// with names that begin with "__", such as __defaults. Lower drops them, whatever
	// they contain.
	Internal Policy

	// RoundNumbers rounds inexact numbers of a text to the nearest double or to an
	// infinity, and lists them in the Report. By default they are errors that wrap
	// [ErrNumber]. A number is exact if its value is that of the shortest decimal of the
	// nearest double: 0.1 and 1e23 are, 9007199254740993 and 1e400 are not. Bytes hold
	// doubles, which are exact.
	RoundNumbers bool
	// OwnBytes says that the bytes a reader is given belong to it from now on, even if it
	// returns an error. The value then points into them, and no text is copied. Errors and
	// the Report hold copies.
	//
	// Any text of the value, even one key, keeps all of the bytes alive;
	// [value.Value.Compact] makes a value that does not. A caller that changes or reuses
	// the bytes afterwards changes the value. Such bugs are found by tests with the build
	// tag propalg_overwrite, under which readers copy the bytes and overwrite what they
	// were given. Writers, and readers of strings, ignore OwnBytes.
	OwnBytes bool
	// Form applies to texts; bytes are always in FormWire.
	Form Form
	// Depth is the limit on nesting, in messages of protobuf as protobuf-go counts
	// them: the outermost object or array takes one, the members of an object two more,
	// the elements of an array one more, and so on inside these. So an array level is 2
	// and an object level 3; a secret, an output and so on is an object around its
	// contents. 0 selects [DefaultDepth]. More than 20,000 counts as 20,000, since no
	// value is nested deeper than [value.MaxDepth].
	Depth int
	// Provider is the [value.Sealed.Provider] of secrets that are read as ciphertext.
	// Package codec/state sets it.
	Provider string
	// Report, if not nil, receives the numbers that were rounded. It must not be used
	// by two calls at once.
	Report *Report
}

// check returns an error for invalid options.
func (o *Options) check(op string) error {
	var found string
	switch {
	case o.ByteStrings == Lower:
		found = "byte strings to be lowered"
	case o.Form > FormState:
		found = "an invalid form"
	case o.Form == FormMasked && o.Secrets == Lower:
		found = "secrets to be masked and lowered"
	case o.Depth < 0:
		found = "a depth of " + strconv.Itoa(o.Depth)
	case max(o.Unknowns, o.Secrets, o.Outputs, o.Assets, o.References, o.ByteStrings, o.Nulls, o.Internal) > Reject:
		found = "an invalid policy"

	default:
		return nil
	}
	return &Error{Op: op, Offset: -1, Found: found, err: ErrOptions}
}

// keepsAll reports whether nothing is lowered or rejected in a value (byte
// strings are a matter of readers and writers).
func (o *Options) keepsAll() bool {
	return o.Unknowns|o.Secrets|o.Outputs|o.Assets|o.References|o.Nulls|o.Internal == Keep
}

// depth returns the limit on messages.
func (o *Options) depth() int {
	if o.Depth == 0 {
		return DefaultDepth
	}
	return min(o.Depth, 2*value.MaxDepth) // an array level is 2, and no level is less
}

// containerCost returns how many messages a container adds around each child, or takes
// itself if it is empty.
func containerCost(children int, named bool) int {
	if children == 0 {
		return 1
	}
	return jsonscan.Cost(named)
}

// Features is the set of kinds that a peer accepts, as negotiated by the protocol.
// Combine features with |.
type Features uint8

// The features of the protocol.
const (
	AcceptSecrets     Features = 1 << iota // secrets, instead of their contents
	AcceptResources                        // resource references
	AcceptOutputs                          // values with dependencies
	AcceptByteStrings                      // strings that are not UTF-8
)

// Options returns the options for exchanging properties with a peer that accepts f: kinds
// that it does not accept are lowered, and byte strings rejected.
func (f Features) Options() Options {
	lower := func(feature Features) Policy {
		if f&feature != 0 {
			return Keep
		}

		return Lower
	}
	o := Options{Secrets: lower(AcceptSecrets), References: lower(AcceptResources), Outputs: lower(AcceptOutputs)}
	if f&AcceptByteStrings == 0 {
		o.ByteStrings = Reject
	}
	return o
}
