package laws

import (
	"errors"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/sample"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// vault opens every ciphertext with one plaintext, and closes every plaintext with
// one ciphertext; or fails, or gives the wrong number of results.
type vault struct {
	plaintext string
	fails     bool
	more      int
}

func (v vault) Decrypt(ciphertexts []string) ([]string, error) {
	return v.answer(len(ciphertexts), v.plaintext)
}

func (v vault) Encrypt(plaintexts []string) ([]string, error) {
	return v.answer(len(plaintexts), "ciphertext")
}

func (v vault) answer(n int, text string) ([]string, error) {
	if v.fails {
		return nil, errors.New("the vault is closed")
	}

	results := make([]string, n+v.more)
	for i := range results {
		results[i] = text
	}

	return results, nil
}

// vaults open secrets to what is in the scene, damaged too.
func (s *scene) vaults() []vault {
	plain := s.bared()
	all := []vault{{plaintext: plain}, {plaintext: plain, fails: true}, {plaintext: plain, more: 1}}

	if s.big {
		return all[:1]
	}

	for i, text := range damaged(plain) {
		if i%8 == 1 {
			all = append(all, vault{plaintext: text})
		}
	}

	return all
}

// sealedBags hold ciphertexts beside and around what the scene has.
func (s *scene) sealedBags() []value.Value {
	sealed := value.Sealed{Ciphertext: "c", Provider: "p"}.Value()

	return []value.Value{
		value.Object(value.Member{Key: "a", Value: sealed}, value.Member{Key: "b", Value: s.w}),
		value.Object(value.Member{Key: "a", Value: value.Array(value.Null(), sealed)}), s.v, sealed,
	}
}

func (s *scene) hasSealed() bool {
	return slices.ContainsFunc(s.parts, func(v value.Value) bool { return v.Kind() == value.KindSealed })
}

// sealedFile is a state file with ciphertexts in it.
func sealedFile() string {
	secret := `{"` + sample.SignatureKey + `":"` + sample.SignatureSecret + `","ciphertext":"c"}`

	return sample.StackExport(`{"p":`+secret+`}`, `{"q":[`+secret+`,1],"r":"x"}`)
}

func openProbes() []probe {
	return []probe{
		{"codec/state.EncodeBags", "", func(s *scene) {
			for _, o := range append(s.encodings(), codec.Options{Outputs: codec.Lower}) {
				texts, err := state.EncodeBags(s.sealedBags(), vault{}, o)
				s.say(err)

				// What is written is ciphertext, but that of the scene's own may
				// be the canary.
				if err == nil && o.Secrets == codec.Keep && !s.hasSealed() {
					s.say(texts)
				}
			}

			for _, v := range s.vaults() {
				_, err := state.EncodeBags(s.sealedBags(), v, codec.Options{})
				s.say(err)
			}

			_, err := state.EncodeBags([]value.Value{s.v}, nil, codec.Options{})
			s.say(err)
			s.say(state.EncodeBags(nil, nil, codec.Options{}))
		}},
		{"codec/state.DecryptBags", "", func(s *scene) {
			for _, v := range s.vaults() {
				s.say(state.DecryptBags(s.sealedBags(), v, codec.Options{}))
				s.say(state.DecryptBags(s.sealedBags(), v, codec.Options{Depth: 9, RoundNumbers: true}))
			}

			s.say(state.DecryptBags(s.sealedBags(), nil, codec.Options{}))
		}},
		{"codec/state.File.Decrypt", "", func(s *scene) {
			file, err := state.Parse(sealedFile(), state.Options{})
			s.say(err)

			for _, v := range s.vaults() {
				opened, err := file.Decrypt(v)
				s.say(opened, err)

				if err == nil {
					s.sayResources(opened)
				}
			}
		}},
		{"codec/state.File.Find", "", func(s *scene) {
			s.eachFile(func(f *state.File) {
				_, _, err := f.Find("urn:pulumi:s::p::a:b:C::na")
				s.say(err)
				s.say(f.Find(s.text))
			})
		}},
	}
}

// readerProbes stream state files.
func readerProbes() []probe {
	return []probe{
		{"codec/state.NewReader", "", func(s *scene) {
			s.say(state.NewReader(strings.NewReader(sample.StackExport(s.wired())), state.Options{}))
		}},
		{"codec/state.Reader.Document", "", func(s *scene) { s.eachReader(func(r *state.Reader, _ []state.Resource) { s.say(r.Document(), r) }) }},
		{"codec/state.Reader.Decrypt", "", func(s *scene) {
			s.eachReader(func(r *state.Reader, batch []state.Resource) {
				for _, v := range s.vaults() {
					_, err := r.Decrypt(batch, v)
					s.say(err)
				}
			})

			reader := state.NewReader(strings.NewReader(sealedFile()), state.Options{})
			for resource, err := range reader.Resources() {
				s.say(resource, err)

				for _, v := range s.vaults() {
					s.say(reader.Decrypt([]state.Resource{resource}, v))
				}
			}
		}},
		{"codec/state.Reader.Resources", "", func(s *scene) {
			s.eachReader(func(*state.Reader, []state.Resource) {})

			for resource, err := range state.NewReader(strings.NewReader(sample.StackExport(s.wired(), "{}")), state.Options{}).Resources() {
				s.say(resource, err)
			}
		}},
	}
}

func (s *scene) sayResources(f *state.File) {
	for r, err := range f.Resources() {
		s.say(r, err)
	}
}

// eachReader streams the state files of the scene.
func (s *scene) eachReader(f func(r *state.Reader, read []state.Resource)) {
	for i, text := range s.stateTexts() {
		if i%4 != 0 {
			continue
		}

		reader := state.NewReader(strings.NewReader(text), state.Options{})

		var read []state.Resource

		for r, err := range reader.Resources() {
			s.say(err)

			if err == nil {
				read = append(read, r)
			}
		}

		f(reader, read)
	}
}
