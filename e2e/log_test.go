package e2e_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
)

// call is a line of the engine's log of gRPC calls. There is a line when a call
// begins, and another one, with a response or errors, when it ends.
type call struct {
	Method            string
	Request, Response json.RawMessage
	Errors            []string
	Progress          string
}

// calls are the calls that came to an end, in the order in which they did.
func (s *stack) calls() (all []call) {
	s.t.Helper()
	f, err := os.Open(s.in("grpc.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was called
	}
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var c call
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			s.t.Fatalf("%v: %s", err, lines.Bytes())
		}
		if c.Response != nil || c.Errors != nil {
			all = append(all, c)
		}
	}
	if err := lines.Err(); err != nil {
		s.t.Fatal(err)
	}
	return all
}

// operations are the calls that changed something, in order: "Create a".
func (s *stack) operations() (all []string) {
	s.t.Helper()
	for _, c := range s.calls() {
		switch method := strings.TrimPrefix(c.Method, "/pulumirpc.ResourceProvider/"); method {
		case "Create", "Update", "Delete":
			var request struct {
				Name    string
				Preview bool
			}
			if err := json.Unmarshal(c.Request, &request); err != nil {
				s.t.Fatal(err)
			}
			if !request.Preview {
				all = append(all, method+" "+request.Name)
			}
		}
	}
	return all
}

// checkLog looks at every call that was made: what the provider said of
// differences is true, and nobody broke a rule of the protocol.
func (s *stack) checkLog() {
	found := map[string]bool{}
	for _, c := range s.calls() {
		for _, fault := range faults(c) {
			found[c.Method+": "+fault] = true
		}
	}
	for _, fault := range slices.Sorted(maps.Keys(found)) {
		s.t.Error(fault)
	}
	if out, code := s.lint("error"); code != 0 {
		s.t.Errorf("propalg lint: exit %d: %s", code, out)
	}
}

// lint is what propalg says of the log, from a severity on.
func (s *stack) lint(severity string) (out string, code int) {
	s.t.Helper()
	return s.propalg("lint", "-severity", severity, s.in("grpc.json"))
}

// faults are what is wrong with a call to a provider.
func faults(c call) (found []string) {
	if !strings.HasPrefix(c.Method, "/pulumirpc.ResourceProvider/") {
		return nil
	}
	request, response := rpc.NewCall(c.Method)
	if request == nil {
		return []string{"it is not known"}
	}
	if err := rpc.DecodeJSON(c.Request, request, rpc.Options{}); err != nil {
		return []string{err.Error()}
	}
	if c.Response == nil {
		response = nil
	} else if err := rpc.DecodeJSON(c.Response, response, rpc.Options{}); err != nil {
		return []string{err.Error()}
	}
	for _, v := range check.Violations(request, response) {
		if v.Severity == check.SeverityError {
			found = append(found, v.String())
		}
	}
	answer, ok := response.(*rpc.DiffResponse)
	if !ok {
		return found
	}
	asked := request.(*rpc.DiffRequest)
	sides, err := provider.SidesOf(asked)
	if err != nil {
		return append(found, err.Error())
	}
	for _, f := range check.Validate(provider.ResponseOf(answer), sides, provider.Differ{Ignored: provider.IgnoredOf(asked)}) {
		if f.Severity == check.SeverityError {
			found = append(found, asked.Name+": "+f.String())
		}
	}
	return found
}
