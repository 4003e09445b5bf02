package path

import (
	"fmt"

	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/internal/veil"
)

// Shown is a path as texts may show it: cut at the outermost secret above it,
// since the keys below a secret are part of the secret. `o[secret]` is some
// path below the secret `o`. The zero Shown is the root.
//
// The whole path stands where no printer looks, even in an unexported field of a
// caller's struct; only RevealPath gives it out. For the same reason == compares
// identity when cut: use Equal.
type Shown struct {
	visible Path
	whole   veil.Pointer[string] // the packed form of the whole path, nil when nothing is hidden
}

// Show is p, of which the first visible steps may be seen. All of it may when
// visible is below 0 or not below p.Len().
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

// Path is the part that may be seen.
func (s Shown) Path() Path { return s.visible }

// Cut reports whether a part is hidden.
func (s Shown) Cut() bool { return s.whole.Open() != nil }

// RevealPath is the whole path, the keys below a secret included.
func (s Shown) RevealPath() Path {
	if whole := s.whole.Open(); whole != nil {
		return Path{*whole}
	}
	return s.visible
}

// Equal reports whether both are the same path, cut at the same place.
func (s Shown) Equal(t Shown) bool {
	return s.visible == t.visible && s.RevealPath() == t.RevealPath()
}

// String is the canonical text of the part that may be seen, and "[secret]"
// behind it when a part is hidden.
func (s Shown) String() string {
	text := s.visible.String()
	if s.Cut() {
		text += "[secret]"
	}
	return text
}

// GoString is String in quotes.
func (s Shown) GoString() string { return fmt.Sprintf("%q", s.String()) }

// Format prints String, as if it were a string, under every verb.
func (s Shown) Format(f fmt.State, verb rune) {
	// A write error is fmt's to report: it keeps what the State returned.
	_, _ = fmt.Fprintf(f, fmt.FormatString(f, verb), s.String())
}

// MarshalText is String; it has no error.
func (s Shown) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalJSON returns an error that names path.Show.
func (*Shown) UnmarshalJSON([]byte) error { return refuse.JSON("path.Shown", "path.Show") }
