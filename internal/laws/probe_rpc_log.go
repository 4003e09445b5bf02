package laws

import (
	"errors"
	"strings"
	"testing/iotest"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/check"
)

// callLog is the log of a call with the scene's value on both sides, and of one
// that failed over it.
func (s *scene) callLog() string {
	const method = `{"method":"/pulumirpc.ResourceProvider/`

	bag := `{"bag":` + s.wired() + `}`

	return method + `Diff","request":{"olds":` + bag + `},"progress":"request_started"}` + "\n" +
		method + `Check","request":{"news":` + bag + `},"response":{"inputs":` + bag + `},"progress":"response_completed"}` + "\n" +
		method + `Create","request":{"properties":` + bag + `},"errors":[` + quotedJSON(s.wired()) + "]}\n"
}

// logs are logs that can be read, the first of them as it was written, and what
// is left of that after accidents.
func (s *scene) logs() []string {
	if s.big {
		return []string{s.callLog(), s.text}
	}

	return append(damaged(s.callLog()), s.text)
}

// eachLogged gives a probe the calls of all logs. In one that is not intact a
// secret may have lost its signature, and be none.
func (s *scene) eachLogged(f func(c rpc.LoggedCall, intact bool)) {
	f(rpc.LoggedCall{}, true)

	for i, log := range s.logs() {
		for c, err := range rpc.ReadLog(strings.NewReader(log)) {
			if err == nil {
				f(c, i == 0)
			}
		}
	}
}

// logProbes read logs of calls.
func logProbes() []probe {
	message := func(of func(c rpc.LoggedCall, o rpc.Options) (rpc.Message, error)) func(s *scene) {
		return func(s *scene) {
			s.eachLogged(func(c rpc.LoggedCall, intact bool) {
				m, err := of(c, rpc.Options{})
				if s.say(err); intact {
					s.say(m)
				}

				m, err = of(c, rpc.Options{DiscardUnknown: true})
				if s.say(err); intact {
					s.say(m)
				}
			})
		}
	}

	return []probe{
		{"codec/rpc.ReadLog", "", func(s *scene) {
			for _, log := range s.logs() {
				for c, err := range rpc.ReadLog(strings.NewReader(log)) {
					s.say(err)
					everyVerb(s, c)
				}
			}

			for _, err := range rpc.ReadLog(iotest.ErrReader(errors.New("a disk failed"))) {
				s.say(err)
			}
		}},
		{"provider/check.Log", "", func(s *scene) {
			for i, log := range s.logs() {
				for c, err := range check.Log(strings.NewReader(log)) {
					if s.say(err, c.Findings); i == 0 { // in one that is damaged a secret may be none
						s.say(c)
					}
				}
			}
		}},
		{"codec/rpc.LoggedCall.Request", "", message(rpc.LoggedCall.Request)},
		{"codec/rpc.LoggedCall.Response", "", message(rpc.LoggedCall.Response)},
		{"codec/rpc.LoggedCall.Failed", "", func(s *scene) { s.eachLogged(func(c rpc.LoggedCall, _ bool) { s.say(c.Failed()) }) }},
		{"codec/rpc.LoggedCall.RevealErrors", "its name says so", func(s *scene) { s.eachLogged(func(c rpc.LoggedCall, _ bool) { s.say(c.RevealErrors()) }) }},
		{"codec/rpc.LoggedCall.String", "", func(s *scene) { s.eachLogged(func(c rpc.LoggedCall, _ bool) { s.say(c.String()) }) }},
		{"codec/rpc.Progress.String", "", func(s *scene) { s.say(rpc.Progress(200).String(), rpc.CallUnknown.String()) }},
	}
}
