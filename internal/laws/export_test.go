package laws

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Probed lends the names in the table of probes to the test that compares it with
// what is exported.
func Probed() []string { return probed() }

// Revealing lends the names that may show secrets, with the reasons.
func Revealing() map[string]string { return revealing() }

// ProbeBig gives every probe a big scene, through a function that calls it.
func ProbeBig(v, w value.Value, p, q path.Path, text string, index int, each func(name string, run func())) {
	s := &scene{v: v, w: w, p: p, q: q, set: path.NewSet(p.Pattern(), q.Pattern()), text: text, index: index, big: true}
	s.prepare()

	for _, p := range probes() {
		each(p.name, func() { s.hear(p) })
	}
}

// ProbeZero gives every probe nothing but zero values.
func ProbeZero(each func(name string, run func())) {
	s := zeroScene()

	for _, p := range probes() {
		each(p.name, func() { s.hear(p) })
	}
}
