package resource_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
)

type ctx = context.Context

// What a function says of a secret is masked, however it is written; the rest stays.
func TestErrorsHideSecrets(t *testing.T) {
	canary := fuzz.NewCanary(7)
	hidden := canary.Text()
	var b boxes
	p := b.configured(t)
	inputs := object("name", text("the-name"), "size", number(1), "password", secret(hidden))
	old := with(inputs, "url", text(""), "key", text(""), "serial", number(1), "length", number(1))
	for about, shown := range map[string]string{
		"plain": hidden, "quoted": fmt.Sprintf("%q", hidden), "upper": strings.ToUpper(hidden), "cut": hidden[3:14], "URL": url.QueryEscape(hidden),
		"hex": hex.EncodeToString([]byte(hidden)), "base64": base64.StdEncoding.EncodeToString([]byte("ann:" + hidden)),
		"config": "config-token", "of the config": "xconfig-tokenx",
	} {
		b.fail = func(method string) error { return fmt.Errorf("%s of the-name: %w", method, errors.New("bad "+shown)) }
		_, created := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: inputs})
		_, updated := p.Update(t.Context(), &rpc.UpdateRequest{URN: boxURN, ID: "the-name", News: inputs, Olds: old})
		_, read := p.Read(t.Context(), &rpc.ReadRequest{URN: boxURN, ID: "the-name", Inputs: inputs, Properties: old})
		_, deleted := p.Delete(t.Context(), &rpc.DeleteRequest{URN: boxURN, ID: "the-name", Properties: old})
		for method, err := range map[string]error{"Create": created, "Update": updated, "Read": read, "Delete": deleted} {
			if err == nil || canary.Check(err.Error()) != nil || strings.Contains(err.Error(), "config-token") || !strings.HasPrefix(err.Error(), method+" of the-name: bad ") {
				t.Errorf("%s, %s: %v", about, method, err)
			}
			for e := err; e != nil; e = errors.Unwrap(e) {
				if strings.Contains(fmt.Sprintf("%+v", e), shown) {
					t.Errorf("%s, %s: %T shows it", about, method, e)
				}
			}
		}
	}

	b.fail = func(string) error { return fmt.Errorf("%w: %s", context.DeadlineExceeded, hidden) }
	if _, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: inputs}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	plain := errors.New("plain")
	b.fail = func(string) error { return plain }
	if _, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: inputs}); !errors.Is(err, plain) {
		t.Error(err)
	}
}

// Texts that an error shows whole, beside as many in clear, are masked in linear time.
func TestErrorsGrowth(t *testing.T) {
	var b boxes
	p := b.configured(t)
	numbers := func(n, from int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%d,", from+i)
		}
		return b.String()
	}
	kit.Grows(t, "an error with a secret", 4_000, func(n int) func() {
		hidden := numbers(n, 1_000_000)
		inputs := object("name", text(numbers(n, 5_000_000)), "size", number(1), "password", secret(hidden))
		return func() {
			b.fail = func(string) error { return errors.New(hidden) }
			if _, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: inputs}); err == nil || len(err.Error()) > n {
				t.Error("not masked")
			}
		}
	})
}

func TestPanics(t *testing.T) {
	var b boxes
	p := b.configured(t)
	inputs := object("name", text("a"), "size", number(1), "password", secret("hunter2hunter2"))
	for about, value := range map[string]any{"text": "hunter2hunter2", "error": errors.New("hunter2hunter2"), "nil": nil} {
		b.fail = func(string) error { panic(value) }
		_, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: inputs})
		if err == nil || !strings.Contains(err.Error(), "panicked at errors_test.go:") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", about, err)
		}
	}
	none := map[string]*boxes{}
	b.fail = func(string) error { return errors.New(none["a"].seen.Region) }
	if _, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: inputs}); err == nil || !strings.Contains(err.Error(), "panicked at errors_test.go:") {
		t.Error(err)
	}
	b.fail = func(string) error { return badError{} }
	if _, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: inputs}); err == nil {
		t.Error("no error")
	}
}

type badError struct{}

func (badError) Error() string { panic("hunter2hunter2") }

func TestPartialFailure(t *testing.T) {
	var b boxes
	p := b.configured(t)
	inputs := object("name", text("a"), "size", number(1001), "password", secret("hunter2hunter2"))
	_, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: inputs})
	detail := protocol.InitFailed(err)
	if detail == nil || detail.ID != "a" || !detail.Inputs.Identical(inputs) || !detail.Properties.Field("url").IsSecret() ||
		fmt.Sprint(detail.Reasons) != "[size: no more than 1000 are served, password [secret]]" || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v, %v", detail, err)
	}
}

type big struct {
	Name string `pulumi:"name"`
	Size uint64 `pulumi:"size,optional"`
}

// A resource whose state is no value was made all the same, and is not forgotten.
func TestStateThatIsNoValue(t *testing.T) {
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{resource.Of[zoneArgs, big]{
		Token:  "demo:index:Zone",
		Create: func(_ ctx, args zoneArgs) (string, big, error) { return "id", big{args.Name, 1<<63 + 1}, nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Create(t.Context(), &rpc.CreateRequest{URN: "urn:pulumi:dev::shop::demo:index:Zone::a", Properties: object("name", text("a"))})
	detail := protocol.InitFailed(err)
	if detail == nil || detail.ID != "id" || !detail.Properties.Identical(object("name", text("a"))) || !strings.Contains(detail.Reasons[0], "size: expected integer that is exactly a float64") {
		t.Errorf("%v, %v", detail, err)
	}
}

func TestRequests(t *testing.T) {
	var b boxes
	p := b.configured(t)
	for want, call := range map[string]func() error{
		`resource: there is no resource "demo:index:Other" in package demo`: func() error {
			_, err := p.Check(t.Context(), &rpc.CheckRequest{URN: "urn:pulumi:dev::shop::demo:index:Other::a"})
			return err
		},
		"resource: bind: decode: size: expected number, found string": func() error {
			_, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: object("size", text("x"))})
			return err
		},
		"resource: bind: decode: size: expected known int, found unknown": func() error {
			_, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: object("size", value.Unknown())})
			return err
		},
		`resource: there is no function "demo:index:f" in package demo`: func() error {
			_, err := p.Invoke(t.Context(), &rpc.InvokeRequest{Tok: "demo:index:f"})
			return err
		},
		"resource: the old state does not fit, see Migrate: bind: decode: size: expected number, found string": func() error {
			_, err := p.Update(t.Context(), &rpc.UpdateRequest{URN: boxURN, News: object("size", number(1)), Olds: object("size", text("1"))})
			return err
		},
	} {
		var refusal *protocol.Refusal
		if err := call(); !errors.As(err, &refusal) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A state of an older version lacks outputs, and is migrated if it does not fit.
func TestMigrate(t *testing.T) {
	var b boxes
	p := b.configured(t, func(p *resource.Package) {
		r := b.resource()
		r.Migrate = func(inputs, state value.Value) (value.Value, value.Value, error) {
			if state.Field("size").Kind() == value.KindString {
				state, _ = state.WithField("size", number(7))
				inputs, _ = inputs.WithField("size", number(7))
			}
			return inputs, state, nil
		}
		p.Resources = []resource.Resource{r}
	})
	b.all["a"] = box{boxArgs: boxArgs{Name: "a", Size: 7}}
	inputs, state := object("name", text("a"), "size", text("7")), object("name", text("a"), "size", text("7"), "gone", number(1))
	d, err := p.Diff(t.Context(), &rpc.DiffRequest{URN: boxURN, OldInputs: inputs, Olds: state, News: object("name", text("a"), "size", number(7))})
	if err != nil || d.Changes != rpc.DiffNone {
		t.Errorf("%v, %v", d, err)
	}
	r, err := p.Read(t.Context(), &rpc.ReadRequest{URN: boxURN, ID: "a", Inputs: inputs, Properties: state})
	if err != nil || !r.Inputs.Identical(object("name", text("a"), "size", number(7))) {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := p.Update(t.Context(), &rpc.UpdateRequest{URN: boxURN, ID: "a", OldInputs: inputs, Olds: state, News: object("name", text("a"), "size", number(8))}); err != nil {
		t.Error(err)
	}
	if _, err := p.Delete(t.Context(), &rpc.DeleteRequest{URN: boxURN, ID: "a", OldInputs: inputs, Properties: state}); err != nil {
		t.Error(err)
	}
}

// A call ends at its timeout, and when the engine cancels.
func TestContexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b boxes
		var got error
		p := b.configured(t, func(p *resource.Package) {
			r := b.resource()
			r.Create = func(ctx ctx, _ boxArgs) (string, box, error) {
				if resource.URN(ctx) != boxURN {
					t.Errorf("URN %q", resource.URN(ctx))
				}
				<-ctx.Done()
				got = ctx.Err()
				return "", box{}, got
			}
			p.Resources = []resource.Resource{r}
		})
		start := time.Now()
		request := rpc.CreateRequest{URN: boxURN, Properties: object("name", text("a"), "size", number(1)), Timeout: 90}
		if _, err := p.Create(t.Context(), &request); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 90*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		go func() {
			time.Sleep(time.Hour)
			_, _ = p.Cancel(t.Context(), &rpc.Empty{})
		}()
		request.Timeout = 0
		if _, err := p.Create(t.Context(), &request); !errors.Is(err, context.Canceled) || time.Since(start) != time.Hour+90*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestLog(t *testing.T) {
	var b boxes
	p := b.configured(t, func(p *resource.Package) {
		r := b.resource()
		r.Delete = func(ctx ctx, id string, old box) error {
			resource.Log(ctx, rpc.LogInfo, "deleting "+id+" with "+old.Password)
			return nil
		}
		p.Resources = []resource.Resource{r}
	})
	var sent []*rpc.LogRequest
	log := func(_ ctx, r *rpc.LogRequest) error { sent = append(sent, r); return errors.New("nobody hears") }
	request := &rpc.DeleteRequest{URN: boxURN, ID: "a", Properties: object("name", text("a"), "password", secret("hunter2hunter2"))}
	for _, c := range []ctx{protocol.WithEngine(t.Context(), log, nil), t.Context()} {
		if _, err := p.Delete(c, request); err != nil {
			t.Error(err)
		}
	}
	if len(sent) != 1 || sent[0].Message != "deleting a with [secret]" || sent[0].URN != boxURN || sent[0].Severity != rpc.LogInfo {
		t.Errorf("%+v", sent)
	}
}
