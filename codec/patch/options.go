package patch

import (
	"github.com/propalg/propalg/codec"
)

// Secrets says what a patch holds of secrets. The set is closed.
type Secrets uint8

const (
	// MaskSecrets masks all of them: both sides of a change of which one is
	// secret, and whatever is inside a secret container.
	MaskSecrets Secrets = iota
	// KeepSealed is MaskSecrets, but for sealed secrets outside of other ones, which
	// go as their ciphertext. A value that holds another secret beside them has all
	// masked, and so have both values of a container that is itself a change (its
	// dependencies, the order of its elements).
	KeepSealed
	// RevealSecrets writes secrets in clear, and sealed ones as their ciphertext,
	// so that the patch can be applied.
	RevealSecrets
)

// Options say how a patch is written and read. The zero Options mask secrets.
type Options struct {
	// Secrets: masked, in which case nobody can apply the patch, or revealed. It
	// has no meaning for reading.
	Secrets Secrets
	// Base is the [Fingerprint] of the old value, written into the patch unless
	// it is empty.
	Base string
	// Depth is the limit on the nesting of the values that the diff mirrors, as
	// [codec.Options] counts it. 0 is [codec.DefaultDepth].
	Depth int
	// Provider is what secrets that are read as ciphertext get as
	// [value.Sealed.Provider].
	Provider string
}

func (o *Options) depth() int {
	if o.Depth == 0 {
		return codec.DefaultDepth
	}
	return o.Depth
}

// room is what is left of a limit, as an option of package codec, where 0 would
// mean the default.
func room(limit, used int) int { return max(1, limit-used) }

// check refuses options that mean nothing.
func (o *Options) check(op string) *Error {
	found := ""
	switch {
	case o.Depth < 0:
		found = "a depth below 0"
	case !isFingerprint(o.Base) && o.Base != "":
		found = "a base that is no fingerprint"
	}
	if found == "" {
		return nil
	}
	return &Error{Op: op, Offset: -1, Found: found, err: codec.ErrOptions}
}

// isFingerprint reports whether a text may be one.
func isFingerprint(s string) bool {
	if len(s) != fingerprintLength {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
