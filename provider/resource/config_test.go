package resource_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
)

func TestConfigure(t *testing.T) {
	var b boxes
	env := map[string]string{}
	p := b.provider(t, func(p *resource.Package) {
		p.Env = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	})
	create := func(preview bool) error {
		_, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Preview: preview, Properties: object("name", text("a"), "size", number(1))})
		return err
	}
	var refusal *protocol.Refusal
	if err := create(false); !errors.As(err, &refusal) || !refusal.NotYet {
		t.Error(err)
	}

	var missing *protocol.MissingKeys
	if _, err := p.Configure(t.Context(), &rpc.ConfigureRequest{}); !errors.As(err, &missing) || err.Error() != "missing configuration: demo:token" {
		t.Error(err)
	}
	if _, err := p.Configure(t.Context(), &rpc.ConfigureRequest{Args: object("token", value.Unknown())}); err != nil {
		t.Error(err)
	}
	if err := create(false); !errors.As(err, &refusal) || !refusal.NotYet {
		t.Error(err)
	}
	if err := create(true); err != nil {
		t.Error(err)
	}

	r, err := p.Configure(t.Context(), &rpc.ConfigureRequest{Args: object("token", secret("t1"), "retries", text("3"), "version", text("1.0.0"), "__internal", object())})
	if err != nil || !r.SupportsPreview || b.seen.Token != "t1" || b.seen.Region != "eu" || b.seen.Retries != 3 {
		t.Errorf("%v, %v, %s", r, err, b.seen.Region)
	}
	if err := create(false); err != nil {
		t.Error(err)
	}
	env["BOX_TOKEN"] = "from the environment"
	if _, err := p.Configure(t.Context(), &rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"demo:config:region": "true"})}); err != nil || b.seen.Token != "from the environment" || b.seen.Region != "true" {
		t.Errorf("%v, %s", err, b.seen.Region)
	}
	if _, err := p.Configure(t.Context(), &rpc.ConfigureRequest{Args: object("token", secret("t1"), "retries", secret("many times"))}); err == nil || strings.Contains(err.Error(), "many") || !strings.Contains(err.Error(), "retries") {
		t.Error(err)
	}
}

func TestCheckConfig(t *testing.T) {
	var b boxes
	p := b.provider(t)
	r, err := p.CheckConfig(t.Context(), &rpc.CheckRequest{News: object("token", text("t1"), "regoin", text("y"), "region", number(1))})
	if err != nil || len(r.Failures) != 2 || r.Failures[0].Property != "region" || r.Failures[1].Property != "regoin" {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = p.CheckConfig(t.Context(), &rpc.CheckRequest{News: object("token", text("t1"))})
	if err != nil || len(r.Failures) != 0 || !r.Inputs.Identical(object("token", secret("t1"))) {
		t.Errorf("%+v, %v", r, err)
	}
	d, err := p.DiffConfig(t.Context(), &rpc.DiffRequest{OldInputs: object("token", secret("t1")), News: object("token", secret("t2"))})
	if err != nil || d.Changes != rpc.DiffSome || len(d.Replaces) != 0 {
		t.Errorf("%v, %v", d, err)
	}
}
