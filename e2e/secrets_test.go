package e2e_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/propalg/propalg/examples/provider/store"
)

const withSecret = "config:\n  pw: {type: string, secret: true}\n"

// TestSecrets leads a secret through inputs, outputs, maps, components and stack
// outputs: nothing that is written holds it, in the log of calls it is marked
// wherever it stands, and so are the tokens, secrets that the provider makes.
func TestSecrets(t *testing.T) {
	s := newStack(t)
	s.secretConfig("pw", "canary-one-Zq7")
	outputs := "outputs:\n  all: {password: \"${a.password}\", token: \"${a.token}\", inside: \"${a.labels}\"}\n  text: \"say ${a.password}\"\n"
	with := func(properties string) string {
		return withSecret + resources(record("a", "name: alpha, "+properties)) + outputs
	}
	s.play(
		step{name: "create", program: with(`password: "${pw}", labels: {x: "${pw}", y: plain}, extra: [1, {deep: "${pw}"}]`), want: `create a`},
		step{name: "beside it", program: with(`password: "${pw}", labels: {x: "${pw}", y: other}, extra: [2, {deep: "${pw}"}]`), want: `update a: update extra[0], update labels.y`},
	)
	s.secretConfig("pw", "canary-two-Wk9")
	s.play(
		step{name: "the secret itself", program: with(`password: "${pw}", labels: {x: "${pw}", y: other}, extra: [2, {deep: "${pw}"}]`), want: `update a: update extra[1].deep, update labels.x, update password`},
		step{name: "into a text", program: with(`password: "${pw}", labels: {x: "in ${pw}", y: other}, extra: [2, {deep: "${pw}"}]`), want: `update a: update labels.x`},
		step{name: "it goes", program: with(`password: "${pw}", labels: {y: other}`), want: `update a: delete extra, delete labels.x`},
		step{
			name: "what was plain is secret", program: with(`password: "${pw}", labels: {"fn::secret": {y: other}}`),
			want: `update a: update labels`, otherwise: true, // the engine's own diff looks through secrets
		},
		step{
			name: "a component", program: withSecret + resources(record("a", `name: alpha, password: "${pw}"`), group("g", `names: [one, two], password: "${pw}"`)) + outputs,
			want: "create g\ncreate g-one\ncreate g-two\nupdate a: delete labels",
		},
	)
	s.must("stack", "output", "--json")
	shown := s.revealed("stack", "output", "--json", "--show-secrets")
	var out struct {
		All struct{ Password, Token string }
	}
	if err := json.Unmarshal([]byte(shown), &out); err != nil {
		t.Fatal(err)
	}
	if out.All.Password != "canary-two-Wk9" || len(out.All.Token) < 8 {
		t.Error("secrets are not what they were")
	}
	s.addTokens(3)
	s.must("refresh", "--yes", "--skip-preview")
	s.settled()
	s.must("stack", "history", "--json")
	s.checkCLI()
	s.destroy()
}

// addTokens makes the tokens that the provider gave out canaries.
func (s *stack) addTokens(want int) {
	s.t.Helper()
	records, err := store.Open(s.cloud()).List(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	tokens := 0
	for _, r := range records {
		if token, ok := r.Outputs.Field("token").AsString(); ok {
			tokens++
			s.canaries = append(s.canaries, token)
		}
	}
	if tokens != want {
		s.t.Errorf("%d tokens, not %d", tokens, want)
	}
}

// checkCLI gives what was recorded to propalg, which has to hide secrets too.
func (s *stack) checkCLI() {
	s.t.Helper()
	file := s.in("out", "export.json")
	s.must("stack", "export", "--file", file)
	for _, args := range [][]string{{"state", "ls", file}, {"diff", file, file}, {"lint", s.in("grpc.json")}} {
		out, code := s.propalg(args...)
		if code != 0 {
			s.t.Errorf("propalg %q: exit %d: %s", args, code, out)
		}
		for _, canary := range s.canaries {
			if strings.Contains(out, canary) {
				s.t.Errorf("propalg %s shows a secret", args[0])
			}
		}
	}
}
