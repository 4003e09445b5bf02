package e2e_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Marks of secrets in the protocol.
const (
	signature       = "4dabf18193072939515e22adb298388d"
	secretSignature = "1b47061264138c4ac30d75fd1eb44270"
	outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
)

// checkCanaries looks for secrets in everything that was written.
func (s *stack) checkCanaries() {
	if len(s.canaries) == 0 {
		return
	}
	marked := 0
	for _, leak := range slices.Concat(s.leakedFiles(), s.leakedCalls(&marked)) {
		s.t.Error(leak + ": a secret in clear")
	}
	if marked == 0 {
		s.t.Error("no secret was ever sent")
	}
}

// leakedFiles are the files that hold a canary, but for the cloud's, where secrets
// have to be in the end, and the log, in which they may stand where they are marked.
func (s *stack) leakedFiles() (leaks []string) {
	err := filepath.WalkDir(s.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(s.dir, file)
		switch {
		case err != nil:
			return err
		case d.IsDir() && name == "cloud":
			return filepath.SkipDir
		case !d.Type().IsRegular() || name == "grpc.json":
			return nil
		}
		text, err := os.ReadFile(file)
		if s.holdsCanary(string(text)) {
			leaks = append(leaks, name)
		}
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
	return leaks
}

// leakedCalls are the places in the log where a canary is not marked; marked counts
// what is.
func (s *stack) leakedCalls(marked *int) (leaks []string) {
	for _, c := range s.calls() {
		for what, text := range map[string]json.RawMessage{"request": c.Request, "response": c.Response} {
			if text == nil {
				continue
			}
			var m map[string]any
			if err := json.Unmarshal(text, &m); err != nil {
				s.t.Error(err)
			}
			switch c.Method {
			case "/pulumirpc.ResourceProvider/CheckConfig", "/pulumirpc.ResourceProvider/DiffConfig":
				continue // the engine never marks secrets in these
			case "/pulumirpc.ResourceProvider/Configure":
				delete(m, "variables") // the old form of args, which has no marks
			case "/pulumirpc.LanguageRuntime/Run", "/pulumirpc.ResourceMonitor/GetDeploymentInfo", "/pulumirpc.ResourceProvider/Construct", "/pulumirpc.Analyzer/ConfigureStack":
				delete(m, "config") // texts, as the protocol has it; a field beside it says which are secret
			}
			leaks = append(leaks, s.unmarked(c.Method+" "+what, m, marked)...)
		}
	}
	return leaks
}

// unmarked are the places in a message where a canary is outside of what is marked
// as secret.
func (s *stack) unmarked(where string, v any, marked *int) (leaks []string) {
	switch v := v.(type) {
	case string:
		if s.holdsCanary(v) {
			return []string{where}
		}
	case []any:
		for _, e := range v {
			leaks = append(leaks, s.unmarked(where+"[]", e, marked)...)
		}
	case map[string]any:
		if v[signature] == secretSignature || (v[signature] == outputSignature && v["secret"] == true) {
			*marked++
			return nil
		}
		for name, e := range v {
			if s.holdsCanary(name) {
				leaks = append(leaks, where+": a key")
			}
			leaks = append(leaks, s.unmarked(where+"."+name, e, marked)...)
		}
	}
	return leaks
}

func (s *stack) holdsCanary(text string) bool {
	return slices.ContainsFunc(s.canaries, func(canary string) bool { return strings.Contains(text, canary) })
}

// TestLeak takes the marks off secrets in the program: the same search that finds
// nothing elsewhere finds them in the state, in what is shown, and in the log. (The
// CLI strikes secrets of its configuration from what it prints, but not tokens.)
func TestLeak(t *testing.T) {
	s := newBareStack(t)
	s.secretConfig("pw", "canary-one-Zq7")
	s.program(withSecret + resources(record("a", `name: alpha, password: "${pw}", title: {"fn::unsecret": "${pw}"}`)) + "outputs: {shown: {\"fn::unsecret\": \"${a.token}\"}}\n")
	s.must("up", "--yes", "--skip-preview")
	s.addTokens(1)
	marked := 0
	all := strings.Join(slices.Concat(s.leakedFiles(), s.leakedCalls(&marked)), "\n")
	for _, place := range []string{".stdout", "dev.json", "Create request.properties.title", "Create response.properties.title"} {
		if !strings.Contains(all, place) {
			t.Errorf("not found in %s, but in\n%s", place, all)
		}
	}
	if marked == 0 || strings.Contains(all, "password") {
		t.Errorf("%d places are marked; found\n%s", marked, all)
	}
}
