package laws

import (
	"io"
	"strings"

	"github.com/propalg/propalg/internal/sample"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// stateTexts are state files made of the texts of a scene.
func (s *scene) stateTexts() []string {
	one := s.wired()
	if s.big {
		return []string{s.text, sample.StackExport(one, s.text)}
	}

	all := []string{s.text, sample.StackExport(), `{"version":3,"checkpoint":{"latest":` + one + `}}`, `{"target":"s","latest":{"manifest":{"magic":""},"resources":[]}}`, interrupted(one)}

	for i, bag := range s.texts() {
		if i%4 == 0 {
			all = append(all, sample.StackExport(bag))
		}
	}

	return append(all, damaged(sample.StackExport(one, one))...)
}

// interrupted is the text of a stack export in which a bag is all that it can be.
func interrupted(bag string) string {
	resource := `{"urn":"urn:pulumi:s::p::a:b:C::n","inputs":` + bag + `,"replacementTrigger":` + bag + `,"customTimeouts":{"create":1}}`

	return `{"version":3,"deployment":{"manifest":{"time":"2024-01-01T00:00:00Z","plugins":[{"name":"aws","version":"6.1.0"}]},"resources":[` + resource +
		`],"pending_operations":[{"type":"creating","resource":` + resource + `}],"metadata":{"integrity_error":{"version":"v3.100.0"}}}}`
}

// stateEdits are edits of state files with the values of a scene.
func (s *scene) stateEdits() []state.Edits {
	const urn = "urn:pulumi:s::p::a:b:C::n"

	all := []state.Edits{
		{OldStack: "s", NewStack: s.text, InProperties: true, ClearPending: true},
		{Rename: map[string]string{urn: s.text}, Delete: []string{s.text}, Depth: s.index},
	}

	for _, v := range []value.Value{s.v, s.w} {
		for _, e := range []state.PropertyEdit{{Value: v}, {Remove: true}, {Secret: true}} {
			e.Resource, e.Bag, e.At = urn, "inputs", path.Of(path.Key(s.text))
			all = append(all, state.Edits{Properties: []state.PropertyEdit{e}})
		}
	}

	return all
}

// eachFile gives a probe the files that can be read.
func (s *scene) eachFile(f func(file *state.File)) {
	if s.files == nil {
		s.files = []*state.File{{}}

		for _, text := range s.stateTexts() {
			if file, err := state.Parse(text, state.Options{}); err == nil {
				s.files = append(s.files, file)
			}
		}
	}

	for _, file := range s.files {
		f(file)
	}
}

func stateProbes() []probe {
	read := func(parse func(text string) (*state.File, error)) func(s *scene) {
		return func(s *scene) {
			for _, text := range s.stateTexts() {
				file, err := parse(text)
				s.say(err)

				if err == nil {
					s.say(file, *file)
				}
			}
		}
	}
	rounding := state.Options{Codec: codec.Options{RoundNumbers: true}}

	return []probe{
		{"codec/state.IsState", "", func(s *scene) {
			for _, text := range s.stateTexts() {
				s.say(state.IsState([]byte(text)), state.IsState(text))
			}
		}},
		{"codec/state.Parse", "", func(s *scene) {
			read(func(text string) (*state.File, error) { return state.Parse([]byte(text), state.Options{}) })(s)
			read(func(text string) (*state.File, error) { return state.Parse(text, rounding) })(s)
		}},
		{"codec/state.Rewrite", "", func(s *scene) {
			edits := s.stateEdits()
			for i, text := range s.stateTexts() {
				s.say(state.Rewrite(strings.NewReader(text), io.Discard, edits[(uint(i)+uint(s.index))%uint(len(edits))]))
			}
		}},
	}
}

// fileProbes look into state files that were read.
func fileProbes() []probe {
	return []probe{
		{"codec/state.File.Manifest", "", func(s *scene) {
			s.eachFile(func(file *state.File) { s.say(file.Manifest()) })
		}},
		{"codec/state.File.IntegrityError", "", func(s *scene) {
			s.eachFile(func(file *state.File) { s.say(file.IntegrityError()) })
		}},
		{"codec/state.File.PendingOperations", "", func(s *scene) {
			s.eachFile(func(file *state.File) {
				for op, err := range file.PendingOperations() {
					s.say(op, err)
				}
			})
		}},
		{"codec/state.Error.Error", "", func(s *scene) {
			s.say((&state.Error{}).Error(), (&state.Error{Offset: int64(s.index), Resources: s.index}).Error())
		}},
		{"codec/state.Error.Unwrap", "", func(s *scene) { s.say((&state.Error{}).Unwrap()) }},
		{"codec/state.Field.RevealText", "its name says so", func(s *scene) {
			s.say(state.Field{}.RevealText())
			s.eachFile(func(f *state.File) {
				for _, field := range append(f.Fields(), f.Envelope()...) {
					s.say(field.RevealText())
				}
			})
		}},
		{"codec/state.File.Features", "", func(s *scene) { s.eachFile(func(f *state.File) { s.say(f.Features()) }) }},
		{"codec/state.File.UnknownFeatures", "", func(s *scene) { s.eachFile(func(f *state.File) { s.say(f.UnknownFeatures()) }) }},
		{"codec/state.File.Fields", "", func(s *scene) { s.eachFile(func(f *state.File) { s.say(f.Fields()) }) }},
		{"codec/state.File.Envelope", "", func(s *scene) { s.eachFile(func(f *state.File) { s.say(f.Envelope()) }) }},
		{"codec/state.File.Len", "", func(s *scene) { s.eachFile(func(f *state.File) { s.say(f.Len()) }) }},
		{"codec/state.File.Provider", "", func(s *scene) { s.eachFile(func(f *state.File) { s.say(f.Provider()) }) }},
		{"codec/state.File.Shape", "", func(s *scene) { s.eachFile(func(f *state.File) { s.say(f.Shape()) }) }},
		{"codec/state.File.Version", "", func(s *scene) { s.eachFile(func(f *state.File) { s.say(f.Version()) }) }},
		{"codec/state.File.Resources", "", func(s *scene) {
			s.eachFile(func(f *state.File) {
				for r, err := range f.Resources() {
					s.say(err)

					if err != nil {
						s.say(r)
					}
				}
			})

			file, err := state.Parse(sample.StackExport(s.wired()), state.Options{})
			if err != nil {
				return
			}

			for r, err := range file.Resources() {
				s.say(r, err) // undamaged: everything secret is still so
			}
		}},
	}
}
