package engine_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
)

// odd is a provider of which some methods do something else.
type odd struct {
	quick
	create, cancel, close func()
	closed                *atomic.Bool
}

func doing(f func()) {
	if f != nil {
		f()
	}
}

func (o odd) Create(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	doing(o.create)
	return o.quick.Create(ctx, r)
}

func (o odd) Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error) {
	doing(o.cancel)
	return &rpc.Empty{}, nil
}

func (o odd) Close() error {
	o.closed.Store(true)
	doing(o.close)
	return nil
}

// TestHangs holds that a run ends though its provider does not, and names what still runs.
func TestHangs(t *testing.T) {
	const at = "engine: urn:pulumi:dev::shop::demo:index:Thing::a: "
	for name, row := range map[string]struct {
		hangs, cancels string // methods
		want           []string
		pending        int
	}{
		"nothing":            {"", "", nil, 0},
		"nothing, cancelled": {"", "Create", []string{"engine: urn:pulumi:dev::shop::demo:index:Thing::b: context canceled"}, 0},
		"Create":             {"Create", "Create", []string{at + "Create: context canceled: still runs, and was left: Create"}, 1},
		"Cancel":             {"Cancel", "", []string{"engine: still runs, and was left: Cancel of demo"}, 0},
		"Close":              {"Close", "", []string{"engine: still runs, and was left: Close of demo"}, 0},
		"Cancel, cancelled":  {"Cancel", "Create", []string{"engine: urn:pulumi:dev::shop::demo:index:Thing::b: context canceled", "engine: context canceled: still runs, and was left: Cancel of demo"}, 0},
		"Create and Cancel":  {"Create Cancel", "Create", []string{at + "Create: context canceled: still runs, and was left: Create", "engine: context canceled: still runs, and was left: Cancel of demo"}, 1},
		"Cancel and Close":   {"Cancel Close", "", []string{"engine: still runs, and was left: Cancel of demo, Close of demo"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				block, closed := make(chan struct{}), new(atomic.Bool)
				ctx, cancel := context.WithCancel(context.Background())
				does := func(method string) func() {
					return func() {
						if strings.Contains(row.cancels, method) {
							cancel()
						}
						if strings.Contains(row.hangs, method) {
							<-block
						}
					}
				}
				s := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) {
					return odd{create: does("Create"), cancel: does("Cancel"), close: does("Close"), closed: closed}, nil
				}}
				var errs []string
				for _, err := range s.Update(ctx, of(thingNamed("a"), thingNamed("b"))) {
					if err != nil {
						errs = append(errs, err.Error())
					}
					if err != nil && strings.Contains(err.Error(), "canceled") && !errors.Is(err, context.Canceled) {
						t.Errorf("%v is not context.Canceled", err)
					}
				}
				if fmt.Sprint(errs) != fmt.Sprint(row.want) {
					t.Errorf("%q, not %q", errs, row.want)
				}
				if len(s.Pending) != row.pending || !closed.Load() {
					t.Errorf("%d operations are pending, closed: %v", len(s.Pending), closed.Load())
				}
				close(block)
				cancel()
			})
		})
	}
}

// TestManyHang holds that many providers that do not end take no longer than a few: a run
// has one for each provider resource.
func TestManyHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		block := make(chan struct{})
		s := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) {
			hang := func() { <-block }
			return odd{cancel: hang, close: hang, closed: new(atomic.Bool)}, nil
		}}
		begin := time.Now()
		var failed error
		for _, err := range s.Update(context.Background(), of(provided(100, "1")...)) {
			failed = err
		}
		if took := time.Since(begin); took > 30*time.Second || failed == nil || strings.Count(failed.Error(), "Close of demo") != 100 {
			t.Errorf("after %v: %v", took, failed)
		}
		close(block)
	})
}

// TestOdd holds what becomes of a method that ends its goroutine, and of one that panics: the
// run does too, and the stack has the operation.
func TestOdd(t *testing.T) {
	closed := new(atomic.Bool)
	update := func(create func()) (s engine.Stack, text string) {
		s.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) {
			return odd{create: create, closed: closed}, nil
		}
		for _, err := range s.Update(context.Background(), of(thingNamed("a"))) {
			text = fmt.Sprint(err)
		}
		return s, text
	}
	const want = "engine: urn:pulumi:dev::shop::demo:index:Thing::a: Create: the method ended its goroutine"
	if s, text := update(runtime.Goexit); text != want || len(s.Pending) != 0 {
		t.Errorf("%s; %d operations are pending", text, len(s.Pending))
	}
	type own struct{}
	cause := errors.New("boom")
	for _, value := range []any{cause, "boom", own{}} {
		closed.Store(false)
		var s engine.Stack
		found := func() (found any) {
			defer func() { found = recover() }()
			s.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) {
				return odd{create: func() { panic(value) }, closed: closed}, nil
			}
			for range s.Update(context.Background(), of(thingNamed("a"))) {
			}
			return nil
		}()
		if len(s.Pending) != 1 || len(s.Resources) != 1 || !closed.Load() {
			t.Errorf("%v: %d operations are pending, closed: %v", value, len(s.Pending), closed.Load())
		}
		if value == any(own{}) {
			if found != value {
				t.Errorf("the run panics with %v", found)
			}
			continue
		}
		err, _ := found.(error)
		if err == nil || !strings.HasPrefix(err.Error(), "boom\n") || !strings.Contains(err.Error(), "engine_test.odd.Create") {
			t.Errorf("the run panics with %v", found)
		}
		if value == any(cause) && !errors.Is(err, cause) {
			t.Error("the panic has lost its cause")
		}
	}
}

// TestNil holds that nil contexts are refused at once, and that the zero Stack is empty.
func TestNil(t *testing.T) {
	var s engine.Stack
	var none context.Context
	for name, run := range map[string]func(){
		"Update":  func() { s.Update(none, engine.Program{}) },
		"Preview": func() { s.Preview(none, engine.Program{}) },
		"Import":  func() { s.Import(none, engine.Program{}) },
		"Refresh": func() { s.Refresh(none) },
		"Destroy": func() { s.Destroy(none) },
	} {
		found := func() (found any) {
			defer func() { found = recover() }()
			run()
			return nil
		}()
		if found != "engine: nil context" {
			t.Errorf("%s panics with %v", name, found)
		}
	}
	for a, err := range s.Update(context.Background(), engine.Program{}) {
		t.Error(a, err)
	}
	if resources, pending := s.State(); len(resources)+len(pending) > 0 {
		t.Error("there is a state")
	}
}
