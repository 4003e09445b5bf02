package check

import (
	"errors"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// bySchema checks what a call returned by the schema of the resource or the function.
func (l *logChecker) bySchema(c *Checked) {
	for _, p := range l.schemas {
		r, ok := p.Resource(c.Subject)
		if c.Subject == "pulumi:providers:"+p.Name() {
			r, ok = p.Provider(), p.Provider() != nil
		}
		if ok {
			c.resource(r)
		}
		if f, ok := p.Function(c.Subject); ok {
			c.function(f)
		}
	}
}

// resource checks what a call about a resource returned. What a preview leaves out is
// not known yet, and what Read cannot find out it leaves out.
func (c *Checked) resource(r *schema.Resource) {
	switch answer := c.Response.(type) {
	case *rpc.CheckResponse:
		if len(answer.Failures) == 0 {
			c.fits("response.inputs", r.Inputs(), answer.Inputs)
		}
	case *rpc.CreateResponse:
		request, ok := c.Request.(*rpc.CreateRequest)
		c.state(r, answer.Properties, ok && request.Preview)
	case *rpc.UpdateResponse:
		request, ok := c.Request.(*rpc.UpdateRequest)
		c.state(r, answer.Properties, ok && request.Preview)
	case *rpc.ReadResponse:
		if answer.ID != "" {
			c.state(r, answer.Properties, false)
			c.fits("response.inputs", r.Inputs(), answer.Inputs.WithUnknowns(r.Inputs().Names()...))
		}
	case *rpc.DiffResponse:
		if request, ok := c.Request.(*rpc.DiffRequest); ok {
			c.replaces(r, request, answer)
		}
	}
}

func (c *Checked) state(r *schema.Resource, state value.Value, preview bool) {
	if preview {
		state = state.WithUnknowns(r.State().Names()...)
	}
	c.fits("response.properties", r.State(), state)
}

func (c *Checked) function(f *schema.Function) {
	if answer, ok := c.Response.(*rpc.InvokeResponse); ok && len(answer.Failures) == 0 && f.Outputs().Kind() == schema.KindObject {
		c.fits("response.return", f.Outputs(), answer.Return)
	}
}

// fits adds findings where a value is not of its type, or a secret is in clear.
func (c *Checked) fits(in string, t *schema.Type, v value.Value) {
	add := func(code string, at path.Shown, because string) {
		f := newFinding(code)
		f.In, f.At = in, at
		if because != "" {
			f.because(because)
		}
		c.Findings = append(c.Findings, f)
	}
	if e := (*bind.Error)(nil); errors.As(t.Check(v), &e) {
		for _, p := range e.Problems {
			add("schema-mismatch", p.At, p.Reason())
		}
	}

	for at := range t.MarkSecrets(v).SecretPaths() {
		if there, _ := v.At(at); !there.IsSecret() && !there.IsUnknown() {
			add("schema-secret", path.Show(at, -1), "")
		}
	}
}

// replaces adds findings for inputs whose change should replace the resource.
func (c *Checked) replaces(r *schema.Resource, request *rpc.DiffRequest, answer *rpc.DiffResponse) {
	if answer.Changes != rpc.DiffSome || request.OldInputs.IsNull() {
		return
	}

	var replacing []path.Pattern
	for p := range r.Inputs().Properties() {
		if p.WillReplaceOnChanges() {
			replacing = append(replacing, path.Of(path.Key(p.Name())).Pattern())
		}
	}

	sides := provider.Sides{OldInputs: request.OldInputs, News: request.News}
	o := provider.Differ{Ignored: provider.IgnoredOf(request), ReplaceOn: path.NewSet(replacing...)}
	changed := expected(sides, o, false).Replaces
	for p := range r.Inputs().Properties() {
		old, now := request.OldInputs.Field(p.Name()), request.News.Field(p.Name())
		if slices.Contains(changed, p.Name()) && value.Engine.Compatible(old, now) == value.Changed && !slices.Contains(answer.Replaces, p.Name()) {
			f := newFinding("schema-replace")
			f.In, f.At = "response", path.Show(path.Of(path.Key(p.Name())), -1)
			c.Findings = append(c.Findings, f)
		}
	}
}
