package codec

import (
	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
)

// maxRounded bounds what a [Report] keeps, in entries; in bytes of their paths
// [path.MaxListed] does, so that a hostile text cannot make it outgrow the text.
const maxRounded = 1 << 16

// Report lists what a reader changed because it was told that it may. The zero
// Report is ready; one Report may be used for one call after the other.
type Report struct {
	Rounded []Rounded // in the order of the text
	More    int       // how many more were rounded; beyond some ten thousands only their number is kept

	weight int // bytes of paths kept
}

// Rounded is a number that no double holds, and that was rounded to the nearest
// one: where it stands in the value, and, where no printer looks, its text.
type Rounded struct {
	At     path.Shown // cut at the outermost secret
	Secret bool       // the number is secret, or below a secret

	text veil.Pointer[string]
}

// SameText reports whether two numbers were written alike. Two that were not
// can round to one double and still differ.
func (r Rounded) SameText(o Rounded) bool { return r.RevealText() == o.RevealText() }

// RevealText returns the number as it was written, secret or not. The zero
// Rounded has none.
func (r Rounded) RevealText() string {
	if text := r.text.Open(); text != nil {
		return *text
	}
	return ""
}

// resolve adds what a reader noted, now that all containers around it are known.
func (r *Report) resolve(found *roundings) {
	r.More += found.more
	for _, n := range found.notes {
		if len(r.Rounded) >= maxRounded || r.weight >= path.MaxListed {
			r.More++
			continue
		}
		at, isSecret := n.at.shown()
		r.weight += at.RevealPath().Size() // what is hidden takes room too
		r.Rounded = append(r.Rounded, Rounded{At: at, Secret: isSecret, text: veil.Hide(&n.text)})
	}
}

// note is a number that was rounded, before the place is known as a path.
type note struct {
	at   position
	text string
}

// UnmarshalJSON returns an error that names codec.DecodeJSON with a Report.
func (*Rounded) UnmarshalJSON([]byte) error {
	return refuse.JSON("codec.Rounded", "codec.DecodeJSON with a Report")
}
