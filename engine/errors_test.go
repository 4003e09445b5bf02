package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/value"
)

// quotations are how a provider may quote the secrets of withSecrets, and a part of each by
// which it is recognised.
var quotations = map[string]string{
	"as it is":   "refused CANARYpw",
	"quoted":     `refused "CANARYpw"`,
	"a number":   "pin 48151623 refused",
	"a float":    "pin 4.8151623e+07 refused",
	"base64":     "Q0FOQVJZcHc=",
	"in a URL":   "CANARY%70w",
	"escaped":    `\u0043ANARYpw`,
	"upper case": "CANARYPW",
	"a part":     "it begins with CANARYp",
	"apart":      "C A N A R Y p w",
	"reversed":   "wpYRANAC",
	"a bool":     "enabled is true",
}

func withSecrets(name, size string) engine.Goal {
	return engine.Goal{Type: "demo:index:Thing", Name: name, Inputs: value.Object(
		value.Field("size", value.String(size)), value.Field("note", value.Secret(value.String("CANARYpw"))),
		value.Field("pin", value.Secret(value.Number(48151623))), value.Field("enabled", value.Secret(value.Bool(true))),
	)}
}

// textsOf returns all texts that an error has, and those of the errors that it wraps.
func textsOf(err error) (texts []string) {
	for err != nil {
		texts = append(texts, err.Error(), fmt.Sprintf("%v %+v %#v %q %s", err, err, err, err, err))
		err = errors.Unwrap(err)
	}
	return texts
}

// failure returns all texts of a run, which must fail, and its error.
func failure(t *testing.T, run iter.Seq2[engine.Action, error]) (texts []string, failed error) {
	t.Helper()
	for a, err := range run {
		texts = append(texts, a.String(), fmt.Sprintf("%v %+v %#v", a, a, a), fmt.Sprint(a.Calls), fmt.Sprint(a.Now.InitErrors))
		for _, c := range a.Calls {
			texts = append(texts, textsOf(c.Err)...)
		}
		if err != nil {
			failed, texts = err, append(texts, textsOf(err)...)
		}
	}
	if failed == nil {
		t.Error("the run does not fail")
	}
	return texts, failed
}

// TestWithheld holds that no text shows what a provider says in a run that has secrets, that
// RevealError does, and that errors.Is looks into it.
func TestWithheld(t *testing.T) {
	ctx := context.Background()
	for _, method := range []string{"CheckConfig", "Configure", "Check", "Create", "Create+", "Diff", "Update", "Update+", "Read", "Delete"} {
		for name, text := range quotations {
			l := newLab(t)
			if method != "Create" && method != "Create+" && !strings.Contains(method, "Conf") {
				l.made(withSecrets("a", "1"))
			}
			cause := errors.New(text)
			l.cloud.Fail = func(m, _ string) error {
				if m == method {
					return cause
				}
				return nil
			}
			run := l.Update(ctx, of(withSecrets("a", "2")))
			switch method {
			case "Read":
				run = l.Refresh(ctx)
			case "Delete":
				run = l.Destroy(ctx)
			}
			texts, err := failure(t, run)
			for _, shown := range texts {
				if strings.Contains(shown, text) {
					t.Errorf("%s, %s: shown by %q", method, name, shown)
				}
			}
			if !errors.Is(err, cause) || !strings.Contains(err.Error(), strings.TrimSuffix(method, "+")+": [secret]") {
				t.Errorf("%s, %s: %q", method, name, err)
			}
			if revealed := engine.RevealError(err); !strings.Contains(revealed.Error(), text) || !errors.Is(revealed, cause) {
				t.Errorf("%s, %s: RevealError says %q", method, name, revealed)
			}
			if as := (&cloudError{}); errors.As(err, &as) {
				t.Errorf("%s, %s: errors.As finds %q", method, name, as)
			}
		}
	}
}

// cloudError is any error with an ID of what was made.
type cloudError struct{ error }

func (*cloudError) InitFailed() *rpc.ErrorResourceInitFailed { return nil }

// TestShown holds that what a provider says is shown in a run without secrets, on one line.
func TestShown(t *testing.T) {
	l := newLab(t)
	l.cloud.Fail = func(m, _ string) error {
		if m == "Create+" {
			return errors.New("no \x1b]0;pwn\a disk\nroot: \u202e \xff ÄÖ \"q\" \\")
		}
		return nil
	}
	_, err := failure(t, l.Update(context.Background(), of(thingNamed("a"))))
	const want = `engine: urn:pulumi:dev::shop::demo:index:Thing::a: Create: no \x1b]0;pwn\a disk\nroot: \u202e \xff ÄÖ "q" \`
	if err.Error() != want {
		t.Errorf("%s, not %s", err, want)
	}
	if got := l.resource("a").InitErrors; len(got) != 1 || got[0].IsSecret() {
		t.Errorf("InitErrors are %v", got)
	}
	if text := engine.RevealError(err).Error(); !strings.Contains(text, "\x1b]0;pwn\a disk\n") {
		t.Errorf("RevealError says %q", text)
	}
	if other := errors.New("other"); engine.RevealError(other) != other || engine.RevealError(nil) != nil { //nolint:errorlint // that very one
		t.Error("RevealError changes another error")
	}
}

// partly is a provider whose resources are there and do not work.
type partly struct {
	quick
	checks bool
}

// initError is the error for them.
type initError struct{ error }

func (initError) InitFailed() *rpc.ErrorResourceInitFailed {
	return &rpc.ErrorResourceInitFailed{ID: "i", Reasons: []string{"no disk\n", "no net"}}
}

func (partly) Create(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	return nil, initError{errors.New("not initialized")}
}

func (p partly) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	if !p.checks {
		return &rpc.CheckResponse{Inputs: r.News}, nil
	}
	return &rpc.CheckResponse{Failures: []rpc.CheckFailure{
		{Property: "size", Reason: "is CANARYpw\x1b"}, {Property: "note.CANARYpw", Reason: "is long"}, {Property: "[\x1b", Reason: "is odd"},
	}}, nil
}

// TestReasons holds how the reasons of partial failures and of Check are shown.
func TestReasons(t *testing.T) {
	for _, row := range []struct {
		checks, secret bool
		want           string
	}{
		{want: "Create: not initialized: no disk\\n; no net"},
		{checks: true, want: `Check: size: is CANARYpw\x1b; note.CANARYpw: is long; [\x1b: is odd`},
		{secret: true, want: "Create: [secret]"},
		{checks: true, secret: true, want: "Check: size, note"},
	} {
		s := &engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return partly{checks: row.checks}, nil }}
		g := thingNamed("a", "size", "1")
		if row.secret {
			g = withSecrets("a", "1")
		}
		texts, err := failure(t, s.Update(context.Background(), of(g)))
		if !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q, not %q", err, row.want)
		}
		for _, text := range texts {
			if row.secret && (strings.Contains(text, "CANARY") || strings.Contains(text, "is odd") || strings.Contains(text, "no disk")) {
				t.Errorf("%q", text)
			}
		}
		if !row.checks {
			found := s.Resources[len(s.Resources)-1].InitErrors
			if len(found) != 2 || found[0].IsSecret() != row.secret || !found[1].Reveal().Equal(value.String("no net")) {
				t.Errorf("InitErrors are %v", found)
			}
			if text := engine.RevealError(err).Error(); text != "not initialized: no disk\n; no net" {
				t.Errorf("RevealError says %q", text)
			}
		}
	}
}

// TestExpected withholds what a provider says of an output that is to be secret.
func TestExpected(t *testing.T) {
	l := newLab(t)
	l.cloud.Fail = func(m, _ string) error {
		if m == "Create+" {
			return errors.New("no use for arn:id<1>")
		}
		return nil
	}
	g := thingNamed("a")
	g.AdditionalSecretOutputs = []string{"arn"}
	if _, err := failure(t, l.Update(context.Background(), of(g))); strings.Contains(err.Error(), "arn:") {
		t.Errorf("%v", err)
	}
}
