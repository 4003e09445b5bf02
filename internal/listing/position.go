// Package listing lists places in a value, so many that the list is never much longer than
// [path.MaxListed].
package listing

import "github.com/propalg/propalg/path"

// Position is where the reader of a value is, and how many places it has listed.
type Position struct {
	At     []path.Step
	listed int       // bytes of their paths
	brief  bool      // those are more than path.MaxListed
	last   path.Step // if brief, the top-level property that was listed last
}

// Full reports whether no place below the current one is listed any more.
func (p *Position) Full() bool { return p.brief && len(p.At) > 0 && p.At[0] == p.last }

// Place returns the place to list, redacted at a step unless that is negative. Past
// [path.MaxListed] bytes of paths it is the top-level property, and only once.
func (p *Position) Place(outermostSecret int) (at path.Shown, listed bool) {
	steps := p.At
	if p.listed > path.MaxListed && len(steps) > 0 {
		if p.brief && steps[0] == p.last {
			return path.Shown{}, false
		}

		p.brief, p.last, steps = true, steps[0], steps[:1]
	}
	place := path.Of(steps...)
	p.listed += place.Size()
	return path.Show(place, outermostSecret), true
}
