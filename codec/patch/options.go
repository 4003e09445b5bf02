package patch

import (
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Options selects how a patch is written and read. The zero Options masks secrets.
type Options struct {
	// Secrets selects what is written of secrets. To write a patch that is read or applied
	// elsewhere, or a request, use [value.RevealSecrets] and protect the text as a secret.
	//
	// The others are for a patch that is looked at. [Unmarshal] refuses one in which anything
	// was masked. With [value.KeepSealed], sealed secrets outside of other secrets are written
	// as their ciphertext; but a value that holds any other secret has all of its secrets
	// masked, and so have both values of a container that is itself a change (of its
	// dependencies, or of the order of its elements).
	//
	// [JSONPatch] and [MergePatch] have no mask: an API would store it. Unless secrets are
	// revealed, they return an error for a change that holds one. Reading ignores this option.
	Secrets value.Secrets
	// Base is the [Fingerprint] of the old value. It is written unless it is empty;
	// reading does not use it.
	Base string
	// Depth limits the nesting of the values that the diff mirrors. It counts as in
	// [codec.Options]; 0 means [codec.DefaultDepth]; 20,000 is the highest limit.
	Depth int
	// Tests adds test operations to a JSON Patch. The other forms ignore it.
	Tests bool
	// NullAsMissing lets a Merge Patch remove a member that becomes null, which makes no
	// difference under [value.Engine]. The other forms ignore it.
	NullAsMissing bool
	// Provider is the [value.Sealed.Provider] for secrets that are read as ciphertext.
	// Writing ignores it.
	Provider string
}

// maxDepth is the highest limit in effect, as in package codec: two messages for each
// level of the deepest array.
const maxDepth = 2 * value.MaxDepth

// depth returns the limit in effect.
func (o *Options) depth() int {
	if o.Depth == 0 {
		return codec.DefaultDepth
	}
	return min(o.Depth, maxDepth)
}

// room returns what is left of a limit, as an option of package codec, where 0 would
// mean the default.
func room(limit, used int) int { return max(1, limit-used) }

func (o *Options) check(op string) *Error {
	found := ""
	switch {
	case o.Depth < 0:
		found = "a negative depth"
	case !isFingerprint(o.Base) && o.Base != "":
		found = "a base that is not a fingerprint"
	}
	if found == "" {
		return nil
	}

	return &Error{Op: op, Offset: -1, Found: found, err: codec.ErrOptions}
}

func isFingerprint(s string) bool {
	return len(s) == fingerprintLength && strings.Trim(s, "0123456789abcdef") == ""
}
