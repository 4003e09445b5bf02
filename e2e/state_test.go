package e2e_test

import (
	"os"
	"strings"

	"github.com/propalg/propalg/codec/state"
)

// export is the text of a stack export.
func (s *stack) export() []byte {
	s.t.Helper()
	file := s.in("out", "export.json")
	s.must("stack", "export", "--file", file)
	data, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	return data
}

// state is the stack's state, with sealed secrets.
func (s *stack) state() *state.File {
	s.t.Helper()
	f, err := state.Parse(s.export(), state.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

// resource is the one with a name.
func (s *stack) resource(name string) state.Resource {
	s.t.Helper()
	for r, err := range s.state().Resources() {
		if err != nil {
			s.t.Fatal(err)
		}
		if strings.HasSuffix(r.URN, "::"+name) {
			return r
		}
	}
	s.t.Fatalf("no resource %q", name)
	return state.Resource{}
}
