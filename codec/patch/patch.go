package patch

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

const version = "diff/1"

const (
	opDecode = "decode"
	opApply  = "apply"
)

// Patch is a diff that was read, with the fingerprint of the value that it is for. It
// is immutable. The zero Patch changes nothing.
type Patch struct {
	diff diff.Diff
	base string
}

// Diff returns the diff that the patch holds.
func (p Patch) Diff() diff.Diff { return p.diff }

// Base returns the [Fingerprint] of the value that the patch was made for. It is empty if
// the patch has none.
func (p Patch) Base() string { return p.base }

// String returns the diff as text for people, with secrets masked.
func (p Patch) String() string { return p.diff.String() }

// Apply applies the patch to v, as [diff.Diff.Apply] does. If the patch has a fingerprint
// and v has another one, v is not the value that the patch was made for, and the error is an
// [*Error] that wraps [ErrBase]; if the diff does not fit, it is a [*diff.Error] that wraps
// [diff.ErrFit]. On an error Apply returns v. The contents of secrets matter to the diff, but
// not to the fingerprint.
//
// To apply a patch to any value that it fits, such as a copy that was edited elsewhere, apply
// its diff: p.Diff().Apply(v).
func (p Patch) Apply(v value.Value) (value.Value, error) {
	if p.base != "" && p.base != Fingerprint(v) {
		return v, &Error{Op: opApply, Offset: -1, err: ErrBase}
	}
	return p.diff.Apply(v)
}

// Unmarshal reads a text that consists of one patch. It refuses a patch with masked
// secrets, with an error that wraps [codec.ErrMasked] and names the first place: write
// the patch again, with secrets revealed. The error is an [*Error]. The diff shares the
// memory of the text if that is a string, and of one copy of it if it is bytes.
func Unmarshal[Text ~string | ~[]byte](text Text, o Options) (Patch, error) {
	return unmarshal(string(text), o)
}

func unmarshal(text string, o Options) (Patch, error) {
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
