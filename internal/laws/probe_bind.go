package laws

import (
	"errors"
	"time"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// bound is what values are read into.
type bound struct {
	A bind.Output[string]     `pulumi:"a,optional"`
	B map[string]string       `pulumi:"b,optional"`
	C []int8                  `pulumi:"c,optional"`
	D time.Duration           `pulumi:"d,optional"`
	E *time.Time              `pulumi:"e,optional"`
	F bind.Output[[]uint]     `pulumi:"f"`
	G struct{ Inner float32 } `pulumi:"g,optional"`
	H value.Value             `pulumi:"h,optional"`
}

// bindProbes read values into Go data, and write that.
func bindProbes() []probe {
	read := func(s *scene, v value.Value) (x bound, info *bind.Info) {
		info, err := bind.Decode(v, &x, bind.Options{AllowUnknown: true, LowerCamel: true, AllowExtra: s.index%2 == 0})
		s.say(info, err)

		return x, info
	}

	problems := func(s *scene, f func(e *bind.Error)) {
		f(nil)
		s.each(func(v value.Value) {
			_, err := bind.As[bound](v)
			if e := (*bind.Error)(nil); errors.As(err, &e) {
				f(e)
			}
		})
	}

	return []probe{
		{"value/bind.Decode", "", func(s *scene) {
			s.say(bind.Decode(s.v, nil, bind.Options{}))
			s.say(bind.Decode(s.v, new(chan string), bind.Options{}))
			s.each(func(v value.Value) { read(s, v) })
		}},
		{"value/bind.As", "", func(s *scene) {
			s.each(func(v value.Value) {
				_, err := bind.As[map[string]time.Time](v)
				s.say(err)
				_, err = bind.As[[]bound](v)
				s.say(err)
			})
		}},
		{"value/bind.Encode", "", func(s *scene) {
			s.say(bind.Encode(nil, bind.Options{}))
			s.say(bind.Encode(map[string]any{s.text: s.v}, bind.Options{}))
			s.say(bind.Encode(map[string]value.Value{"a": s.v}, bind.Options{}))
			s.say(bind.Encode([]bind.Output[string]{bind.Secret(s.text), bind.Unknown[string]()}, bind.Options{}))
		}},
		{"value/bind.Info.Encode", "", func(s *scene) {
			s.each(func(v value.Value) {
				x, info := read(s, v)
				if info != nil {
					s.say(info.Encode(x))
					s.say(info.Encode([]value.Value{s.v, s.w}))
				}
			})
		}},
		{"codec/rpc.CheckFailuresOf", "", func(s *scene) {
			problems(s, func(e *bind.Error) {
				if e == nil {
					return
				}

				for _, failure := range rpc.CheckFailuresOf(s.v, e) {
					s.say(failure.Property, failure.Reason)
				}
			})
		}},
		{"value/bind.Error.Error", "", func(s *scene) { problems(s, func(e *bind.Error) { s.say(e.Error()) }) }},
		{"value/bind.Problem.String", "", func(s *scene) { problems(s, func(e *bind.Error) { s.say(first(e).String(), first(e)) }) }},
		{"value/bind.Problem.Reason", "", func(s *scene) { problems(s, func(e *bind.Error) { s.say(first(e).Reason()) }) }},
	}
}

func first(e *bind.Error) (p bind.Problem) {
	if e != nil {
		p = e.Problems[0]
	}

	return p
}

// outputProbes are about values in Go data that may be unknown or secret.
func outputProbes() []probe {
	outputs := func(s *scene, f func(o bind.Output[value.Value])) {
		f(bind.Output[value.Value]{})
		f(bind.Secret(s.v))
		s.each(func(v value.Value) {
			o, err := bind.As[bind.Output[value.Value]](v)
			s.say(err)
			f(o)
		})
	}

	return []probe{
		{"value/bind.Output.UnmarshalJSON", "", func(s *scene) { s.say(new(bind.Output[string]).UnmarshalJSON([]byte(s.text))) }},
		{"value/bind.Known", "", func(s *scene) { s.say(bind.Known(s.v), bind.Known(s.index)) }},
		{"value/bind.Secret", "", func(s *scene) { everyVerb(s, bind.Secret(s.text)) }},
		{"value/bind.Unknown", "", func(s *scene) { everyVerb(s, bind.Unknown[string]()) }},
		{"value/bind.Output.Known", "", func(s *scene) { outputs(s, func(o bind.Output[value.Value]) { s.say(o.Known()) }) }},
		{"value/bind.Output.IsSecret", "", func(s *scene) { outputs(s, func(o bind.Output[value.Value]) { s.say(o.IsSecret()) }) }},
		{"value/bind.Output.Dependencies", "", func(s *scene) {
			outputs(s, func(o bind.Output[value.Value]) { s.say(len(o.Dependencies())) })
		}},
		{"value/bind.Output.Format", "", func(s *scene) {
			outputs(s, func(o bind.Output[value.Value]) {
				everyVerb(s, o)
				everyVerb(s, struct{ o bind.Output[value.Value] }{o})
			})
		}},
		{"value/bind.Output.WithMarksOf", "", func(s *scene) {
			outputs(s, func(o bind.Output[value.Value]) { s.say(o.WithMarksOf(s.v), bind.Known(s.index).WithMarksOf(s.w)) })
		}},
	}
}
