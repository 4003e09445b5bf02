package codec

import (
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
)

// maxRounded bounds what a [Report] keeps, in entries; in bytes of their paths
// [path.MaxListed] does, so that a hostile text cannot make it outgrow the text.
const maxRounded = 1 << 16

// Report lists the numbers that a reader rounded. The zero Report is ready for use, by
// one call at a time; each call adds to it.
type Report struct {
	Rounded []Rounded // in the order of the text
	More    int       // how many more were rounded; at most 65,536 are listed

	weight int // bytes of paths kept
}

// Rounded is a number that was rounded to the nearest double. Printing it does not
// show its text.
type Rounded struct {
	At     path.Shown // redacted from the outermost secret on
	Secret bool       // the number is secret, or part of a secret

	text veil.Pointer[string]
}

// RevealText returns the text of the number, secret or not. That of the zero Rounded
// is empty.
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
