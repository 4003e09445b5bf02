package codec

import (
	"strconv"

	"github.com/propalg/propalg/value"
)

// Policy says what becomes of one kind of content, on the way out and on the
// way in alike.
type Policy uint8

// The policies.
const (
	Keep   Policy = iota // as it is
	Lower                // as the simpler thing that stands for it; see [Options]
	Reject               // an error that wraps [ErrPolicy] and names the place
)

// String returns "keep", "lower" or "reject".
func (p Policy) String() string {
	switch p {
	case Keep:
		return "keep"
	case Lower:
		return "lower"
	case Reject:
		return "reject"
	}
	return "invalid policy"
}

// Numbers says what becomes of a number in a text that no double holds.
type Numbers uint8

// What can become of such a number.
const (
	RejectInexact Numbers = iota // an error that wraps [ErrNumber]
	RoundInexact                 // the nearest double (an infinity beyond the largest), listed in the [Report]
)

// String returns "reject inexact" or "round inexact".
func (n Numbers) String() string {
	switch n {
	case RejectInexact:
		return "reject inexact"
	case RoundInexact:
		return "round inexact"
	}
	return "invalid numbers"
}

// Form says how a text holds what JSON has no form for. Readers take all of them
// whichever is given, but for two things: strings that are unknowns only on the
// wire, see [FormState]; and a masked secret, which is an error that wraps
// [ErrMasked].
type Form uint8

// The forms of secrets.
const (
	// FormWire writes the contents as they are; a sealed secret is an error
	// that wraps [ErrSealed].
	FormWire Form = iota
	// FormSealed is FormWire, contents of other secrets in clear included, but a
	// sealed secret goes as its ciphertext, without its provider (the document
	// names that one; [Options.Provider] gives it back on reading), which
	// readers of state files understand and peers on the wire do not.
	FormSealed
	// FormMasked writes `"masked": true` in place of the contents of every
	// secret, sealed or not, and nothing of what is below it: for people to
	// look at. No reader takes it.
	FormMasked
	// FormState is what Pulumi's engine writes into state files and reads there.
	// A sealed secret goes as its ciphertext, any other as `plaintext`, which is
	// JSON text; a NaN or an infinity by its bits; every unknown as the sentinel of
	// a string, so that its hint is lost. Dependencies have no place there: with
	// outputs kept a value that has some is an error that wraps [ErrPolicy].
	// Readers that are given this form take no other sentinel for an unknown.
	FormState
)

// String returns "wire", "sealed", "masked" or "state".
func (f Form) String() string {
	switch f {
	case FormWire:
		return "wire"
	case FormSealed:
		return "sealed"
	case FormMasked:
		return "masked"
	case FormState:
		return "state"
	}
	return "invalid form"
}

// Depth limits, in messages.
const (
	// DefaultDepth is the limit of protobuf-go.
	DefaultDepth = 10_000
	// PeerDepth is the limit of protobuf in other languages.
	PeerDepth = 100
)

// Options says what is kept, lowered and rejected, and how. The zero Options
// keep everything. What a policy does is the same for reading and writing, for
// text and for bytes.
type Options struct {
	// Unknowns. Lower drops them: an object loses the member, an array has a
	// null in its place, a document that is one is null. The unknown ID of a
	// resource reference is none of them: it is written as "".
	Unknowns Policy
	// Secrets. Lower takes the marks off and leaves the contents, but for outputs
	// that are kept: they keep their marks. A sealed secret cannot be lowered,
	// which is an error that wraps [ErrSealed].
	Secrets Policy
	// Outputs are values with dependencies. Lower takes these off and leaves an
	// unknown, a secret or a plain value.
	Outputs Policy
	// Assets and archives. Lower leaves the hash and elides the contents; one
	// with contents and no hash is an error that wraps [ErrPolicy].
	Assets Policy
	// References to resources. Lower leaves the ID, an unknown if it is not
	// known, or the URN if there is none.
	References Policy
	// ByteStrings are how a string travels that is no UTF-8, or that equals the
	// sentinel of an unknown. There is nothing to lower them to, so Lower is
	// refused with [ErrOptions]. With Reject such a string is an error, and so
	// is a byte string that is read.
	ByteStrings Policy
	// Nulls that are members of objects, at any depth. Lower drops the member.
	// Elements of arrays, and nulls with marks, are not meant.
	Nulls Policy
	// Internal properties are the members of the outermost object whose names
	// begin with "__". Lower drops them, whatever they hold.
	Internal Policy

	// Numbers in texts; of no meaning in bytes, which hold doubles.
	Numbers Numbers
	// Form of texts. Bytes know FormWire only.
	Form Form
	// Depth is the limit on nesting in messages of protobuf, as protobuf-go
	// counts them: the outermost object or array takes one, what is in an
	// object two more than the object, what is in an array one more; each
	// further container likewise. So an array level is 2 and an object level 3;
	// the wrapping of a secret, an output and their like is an object. 0 is
	// [DefaultDepth]. A limit above 20,000 stops there, where no value is nested
	// deeper than [value.MaxDepth].
	Depth int
	// Provider is what secrets that are read as ciphertext get as
	// [value.Sealed.Provider]. The state codec sets it.
	Provider string
	// Report, if not nil, gets the numbers that were rounded. It is not for two
	// calls at once.
	Report *Report
}

// check refuses options that mean nothing.
func (o *Options) check(op string) error {
	if o.Depth >= 0 && o.keepsAll() && o.ByteStrings == Keep && o.Numbers == 0 && (o.Form == FormWire || o.Form == FormState) { // as most are
		return nil
	}
	return o.checkEach(op)
}

func (o *Options) checkEach(op string) error {
	found := ""
	for _, p := range [...]Policy{o.Unknowns, o.Secrets, o.Outputs, o.Assets, o.References, o.ByteStrings, o.Nulls, o.Internal} {
		if p > Reject {
			found = "an invalid policy"
		}
	}
	switch {
	case o.ByteStrings == Lower:
		found = "byte strings that are to be lowered"
	case o.Numbers > RoundInexact:
		found = "invalid numbers"
	case o.Form > FormState:
		found = "an invalid form"
	case o.Form == FormMasked && o.Secrets == Lower:
		found = "secrets that are to be masked and lowered"
	case o.Depth < 0:
		found = "a depth of " + strconv.Itoa(o.Depth)
	}
	if found == "" {
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

// Features are what a peer says that it accepts when the two sides of the
// protocol meet. They are a set: combine them with |.
type Features uint8

// The features of the protocol.
const (
	AcceptSecrets     Features = 1 << iota // secrets as such, not as their contents
	AcceptResources                        // resource references
	AcceptOutputs                          // values with dependencies
	AcceptByteStrings                      // strings that are not UTF-8
)

// Options returns the options for talking to such a peer: what it does not
// accept is lowered, byte strings are rejected.
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
