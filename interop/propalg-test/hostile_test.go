package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// modeEnv makes the test binary a provider that behaves as its value says.
const modeEnv = "PROPALG_TEST_PROVIDER"

func TestMain(m *testing.M) {
	mode := os.Getenv(modeEnv)
	if mode == "" {
		os.Exit(m.Run())
	}

	switch mode {
	case "silent":
		select {}
	case "ends":
		fmt.Fprintln(os.Stderr, "no licence")
		os.Exit(3)
	}
	p := &things{mode: mode, all: map[string]value.Value{}, file: os.Getenv(storeEnv)}
	var served grpc.Provider = p
	if strings.HasPrefix(mode, "planted: ") {
		served = planted{p}
	}
	if strings.HasPrefix(mode, "method: ") {
		served = looker{p}
	}
	if strings.HasPrefix(mode, "rack: ") {
		served = &rack{mode: mode, things: p.all}
	}
	if strings.HasPrefix(mode, "shaped: ") {
		served = &shaped{things: p}
	}
	if site, ok := strings.CutPrefix(mode, "site: "); ok {
		served = sites{mode: site}
	}
	if err := grpc.Serve(context.Background(), served, grpc.ServeOptions{Engine: grpc.EngineAddress(os.Args)}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// storeEnv names a folder with a file for each thing that exists.
const storeEnv = "PROPALG_TEST_STORE"

const thingSchema = `{"name": "x", "version": "1.2.3", "config": {"variables": {"token": {"type": "string", "secret": true}}},
  "provider": {"inputProperties": {"token": {"type": "string", "secret": true}}},
  "functions": {"x:index:double": {"inputs": {"properties": {"n": {"type": "number"}}, "required": ["n"]}, "outputs": {"properties": {"twice": {"type": "number"}}, "required": ["twice"]}}},
  "resources": {%s}}`

const thingResource = `"x:index:%s": {"inputProperties": {"name": {"type": "string", "willReplaceOnChanges": true}, "size": {"type": "integer"}, "password": {"type": "string", "secret": true}, "tags": {"type": "array", "items": {"type": "string"}}},
  "requiredInputs": ["name"], "properties": {"name": {"type": "string"}, "size": {"type": "integer"}, "password": {"type": "string", "secret": true}, "tags": {"type": "array", "items": {"type": "string"}}, "path": {"type": "string"}}, "required": ["name", "path"]}`

// things is a provider of things in memory, which does as it should unless its mode says
// otherwise.
type things struct {
	grpc.Unimplemented

	mode   string
	file   string
	mu     sync.Mutex
	all    map[string]value.Value
	serial int
	token  string
}

func (s *things) text() string {
	switch s.mode {
	case "no-schema":
		return ""
	case "not-json":
		return "{"
	case "liar":
		return fmt.Sprintf(thingSchema, strings.ReplaceAll(fmt.Sprintf(thingResource, "Thing"), `"path": {"type": "string"}`, `"path": {"type": "boolean"}`))
	case "many":
		var all []string
		for i := range 1000 {
			all = append(all, fmt.Sprintf(thingResource, fmt.Sprintf("Thing%d", i)))
		}
		return fmt.Sprintf(thingSchema, strings.Join(all, ", "))
	}
	return fmt.Sprintf(thingSchema, fmt.Sprintf(thingResource, "Thing"))
}

func (s *things) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	if s.mode == "refuses" {
		return nil, errors.ErrUnsupported
	}
	return &rpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

func (s *things) GetSchema(context.Context, *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error) {
	return &rpc.GetSchemaResponse{Schema: s.text()}, nil
}

func (s *things) Configure(_ context.Context, r *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	s.token, _ = r.Args.Field("token").AsString()
	if s.mode == "tells" {
		fmt.Fprintln(os.Stderr, "token", s.token)
	}
	if s.mode == "tells-at-once" {
		return nil, fmt.Errorf("bad token %q", s.token)
	}
	return &rpc.ConfigureResponse{AcceptSecrets: true, AcceptResources: s.mode != "half", SupportsPreview: true}, nil
}

func (s *things) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	switch s.mode {
	case "refuses":
		return nil, errors.New("not licensed")
	case "refuses-most":
		return &rpc.CheckResponse{Failures: []rpc.CheckFailure{{Property: "name", Reason: "zone not found"}}}, nil
	case "hangs":
		if !r.News.Field("tags").IsNull() {
			select {}
		}
	case "floods":
		fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 1<<16))
	case "tells":
		return nil, fmt.Errorf("401 for Bearer %s", s.token)
	case "quotes":
		return nil, fmt.Errorf("refused: %v", textsOf(r.News))
	case "panics":
		if r.News.ContainsUnknown() {
			fmt.Fprintln(os.Stderr, "panic: nil map, token", s.token)
			os.Exit(2)
		}
	}
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

// textsOf returns all texts of a value, in clear.
func textsOf(v value.Value) (all []string) {
	for c := range v.Walk() {
		if text, ok := c.Value().AsString(); ok {
			all = append(all, text)
		}
	}
	return all
}

func (s *things) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	if s.mode == "two-mistakes" {
		r.News, _ = r.News.WithField("size", r.OldInputs.Field("size"))
		r.News, _ = r.News.WithField("password", r.OldInputs.Field("password"))
	}
	return provider.Differ{ReplaceOn: path.MustSet("name")}.Answer(r)
}

func (s *things) state(id string, inputs value.Value) value.Value {
	state, _ := inputs.WithField("path", value.String("/"+id))
	return state
}

func (s *things) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	if r.Preview {
		state, _ := r.Properties.WithField("path", value.Unknown())
		if s.mode == "large" {
			state, _ = state.WithField("path", value.String(strings.Repeat("x", 100<<20)))
		}
		return &rpc.CreateResponse{Properties: state}, nil
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	id := fmt.Sprintf("thing-%d-%d", os.Getpid(), s.serial)
	s.all[id] = r.Properties
	if s.file != "" {
		if err := os.WriteFile(s.file+"/"+id, nil, 0o600); err != nil {
			return nil, err
		}
	}
	if s.mode == "hangs-in-read" {
		time.Sleep(100 * time.Millisecond) // the interrupt comes here
	}
	if s.mode == "dies" {
		os.Exit(2) //nolint:gocritic // nothing is to be unlocked then
	}
	return &rpc.CreateResponse{ID: id, Properties: s.state(id, r.Properties)}, nil
}

func (s *things) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	if s.mode == "hangs-in-read" {
		time.Sleep(time.Hour)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	inputs, ok := s.all[r.ID]
	if s.file != "" && !ok {
		_, err := os.Stat(s.file + "/" + r.ID)
		ok, inputs = err == nil, value.Object(value.Field("name", value.String("left")))
	}
	if !ok {
		return &rpc.ReadResponse{}, nil
	}
	return &rpc.ReadResponse{ID: r.ID, Inputs: inputs, Properties: s.state(r.ID, inputs)}, nil
}

func (s *things) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	if !r.Preview {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all[r.ID] = r.News
	}
	return &rpc.UpdateResponse{Properties: s.state(r.ID, r.News)}, nil
}

func (s *things) Delete(_ context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.all[r.ID]; !ok && s.mode == "delete-twice" {
		return nil, errors.New("404")
	}
	delete(s.all, r.ID)
	if s.file != "" {
		_ = os.Remove(s.file + "/" + r.ID)
	}
	return &rpc.Empty{}, nil
}

func (s *things) Invoke(_ context.Context, r *rpc.InvokeRequest) (*rpc.InvokeResponse, error) {
	n, _ := r.Args.Field("n").AsNumber()
	twice := value.Number(2 * n)
	if s.mode == "liar" {
		twice = value.String("many")
	}
	return &rpc.InvokeResponse{Return: value.Object(value.Field("twice", twice))}, nil
}
