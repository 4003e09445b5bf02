package patch

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/value"
)

const (
	opDecode = "decode"
	opApply  = "apply"
)

// Patch is a diff as it was read, and what it says it is for. It never changes.
// The zero Patch changes nothing.
type Patch struct {
	diff diff.Diff
	base string
}

// Diff is the diff that the patch holds.
func (p Patch) Diff() diff.Diff { return p.diff }

// Base is the [Fingerprint] of the value that the patch was made for; empty when
// it does not say.
func (p Patch) Base() string { return p.base }

// String returns the diff as text for people, with secrets masked.
func (p Patch) String() string { return p.diff.String() }

// BaseCheck says what a patch may be applied to. The set is closed.
type BaseCheck uint8

// What a patch may be applied to.
const (
	// CheckBase: the value with the fingerprint that the patch has, if it has one.
	CheckBase BaseCheck = iota
	// SkipBaseCheck: any value that the diff fits.
	SkipBaseCheck
)

// Apply is [diff.Apply] of the patch to v, once v was found to be what the patch is
// for. If it is not, the error is an [*Error] that wraps [ErrBase]; if the diff
// does not fit, it is a [*diff.Error] that wraps [diff.ErrFit]. With an error v
// itself comes back. Secrets do not count in a fingerprint, but in the diff.
func (p Patch) Apply(v value.Value, c BaseCheck) (value.Value, error) {
	if c != SkipBaseCheck && p.base != "" && p.base != Fingerprint(v) {
		return v, &Error{Op: opApply, Offset: -1, err: ErrBase}
	}
	return diff.Apply(v, p.diff)
}

// Unmarshal reads a text that is one patch, and nothing after it but white space.
// A patch with masked secrets is refused, with an error that wraps
// [codec.ErrMasked] and names the first place; write it again, with secrets
// shown. The error is an [*Error]. The diff shares the memory of one copy of the
// text.
func Unmarshal(data []byte, o Options) (Patch, error) { return UnmarshalText(string(data), o) }

// UnmarshalText is [Unmarshal] of a string, of which the diff shares the memory.
func UnmarshalText(text string, o Options) (Patch, error) {
	if err := o.check(opDecode); err != nil {
		return Patch{}, err
	}
	r := reader{text: text, limit: o.depth()}
	if err := r.document(); err != nil {
		return Patch{}, err
	}
	d, err := r.rebuild(o)
	if err != nil {
		return Patch{}, err
	}
	if r.masked {
		return Patch{}, r.isMasked(nil, 0)
	}
	return Patch{diff: d, base: r.base}, nil
}

// decoding are the options that values are read with.
func decoding(o Options, limit, used int) codec.Options {
	return codec.Options{Depth: room(limit, used), Provider: o.Provider}
}

// UnmarshalJSON returns an error that names patch.Unmarshal.
func (*Patch) UnmarshalJSON([]byte) error { return refuse.JSON("patch.Patch", "patch.Unmarshal") }
