package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// looker is a provider of things with a method, which its mode tells what to do.
type looker struct{ *things }

func (l looker) is(mode string) bool { return l.mode == "method: "+mode }

func (looker) GetSchema(context.Context, *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error) {
	text := fmt.Sprintf(thingSchema, fmt.Sprintf(thingResource, "Thing"))
	text = strings.Replace(text, `"required": ["name", "path"]}`, `"required": ["name", "path"], "methods": {"look": "x:index:Thing/look"}}`, 1)
	return &rpc.GetSchemaResponse{Schema: strings.Replace(text, `"functions": {`, `"functions": {"x:index:Thing/look": {
		"inputs": {"properties": {"__self__": {"$ref": "#/resources/x:index:Thing"}, "deep": {"type": "boolean"}}, "required": ["__self__"]},
		"outputs": {"properties": {"seen": {"type": "string"}, "key": {"type": "string", "secret": true}}, "required": ["seen"]}}, `, 1)}, nil
}

func (l looker) Call(ctx context.Context, r *rpc.CallRequest) (*rpc.CallResponse, error) {
	monitor, err := grpc.ConnectMonitor(r.MonitorEndpoint)
	if err != nil {
		return nil, err
	}
	defer func() { _ = monitor.Close() }()
	own, _ := r.Args.Field(self).AsResourceReference()
	state, err := monitor.Resolve(ctx, own)
	id, _ := own.ID.Known()
	l.mu.Lock()
	inputs, isThere := l.all[id]
	l.mu.Unlock()
	if err != nil || !isThere || !state.DropSecret().Field("name").Equal(inputs.DropSecret().Field("name")) {
		fmt.Fprintln(os.Stderr, "a resource that is not there:", id, err)
		os.Exit(2) //nolint:gocritic // the test fails for it
	}

	seen, key := state.Field("path").DropSecret(), value.Secret(value.String("k"))
	switch {
	case l.is("crashes"):
		os.Exit(2)
	case l.is("returns another type"):
		seen = value.Bool(true)
	case l.is("returns a secret in clear"):
		key = key.Reveal()
	case l.is("right: changes the resource"):
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.all, id)
	case l.is("right: fails"):
		return nil, errors.New("not now")
	}
	return &rpc.CallResponse{Return: value.Object(value.Field("seen", seen), value.Field("key", key))}, nil
}

// TestMethods: with --live, the methods of a resource are called before it is deleted.
func TestMethods(t *testing.T) {
	for mode, want := range map[string][]string{
		"crashes":                     {"Call crash"},
		"returns another type":        {"Call schema-mismatch seen"},
		"returns a secret in clear":   {"Call schema-secret key"},
		"right":                       nil,
		"right: changes the resource": nil,
		"right: fails":                nil,
	} {
		exists, journal := store(t), journalIn(t)
		args := []string{"--live", "--resource", "*", "--tries", "10", "--journal", journal}
		doc := document(t, "method: "+mode, append(args, "--functions", "*look")...)
		reached := strings.Join(doc.Subjects[0].Reached, "\n")
		if got := found(doc); !slices.Equal(got, want) || !strings.Contains(reached, "Call ") {
			t.Errorf("%s: %q, and reached: %s", mode, got, reached)
		}
		if left := exists(); left != nil || isThere(journal) {
			t.Errorf("%s: %q are left", mode, left)
		}
		for _, f := range doc.Subjects[0].Findings {
			if mode != "crashes" && (len(f.Calls) != 2 || f.Calls[0].Method != "Create" || !strings.Contains(f.Program, `"name":`)) {
				t.Errorf("%s: %v %s", mode, f.Calls, f.Program)
			}
		}

		if doc := document(t, "method: "+mode, args...); found(doc) != nil || strings.Contains(strings.Join(doc.Subjects[0].Reached, "\n"), "Call ") {
			t.Errorf("%s without --functions: %q", mode, found(doc))
		}
	}
}
