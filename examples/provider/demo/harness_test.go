package demo_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/examples/provider/demo"
	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

const (
	recordURN = "urn:pulumi:dev::shop::demo:index:Record::one"
	canary    = "hunter2-canary"
)

// TestMain is the plugin itself, when asked.
func TestMain(m *testing.M) {
	if os.Getenv("PROPALG_TEST_PLUGIN") == "" {
		os.Exit(m.Run())
	}
	p, err := demo.New(os.LookupEnv)
	if err != nil {
		os.Exit(1)
	}
	if err := grpc.Serve(context.Background(), p, grpc.ServeOptions{}); err != nil {
		os.Exit(1)
	}
}

// system is a provider that is served, an engine's connection to it, and its cloud.
type system struct {
	*grpc.Plugin
	t     *testing.T
	cloud *store.Store
	file  string
}

// serve serves a provider with these variables in its environment.
func serve(t *testing.T, env map[string]string) system {
	t.Helper()
	out, in := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	p, err := demo.New(func(name string) (string, bool) {
		v, set := env[name]
		return v, set
	})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		done <- grpc.Serve(ctx, p, grpc.ServeOptions{Out: in})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := grpc.Connect("127.0.0.1:" + strings.TrimSpace(port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plugin.Close() })
	file := filepath.Join(t.TempDir(), "store.db")
	return system{Plugin: plugin, t: t, file: file, cloud: store.Open(file)}
}

// configured is serve, and what an engine says first.
func configured(t *testing.T, env map[string]string) system {
	t.Helper()
	s := serve(t, env)
	s.configure(s.Client)
	return s
}

func (s system) configure(c *grpc.Client) {
	s.t.Helper()
	if _, err := c.Handshake(s.t.Context(), &rpc.ProviderHandshakeRequest{AcceptsByteString: true}); err != nil {
		s.t.Fatal(err)
	}
	_, err := c.Configure(s.t.Context(), &rpc.ConfigureRequest{
		Args: object("store", text(s.file)), AcceptSecrets: true, AcceptResources: true, SendsOldInputs: true,
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// check returns what Check makes of inputs that are good.
func (s system) check(news value.Value) value.Value {
	s.t.Helper()
	q := &rpc.CheckRequest{URN: recordURN, News: news, RandomSeed: rpc.Hide([]byte(strings.Repeat("seed", 8)))}
	r, err := s.Check(s.t.Context(), q)
	if err != nil || len(r.Failures) > 0 {
		s.t.Fatalf("%v %v", r, err)
	}
	s.keeps(q, r)
	return r.Inputs
}

// create makes a record.
func (s system) create(inputs value.Value) *rpc.CreateResponse {
	s.t.Helper()
	q := &rpc.CreateRequest{URN: recordURN, Properties: inputs}
	r, err := s.Create(s.t.Context(), q)
	if err != nil {
		s.t.Fatal(err)
	}
	s.keeps(q, r)
	return r
}

// diff asks, and sees to it that the answer is true.
func (s system) diff(oldInputs, old, news value.Value) *rpc.DiffResponse {
	s.t.Helper()
	q := &rpc.DiffRequest{URN: recordURN, ID: "x", OldInputs: oldInputs, Olds: old, News: news}
	r, err := s.Diff(s.t.Context(), q)
	if err != nil {
		s.t.Fatal(err)
	}
	s.keeps(q, r)
	truthful(s.t, q, r)
	return r
}

// keeps holds a call against the contract of the protocol.
func (s system) keeps(q, r rpc.Message) {
	s.t.Helper()
	for _, v := range check.Violations(q, r) {
		if v.Severity == check.SeverityError {
			s.t.Errorf("%v", v)
		}
	}
}

func object(pairs ...any) value.Value {
	var all []value.Member
	for i := 0; i+1 < len(pairs); i += 2 {
		all = append(all, value.Member{Key: pairs[i].(string), Value: pairs[i+1].(value.Value)})
	}
	return value.Object(all...)
}

func array(elems ...value.Value) value.Value { return value.Array(elems...) }
func text(s string) value.Value              { return value.String(s) }
func number(n float64) value.Value           { return value.Number(n) }

// with is an object with members set; null takes one away.
func with(v value.Value, pairs ...any) value.Value {
	all := map[string]value.Value{}
	for name, member := range v.Members() {
		all[name] = member
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		all[pairs[i].(string)] = pairs[i+1].(value.Value)
		if all[pairs[i].(string)].IsNull() {
			delete(all, pairs[i].(string))
		}
	}
	return value.ObjectFromMap(all)
}

// full is inputs with all there is.
func full(name string) value.Value {
	bundle, err := value.LiteralArchive(value.Member{Key: "a.txt", Value: value.TextAsset("a")}, value.Member{Key: "b.txt", Value: value.TextAsset("b")})
	if err != nil {
		panic(err)
	}
	return object(
		"name", text(name), "title", text("hello"), "size", number(3), "enabled", value.Bool(true),
		"labels", object("a.b", text("x"), "", text("y"), `q"\*`, text("z")),
		"settings", object("retention", number(7), "engine", text("e1"), "owner", object("name", text("joe"))),
		"rules", array(object("name", text("r1"), "port", number(80), "cidrs", array(text("10.0.0.0/8"))), object("name", text("r2"), "port", number(443))),
		"members", array(text("ann"), text("bob")),
		"limits", object("cpu", object("soft", number(1), "hard", number(2))),
		"extra", array(value.Null(), object("deep", array(number(1)))),
		"password", text(canary),
		"document", value.TextAsset("some text"), "bundle", bundle,
	)
}
