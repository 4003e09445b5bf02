package path

// NOTE: Who makes an error or a line of text counts the steps that lead to the outermost
// secret, and passes the count to Show.

import (
	"fmt"

	"github.com/propalg/propalg/internal/veil"
)

// Shown is a redacted path, for error texts: cut at the outermost secret, since the keys
// below a secret are part of it. The text `o[secret]` is that of a path below the
// secret `o`. The zero Shown is the root.
//
// No printer reaches the whole path, even in an unexported field of a caller's struct;
// only RevealPath returns it. For the same reason == compares identity if a path is cut:
// use Equal.
type Shown struct {
	visible Path
	whole   veil.Pointer[string] // the packed form of the whole path, nil when nothing is hidden
}

// Show returns p redacted after as many steps as visible says: `a.b.c` is shown as
// `a[secret]` if visible is 1. If visible is negative, or at least p.Len(), nothing is
// redacted.
func Show(p Path, visible int) Shown {
	if visible < 0 {
		return Shown{visible: p}
	}
	seen := p.Prefix(visible)
	if seen == p {
		return Shown{visible: p}
	}

	whole := p.packed
	return Shown{visible: seen, whole: veil.Hide(&whole)}
}

// Path returns the part that is visible.
func (s Shown) Path() Path { return s.visible }

// Redacted reports whether a part is redacted, so that [Shown.Path] is only the beginning.
func (s Shown) Redacted() bool { return s.whole.Open() != nil }

// RevealPath returns the whole path, including the keys below a secret.
func (s Shown) RevealPath() Path {
	if whole := s.whole.Open(); whole != nil {
		return Path{*whole}
	}
	return s.visible
}

// Equal reports whether s and t are the same path, cut at the same place.
func (s Shown) Equal(t Shown) bool {
	return s.visible == t.visible && s.RevealPath() == t.RevealPath()
}

// String returns the canonical text of the visible part, followed by "[secret]" if the
// rest is redacted.
func (s Shown) String() string {
	text := s.visible.String()
	if s.Redacted() {
		text += veil.SecretText
	}
	return text
}

// Format prints String, as if it were a string, under every verb.
func (s Shown) Format(f fmt.State, verb rune) {
	// A write error is fmt's to report: it keeps what the State returned.
	_, _ = fmt.Fprintf(f, fmt.FormatString(f, verb), s.String())
}

// MarshalText returns the text of [Shown.String]. The error is always nil.
func (s Shown) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
