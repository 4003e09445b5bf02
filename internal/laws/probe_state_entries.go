package laws

import (
	"strings"

	"github.com/propalg/propalg/internal/sample"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// entryProbes index state files, and read what the index leads to.
func entryProbes() []probe {
	return []probe{
		{"codec/state.Reader.Entries", "", func(s *scene) { s.eachEntry(func(_ string, e state.Entry) { s.say(e, e.URN) }) }},
		{"codec/state.Compare", "", func(s *scene) { s.eachComparison(func(c *state.Comparison) { s.say(c) }) }},
		{"codec/state.Comparison.NumEqual", "", func(s *scene) { s.eachComparison(func(c *state.Comparison) { s.say(c.NumEqual()) }) }},
		{"codec/state.Comparison.Entries", "", func(s *scene) {
			s.eachComparison(func(c *state.Comparison) {
				for e := range c.Entries() {
					s.say(e, e.URN)
				}
			})
		}},
		{"codec/state.Comparison.Resources", "", func(s *scene) {
			s.eachComparison(func(c *state.Comparison) {
				for d, err := range c.Resources() {
					s.say(d, err, d.Outcome)
				}
			})
		}},
		{"codec/state.Comparison.Deployment", "", func(s *scene) {
			s.eachComparison(func(c *state.Comparison) { s.say(c.Deployment()) })
		}},
		{"codec/state.Resource.Metadata", "", func(s *scene) {
			s.eachComparison(func(c *state.Comparison) {
				for d, err := range c.Resources() {
					s.say(err)
					if d.New != nil {
						s.say(d.New.Metadata())
					}
				}
			})
		}},
		{"codec/state.Resource.SecretOutputs", "", func(s *scene) {
			for _, outputs := range []value.Value{s.v, value.Object(value.Member{Key: s.text, Value: s.w})} {
				s.say((&state.Resource{Outputs: outputs, AdditionalSecretOutputs: []string{s.text}}).SecretOutputs())
			}
		}},
		{"codec/state.PartDiff.Outcome", "", func(s *scene) {
			s.eachComparison(func(c *state.Comparison) {
				for d, err := range c.Resources() {
					s.say(err, d.Metadata.Outcome(), d.Inputs.Outcome(), d.Outputs.Outcome())
				}
			})
		}},
		{"codec/state.Outcome.String", "", func(s *scene) { s.say(state.Outcome(s.index).String()) }},
	}
}

// eachComparison compares the state files of the scene, and gives a probe the
// comparisons of undamaged ones, in which everything secret is still so.
func (s *scene) eachComparison(f func(c *state.Comparison)) {
	one := s.wired()
	plain, full := sample.StackExport(one, `{"a":1}`), interrupted(one)
	texts := append([]string{plain, full, plain}, s.stateTexts()...)

	for i := range texts[1:] {
		o := state.CompareOptions{OldName: "a.json", Codec: codec.Options{RoundNumbers: true}, Times: i%2 == 0}

		c, err := state.Compare(strings.NewReader(texts[i]), strings.NewReader(texts[i+1]), o)
		s.say(err)

		if i < 2 {
			f(c)

			continue
		}

		for _, err := range c.Resources() {
			s.say(err)
		}

		_, err = c.Deployment()
		s.say(err)
	}
}

// eachEntry indexes the state files of the scene.
func (s *scene) eachEntry(f func(text string, e state.Entry)) {
	for i, text := range s.stateTexts() {
		if i%4 > 1 {
			continue
		}

		for e, err := range state.NewReader(strings.NewReader(text), state.Options{}).Entries() {
			if err != nil {
				s.say(err)

				continue
			}

			f(text, e)
		}
	}
}
