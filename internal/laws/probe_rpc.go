package laws

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/check"
)

// rpcFields are the names of fields that carry properties, configuration or other
// secrets, in messages of the protocol.
func rpcFields() []string {
	return []string{
		"olds", "news", "oldInputs", "inputs", "properties", "args", "state", "return", "object", "outputs",
		"config", "variables", "value", "parameters", "accessToken", "oldViews",
	}
}

// messages are all messages of the protocol with the scene's value in one field
// each, wherever it fits; and empty ones.
func (s *scene) messages() []rpc.Message {
	if s.sent != nil {
		return s.sent
	}

	s.sent = rpc.All()
	if s.big {
		return s.sent
	}

	bag := s.wired()

	for _, empty := range rpc.All() {
		for _, field := range rpcFields() {
			// What a field takes is seen at little cost with nothing in it.
			for _, shape := range []struct{ nothing, content string }{
				{`{}`, `{"bag":` + bag + `}`}, {`[{}]`, `[{"inputs":{"bag":` + bag + `}}]`}, {`""`, quotedJSON(s.text)},
			} {
				if decoded(empty, field, shape.nothing) == nil {
					continue
				}

				if m := decoded(empty, field, shape.content); m != nil {
					s.sent = append(s.sent, m)
				}
			}
		}
	}

	return s.sent
}

// decoded is a message with that content, if it has such a field.
func decoded(like rpc.Message, field, content string) rpc.Message {
	m := rpc.New(rpc.Name(like))
	if m == nil {
		return nil
	}

	o := rpc.Options{Properties: codec.Options{RoundNumbers: true}}
	if err := rpc.DecodeJSON([]byte(`{"`+field+`":`+content+`}`), m, o); err != nil {
		return nil
	}

	return m
}

func quotedJSON(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return `""`
	}

	return string(quoted)
}

// goName is the name of a message's type.
func goName(m rpc.Message) string { return strings.TrimPrefix(fmt.Sprintf("%T", m), "*rpc.") }

// messageProbes are those of the exported methods that every message has.
func messageProbes() []probe {
	var all []probe

	for _, empty := range rpc.All() {
		name := goName(empty)
		each := func(f func(s *scene, m rpc.Message)) func(s *scene) {
			return func(s *scene) {
				for _, m := range s.messages() {
					if goName(m) == name {
						f(s, m)
					}
				}
			}
		}
		add := func(method string, f func(s *scene, m rpc.Message)) {
			all = append(all, probe{"codec/rpc." + name + "." + method, "", each(f)})
		}

		add("Format", func(s *scene, m rpc.Message) { s.say(m, []rpc.Message{m}, struct{ M rpc.Message }{m}) })
		add("String", func(s *scene, m rpc.Message) {
			if texts, ok := m.(fmt.Stringer); ok {
				s.say(texts.String())
			}
		})
		add("MarshalJSON", func(s *scene, m rpc.Message) {
			text, err := json.Marshal(m)
			s.say(string(text), err)
		})
		add("UnmarshalJSON", func(s *scene, m rpc.Message) {
			if refuses, ok := m.(json.Unmarshaler); ok {
				s.say(refuses.UnmarshalJSON([]byte(s.wired())))
			}
		})
	}

	return all
}

// sayUnmarshalled reads a message from its bytes, damaged too.
func sayUnmarshalled(s *scene, m rpc.Message) {
	data, err := rpc.Marshal(m, rpc.Options{})
	if err != nil {
		return
	}

	for i, broken := range s.damagedBytes(data) {
		back := rpc.New(rpc.Name(m))
		if back == nil {
			return
		}

		err := rpc.Unmarshal(broken, back, rpc.Options{})
		s.say(err)

		if i == 0 {
			s.say(back)
		}
	}
}

// parsed makes the probe of a method that reads texts in a message.
func parsed[M rpc.Message, R any](method string, f func(M) (R, error)) probe {
	var none M

	return probe{"codec/rpc." + goName(none) + "." + method, plainPath, func(s *scene) {
		for _, m := range s.messages() {
			if m, ok := m.(M); ok {
				s.say(f(m))
			}
		}
	}}
}

// features makes the probe of a method that says what a peer accepts.
func features[M rpc.Message](f func(M) codec.Features) probe {
	p := parsed("Features", func(m M) (codec.Features, error) { return f(m), nil })
	p.why = ""

	return p
}

func rpcProbes() []probe {
	each := func(f func(s *scene, m rpc.Message)) func(s *scene) {
		return func(s *scene) {
			for _, m := range s.messages() {
				f(s, m)
			}
		}
	}

	return []probe{
		{"codec/rpc.All", "", func(s *scene) { s.say(rpc.All()) }},
		{"codec/rpc.New", "", func(s *scene) { s.say(rpc.New(s.text), rpc.New("pulumirpc.DiffRequest")) }},
		{"codec/rpc.NewCall", "", func(s *scene) { s.say(rpc.NewCall(s.text)); s.say(rpc.NewCall("/pulumirpc.ResourceProvider/Diff")) }},
		{"codec/rpc.Name", "", each(func(s *scene, m rpc.Message) { s.say(rpc.Name(m), rpc.Name(nil)) })},
		{"codec/rpc.Append", "", each(func(s *scene, m rpc.Message) { _, err := rpc.Append([]byte("x"), m, rpc.Options{}); s.say(err) })},
		{"codec/rpc.Marshal", "", each(func(s *scene, m rpc.Message) {
			for _, depth := range []int{0, 3} {
				_, err := rpc.Marshal(m, rpc.Options{Properties: codec.Options{Depth: depth}})
				s.say(err)
			}
		})},
		{"codec/rpc.Unmarshal", "", each(sayUnmarshalled)},
		{"codec/rpc.Codec.Marshal", "", each(func(s *scene, m rpc.Message) { _, err := rpc.Codec{}.Marshal(m); s.say(err) })},
		{"codec/rpc.Codec.Name", "", func(s *scene) { s.say(rpc.Codec{}.Name()) }},
		{"codec/rpc.Codec.Unmarshal", "", func(s *scene) {
			s.say(rpc.Codec{}.Unmarshal([]byte(s.text), &rpc.DiffRequest{}), rpc.Codec{}.Unmarshal(nil, nil), rpc.Codec{}.Unmarshal(nil, s.text))
		}},
		{"codec/rpc.AppendJSON", "", each(func(s *scene, m rpc.Message) { _, err := rpc.AppendJSON(nil, m, rpc.Options{}); s.say(err) })},
		{"codec/rpc.DecodeJSON", "", func(s *scene) {
			for _, text := range damaged(`{"olds":{"bag":` + s.wired() + `},"newInputs":1,"ignoreChanges":["a"]}`) {
				s.say(rpc.DecodeJSON([]byte(text), &rpc.DiffRequest{}, rpc.Options{}), rpc.DecodeJSON([]byte(text), &rpc.UpdateRequest{}, rpc.Options{DiscardUnknown: true}))
			}
		}},
		{"codec/rpc.AutonamingMode.String", "", func(s *scene) { s.say(rpc.AutonamingMode(s.index & 0xff).String()) }}, //nolint:gosec // small
		{"codec/rpc.DiffChanges.MarshalText", "", func(s *scene) { s.say(rpc.DiffChanges(200).MarshalText()) }},
		{"codec/rpc.PropertyDiffKind.MarshalText", "", func(s *scene) { s.say(rpc.PropertyDiffKind(200).MarshalText()) }},
		{"codec/rpc.DiffChanges.String", "", func(s *scene) { s.say(rpc.DiffChanges(s.index & 0xff).String()) }},           //nolint:gosec // small
		{"codec/rpc.PropertyDiffKind.String", "", func(s *scene) { s.say(rpc.PropertyDiffKind(s.index & 0xff).String()) }}, //nolint:gosec // small
		{"codec/rpc.RegisterResult.String", "", func(s *scene) { s.say(rpc.RegisterResult(s.index & 0xff).String()) }},     //nolint:gosec // small
		{"codec/rpc.MarshalStatus", "", each(func(s *scene, m rpc.Message) {
			_, err := rpc.MarshalStatus(3, "text", []rpc.Message{m}, rpc.Options{})
			s.say(err)
		})},
		{"codec/rpc.FindDetail", "", each(sayDetail)},
		{"codec/rpc.Error.Error", "", func(s *scene) { s.say((&rpc.Error{}).Error(), (&rpc.Error{Offset: s.index, Field: "f"}).Error()) }},
		{"codec/rpc.Error.Unwrap", "", func(s *scene) { s.say((&rpc.Error{}).Unwrap()) }},
	}
}

// judgeProbes are of what judges calls, and of configuration.
func judgeProbes() []probe {
	return []probe{
		{"codec/rpc.ConfigWithStrings", "", func(s *scene) {
			v, err := rpc.ConfigWithStrings(s.v, "a")
			s.say(v, err)

			v, err = (&rpc.ConfigureRequest{Args: s.w}).PropertiesWithStrings("name")
			s.say(v, err)
		}},
		{"codec/rpc.CheckFailureAt", "", func(s *scene) {
			seen := 0
			for c := range s.v.Walk() {
				failure := rpc.CheckFailureAt(s.v, c.Path(), "is not valid")
				shown, _ := s.v.Lookup(failure.Property)
				s.say(failure.Property, failure.Reason, shown.ContainsSecret() && failure.Property != "")

				if seen++; seen == partsSeen {
					break
				}
			}
		}},
		{"provider/check.Violations", "", func(s *scene) {
			s.say(check.Violations(nil, nil), check.Violations(&rpc.DiffRequest{Olds: s.v, News: s.w, OldInputs: s.w}, &rpc.DiffResponse{}),
				check.Violations(&rpc.CreateRequest{Properties: s.v}, &rpc.CreateResponse{Properties: s.w}))

			for _, m := range s.messages() {
				s.say(check.Violations(m, nil), check.Violations(nil, m), check.Violations(m, m))
			}
		}},
		{"provider/check.Session.Add", "", func(s *scene) {
			var session check.Session

			session.Add(&rpc.CreateRequest{URN: "u", Properties: s.v, Preview: true}, &rpc.CreateResponse{Properties: s.w})
			s.say(session.Add(&rpc.CreateRequest{URN: "u", Properties: s.v}, &rpc.CreateResponse{ID: "i", Properties: s.v}),
				session.Add(&rpc.DiffRequest{URN: "u", ID: "i", Olds: s.w}, nil), session.Add(&rpc.DeleteRequest{URN: "u", ID: "j"}, nil))

			for _, m := range s.messages() {
				s.say(session.Add(m, nil), session.Add(nil, m), session.Add(m, m), &session)
			}
		}},
	}
}

// sayDetail puts a message into a status and looks for it.
func sayDetail(s *scene, m rpc.Message) {
	status, err := rpc.MarshalStatus(3, "text", []rpc.Message{m}, rpc.Options{})
	if back := rpc.New(rpc.Name(m)); err == nil && back != nil {
		_, err = rpc.FindDetail(status, back, rpc.Options{})
		s.say(err, back)

		_, err = rpc.FindDetail(status[:len(status)/2], back, rpc.Options{})
	}

	s.say(err)

	if _, err := rpc.FindDetail([]byte(s.text), m, rpc.Options{}); err == nil {
		s.say(errors.Unwrap(err))
	}
}
