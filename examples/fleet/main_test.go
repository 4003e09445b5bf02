package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/provider/resource/resourcetest"
	"github.com/propalg/propalg/value"
)

// cloud keeps machines. Those of a size above 8 do not start.
type cloud struct {
	mu   sync.Mutex
	all  map[string]started
	next int
}

func (c *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()

	if r.Header.Get("Authorization") != "Bearer t0ken-t0ken" {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	kind, id, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if kind == "images" {
		if id != "debian" {
			w.WriteHeader(http.StatusNotFound)
		}
		_ = json.NewEncoder(w).Encode(image{"image-1"})
		return
	}

	now, there := c.all[id]
	switch r.Method {
	case http.MethodDelete:
		delete(c.all, id)
	case http.MethodPost, http.MethodPut:
		if json.NewDecoder(r.Body).Decode(&now) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if r.Method == http.MethodPost {
			c.next++
			id, there = fmt.Sprint("m-", c.next), true
			now.ID, now.Address = id, fmt.Sprint("10.0.0.", c.next)
		}
		if now.Status = "running"; now.Size > 8 {
			now.Status = "failed"
		}
		c.all[id] = now
	}
	if !there {
		w.WriteHeader(http.StatusNotFound)
	}
	now.RootPassword = ""
	_ = json.NewEncoder(w).Encode(now)
}

func serve(t *testing.T) (config value.Value) {
	t.Helper()
	s := httptest.NewServer(&cloud{all: map[string]started{}})
	t.Cleanup(s.Close)
	return value.Object(value.Field("endpoint", value.String(s.URL)), value.Field("token", value.Secret(value.String("t0ken-t0ken"))))
}

func provider(t *testing.T) *resource.Provider {
	t.Helper()
	p, err := resource.New(pkg())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

//go:generate go test -run TestSchema .
func TestSchema(t *testing.T) { resourcetest.Schema(t, pkg(), "schema.json") }

func TestMachines(t *testing.T) {
	p := provider(t)
	if _, err := p.Configure(t.Context(), &rpc.ConfigureRequest{Args: serve(t)}); err != nil {
		t.Fatal(err)
	}
	tested := resourcetest.Fuzz(p, "fleet:index:Machine")
	tested.Inputs = rapid.Custom(func(t *rapid.T) value.Value {
		return value.Object(
			value.Field("image", value.String(rapid.SampledFrom([]string{"image-1", "image-2"}).Draw(t, "image"))),
			value.Field("size", rapid.SampledFrom([]value.Value{value.Null(), value.Number(2), value.Number(9)}).Draw(t, "size")),
			value.Field("rootPassword", rapid.SampledFrom([]value.Value{value.Null(), value.String("hunter2hunter2")}).Draw(t, "rootPassword")),
		)
	})
	tested.Run(t)
}

// life runs a whole program: a machine that does not start first.
func TestLife(t *testing.T) {
	config := serve(t)
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return provider(t), nil }}
	program := func(size float64) engine.Program {
		return engine.Program{Stack: "dev", Project: "shop", Defaults: map[string]value.Value{"fleet": config}, Resources: []engine.Goal{{
			Type: "fleet:index:Machine", Name: "m",
			Inputs: value.Object(value.Field("image", value.String("image-1")), value.Field("size", value.Number(size)), value.Field("rootPassword", value.Secret(value.String("hunter2hunter2")))),
		}}}
	}
	last := func(run iter.Seq2[engine.Action, error]) (op engine.Op, failed error) {
		for action, err := range run {
			for _, c := range action.Calls {
				for _, f := range check.Violations(c.Request, c.Response) {
					t.Errorf("%s: %v", c.Method, f)
				}
			}
			if failed = err; !strings.Contains(action.URN, "pulumi:providers:") {
				op = action.Op
			}
		}
		return op, failed
	}

	for _, step := range []struct {
		about string
		run   iter.Seq2[engine.Action, error]
		op    engine.Op
		fails bool
	}{
		{"preview", stack.Preview(t.Context(), program(9)), engine.OpCreate, false},
		{"does not start", stack.Update(t.Context(), program(9)), engine.OpCreate, true},
		{"still does not", stack.Update(t.Context(), program(9)), engine.OpUpdate, true},
		{"starts", stack.Update(t.Context(), program(2)), engine.OpUpdate, false},
		{"nothing", stack.Update(t.Context(), program(2)), engine.OpSame, false},
		{"no drift", stack.Refresh(t.Context()), "refresh", false},
		{"still nothing", stack.Update(t.Context(), program(2)), engine.OpSame, false},
		{"the end", stack.Destroy(t.Context()), engine.OpDelete, false},
	} {
		if op, err := last(step.run); op != step.op || (err != nil) != step.fails {
			t.Errorf("%s: %s, %v", step.about, op, err)
		}
	}
}

func TestGetImage(t *testing.T) {
	p := provider(t)
	if _, err := p.Configure(t.Context(), &rpc.ConfigureRequest{Args: serve(t)}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"debian": `{id: "image-1"} []`, "plan9": "null [{name there is no such image {}}]"} {
		r, err := p.Invoke(t.Context(), &rpc.InvokeRequest{Tok: "fleet:index:getImage", Args: value.Object(value.Field("name", value.String(name)))})
		if err != nil || fmt.Sprint(r.Return, " ", r.Failures) != want {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}
