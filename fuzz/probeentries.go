package fuzz

import (
	"strings"

	"github.com/propalg/propalg/codec/state"
)

// entryProbes index state files, and read what the index leads to.
func entryProbes() []probe {
	return []probe{
		{"codec/state.Reader.Entries", "", func(s *scene) { s.eachEntry(func(_ string, e state.Entry) { s.say(e, e.URN) }) }},
		{"codec/state.Entry.Resource", "", func(s *scene) {
			s.eachEntry(func(_ string, e state.Entry) { s.say(e.Resource()) })
			s.say(state.Entry{}.Resource())
		}},
		{"codec/state.Entry.Reread", "", func(s *scene) {
			s.eachEntry(func(text string, e state.Entry) {
				s.say(e.Reread(strings.NewReader(text), state.Options{}))

				e.Length -= int64(s.index)
				s.say(e.Reread(strings.NewReader(text), state.Options{}))
			})
			s.say(state.Entry{Offset: int64(s.index), Length: 1 << 62}.Reread(strings.NewReader(s.text), state.Options{}))
		}},
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
