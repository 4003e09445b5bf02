package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
)

// shaped is a provider of things that needs a parameter. Its mode names a mistake.
type shaped struct {
	*things

	parameter string
}

func (p *shaped) is(mode string) bool { return p.mode == "shaped: "+mode }

func (p *shaped) Parameterize(_ context.Context, r *rpc.ParameterizeRequest) (*rpc.ParameterizeResponse, error) {
	version := "1.2.3"
	switch {
	case r.Args != nil:
		p.parameter = strings.Join(r.Args.Args, " ")
	case p.is("the value is refused"):
		return nil, errors.New("no such thing")
	case p.is("the version is another"):
		version = "1.2.4"
		fallthrough
	default:
		p.parameter = string(r.Value.Value.Reveal())
	}
	return &rpc.ParameterizeResponse{Name: "x", Version: version}, nil
}

func (p *shaped) GetSchema(_ context.Context, r *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error) {
	if p.parameter != "make x" {
		return &rpc.GetSchemaResponse{Schema: `{"name": "base"}`}, nil
	}
	if r.SubpackageName != "x" || r.SubpackageVersion == "" {
		return nil, errors.New("another package was made")
	}
	const parameterization = `"parameterization": {"baseProvider": {"name": "base", "version": "1.0.0"}, "parameter": "bWFrZSB4"}, `
	text := strings.Replace(p.text(), `"config"`, parameterization+`"config"`, 1)
	return &rpc.GetSchemaResponse{Schema: text}, nil
}

// TestParameters: a provider is parameterized by arguments, and then as programs do it.
func TestParameters(t *testing.T) {
	args := []string{"--parameter", "make", "--parameter", "x", "--tries", "10"}
	doc := document(t, "shaped: right", args...)
	if got := found(doc); got != nil || doc.Provider.Name != "x" || doc.Summary.Resources != 1 || !strings.HasPrefix(doc.Subjects[0].Reached[0], "calls: Check ") {
		t.Errorf("%q %+v", got, doc)
	}
	if doc := document(t, "shaped: right"); doc.Provider.Name != "base" || doc.Summary.Resources != 0 {
		t.Errorf("without a parameter: %+v", doc)
	}
	if got := found(document(t, "shaped: the version is another", args...)); !slices.Contains(got, "Parameterize other-package") {
		t.Errorf("another version: %q", got)
	}
	if code, _, messages := tested(t, "shaped: the value is refused", args...); code != exitBad || !strings.Contains(messages, "Parameterize: ") || !strings.Contains(messages, "no such thing") {
		t.Errorf("a refused value: %d %s", code, messages)
	}
}
