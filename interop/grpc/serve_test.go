package grpc_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
)

// served runs a provider and returns a client of it.
func served(t *testing.T, p grpc.Provider, o grpc.ServeOptions) *grpc.Plugin {
	t.Helper()
	out, in := io.Pipe()
	o.Out = in
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- grpc.Serve(ctx, p, o)
		_ = in.Close()
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := grpc.Connect("127.0.0.1:" + strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plugin.Close() })
	return plugin
}

func TestEngineAddress(t *testing.T) {
	for i, row := range []struct {
		args []string
		want string
	}{
		{nil, ""},
		{[]string{"127.0.0.1:80"}, ""},
		{[]string{"plugin", "127.0.0.1:4711"}, "127.0.0.1:4711"},
		{[]string{"plugin", "--logtostderr", "-v=3", "localhost:1"}, "localhost:1"},
		{[]string{"plugin", "127.0.0.1:4711", "-v=3"}, ""},
		{[]string{"plugin", ":1"}, ""},
		{[]string{"plugin", "host:65536"}, ""},
		{[]string{"plugin", "host:http"}, ""},
		{[]string{"plugin", "-v"}, ""},
	} {
		if got := grpc.EngineAddress(row.args); got != row.want {
			t.Errorf("row %d: %q, want %q", i, got, row.want)
		}
	}
}

// accepting reports each connection that it accepts.
type accepting struct {
	net.Listener
	accepted chan struct{}
}

func (l accepting) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.accepted <- struct{}{}
	}
	return conn, err
}

// A provider whose engine is killed ends too, but not while the engine is there.
func TestServeEndsWithItsEngine(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	engine, accepted := google.NewServer(), make(chan struct{}, 100)
	go func() { _ = engine.Serve(accepting{l, accepted}) }()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		o := grpc.ServeOptions{Out: io.Discard, Engine: l.Addr().String()}
		if err := grpc.ServeBy(context.Background(), grpc.Unimplemented{}, o, 3*time.Second, time.After); err != nil {
			t.Error(err)
		}
	}()
	select {
	case <-gone:
		t.Fatal("taken for gone while it was there")
	case <-accepted:
	}
	engine.Stop()
	select {
	case <-gone:
	case <-time.After(soon):
		t.Fatal("not noticed that it is gone")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	grpc.Watch(ctx, "127.0.0.1:1", time.Hour) // returns
}

// broken cannot be written to.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestServeWithoutOut(t *testing.T) {
	if err := grpc.Serve(t.Context(), grpc.Unimplemented{}, grpc.ServeOptions{Out: broken{}}); err == nil {
		t.Error("nobody will hear of the port, and no error")
	}
}

const childEnv = "PROPALG_TEST_PLUGIN"

// talkative writes the port, and then no end of other things.
type talkative struct{}

func (talkative) Write(port []byte) (int, error) {
	n, err := os.Stdout.Write(port)
	go func() {
		for err == nil {
			_, _ = os.Stderr.WriteString("to stderr\n")
			_, err = os.Stdout.WriteString("to stdout\n")
			time.Sleep(time.Millisecond)
		}
	}()
	return n, err
}

// TestMain is a plugin, when asked.
func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case "":
		os.Exit(m.Run())
	case "serve":
		_, _ = os.Stderr.WriteString("to stderr\n")
		_ = grpc.Serve(context.Background(), &fake{}, grpc.ServeOptions{Out: talkative{}})
	case "silent":
		time.Sleep(time.Minute)
	case "chatty":
		_, _ = os.Stdout.WriteString(strings.Repeat("no port ", 100) + "\n")
		time.Sleep(time.Minute)
	case "words":
		_, _ = os.Stdout.WriteString("hello\n")
	case "zero":
		_, _ = os.Stdout.WriteString("0\n")
		time.Sleep(time.Minute)
	case "ends":
	}
}

func TestLaunch(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var messages bytes.Buffer // not for two goroutines: Launch sees to that
	plugin, err := grpc.Launch(t.Context(), self, grpc.LaunchOptions{Env: append(os.Environ(), childEnv+"=serve"), Stderr: &messages})
	if err != nil {
		t.Fatal(err)
	}
	info, err := plugin.GetPluginInfo(t.Context(), &rpc.Empty{})
	if err != nil || info.Version != "1.2.3" {
		t.Errorf("%v %v", info, err)
	}
	if host, _, err := net.SplitHostPort(plugin.Address()); err != nil || host != "127.0.0.1" {
		t.Errorf("address %q", plugin.Address())
	}
	if err := plugin.Close(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(messages.String(), "to stderr\n") {
		t.Errorf("messages %q", messages.String())
	}
	if _, err := net.DialTimeout("tcp", plugin.Address(), time.Second); err == nil {
		t.Error("somebody listens after Close")
	}
}

func TestLaunchFails(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"silent", "chatty", "words", "zero", "ends"} {
		timeout := 10 * time.Second
		if how == "silent" {
			timeout = 300 * time.Millisecond
		}
		_, err := grpc.Launch(t.Context(), self, grpc.LaunchOptions{Env: append(os.Environ(), childEnv+"="+how), Timeout: timeout})
		isError(t, how, err, grpc.ErrLaunch)
		if how == "silent" {
			isError(t, how, err, context.DeadlineExceeded)
		}
	}
	_, err = grpc.Launch(t.Context(), t.TempDir()+"/nothing", grpc.LaunchOptions{})
	isError(t, "nothing", err, grpc.ErrLaunch)
	isError(t, "nothing", err, os.ErrNotExist)
}

// What hangs is given up when the server ends.
func TestServeEndsCalls(t *testing.T) {
	waiting := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	t.Run("call", func(t *testing.T) {
		plugin := served(t, &fake{create: func(ctx context.Context, _ *rpc.CreateRequest) (*rpc.CreateResponse, error) {
			close(waiting)
			<-ctx.Done()
			return nil, ctx.Err()
		}}, grpc.ServeOptions{})
		go func() {
			_, err := plugin.Create(ctx, &rpc.CreateRequest{})
			done <- err
		}()
		<-waiting
	}) // cancels Serve and waits for it
	if err := <-done; err == nil {
		t.Error("the call went on")
	}
}

// stuck has methods that begin and never end, whatever their contexts say.
type stuck struct {
	grpc.Unimplemented
	begun chan struct{}
}

func (p *stuck) Create(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	p.begun <- struct{}{}
	select {}
}

func (p *stuck) List(_ context.Context, _ *rpc.ListRequest, send func(*rpc.ListResponse) error) error {
	p.begun <- struct{}{}
	for send(&rpc.ListResponse{Result: &rpc.ListResult{ID: "i"}}) == nil {
		time.Sleep(time.Millisecond)
	}
	select {}
}

// Serve returns while methods go on for ever: it waits for the grace and a second
// in all, by a clock of the test that strikes at once.
func TestServeLeavesWhatHangs(t *testing.T) {
	interceptor := func(ctx context.Context, q any, _ *google.UnaryServerInfo, next google.UnaryHandler) (any, error) {
		_, _ = next(ctx, q)
		select {}
	}
	for name, options := range map[string][]google.ServerOption{
		"a method":                      nil,
		"a method that Stop waits for":  {google.WaitForHandlers(true)},
		"a method of a pool":            {google.NumStreamWorkers(2)},
		"an interceptor":                {google.UnaryInterceptor(interceptor)},
		"an interceptor, and Stop does": {google.UnaryInterceptor(interceptor), google.WaitForHandlers(true)},
	} {
		var waited time.Duration
		strikes := make(chan time.Time)
		close(strikes)
		clock := func(d time.Duration) <-chan time.Time {
			waited += d
			return strikes
		}
		p := &stuck{begun: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		out, in := io.Pipe()
		returned := make(chan error, 1)
		go func() {
			o := grpc.ServeOptions{Out: in, Server: grpc.ServerOptions{Options: options}}
			returned <- grpc.ServeBy(ctx, p, o, time.Hour, clock)
		}()
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		plugin, err := grpc.Connect("127.0.0.1:" + strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		answers := make(chan error, 2)
		go func() {
			_, err := plugin.Create(context.Background(), &rpc.CreateRequest{})
			answers <- err
		}()
		go func() {
			answers <- plugin.List(context.Background(), &rpc.ListRequest{}, func(*rpc.ListResponse) error { return nil })
		}()
		<-p.begun
		<-p.begun
		cancel()
		select {
		case err := <-returned:
			if err != nil || waited > 6*time.Second {
				t.Errorf("%s: returned %v, after waiting for %v", name, err, waited)
			}
		case <-time.After(soon):
			t.Fatalf("%s: Serve does not return", name)
		}
		for range 2 {
			if err := <-answers; status.Code(err) != codes.Unavailable {
				t.Errorf("%s: the caller gets %v", name, err)
			}
		}
		_ = plugin.Close()
	}
}
