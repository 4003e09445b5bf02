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
	for _, p := range l.options.Schemas {
		r, ok := p.Resource(c.Subject)
		if c.Subject == "pulumi:providers:"+p.Name() {
			r, ok = p.Provider(), p.Provider() != nil
		}
		if ok {
			c.Findings = append(c.Findings, SchemaViolations(r, c.Request, c.Response)...)
		}
		if f, ok := p.Function(c.Subject); ok {
			own := findings(c.Findings)
			own.function(f, c.Response)
			c.Findings = own
		}
	}
}

// SchemaViolations returns where what a call about a resource returned is not what its schema
// says: values of another type, secrets in clear, and changes that should replace the
// resource. What a preview leaves out is not known yet, and what Read cannot find out it
// leaves out. It returns nothing if r is nil, or for other calls.
func SchemaViolations(r *schema.Resource, request, response rpc.Message) []Finding {
	var c findings
	if r == nil {
		return nil
	}
	switch answer := valid(response).(type) {
	case *rpc.CheckResponse:
		if len(answer.Failures) == 0 {
			c.fits("response.inputs", r.Inputs(), answer.Inputs)
		}
		c.failed(r.Inputs(), answer.Failures)
	case *rpc.CreateResponse:
		request, ok := valid(request).(*rpc.CreateRequest)
		c.state(r, answer.Properties, ok && request.Preview)
	case *rpc.UpdateResponse:
		request, ok := valid(request).(*rpc.UpdateRequest)
		c.state(r, answer.Properties, ok && request.Preview)
	case *rpc.ReadResponse:
		if answer.ID != "" {
			c.state(r, answer.Properties, false)
			c.fits("response.inputs", r.Inputs(), answer.Inputs.WithUnknowns(r.Inputs().Names()...))
		}
	case *rpc.DiffResponse:
		if request, ok := valid(request).(*rpc.DiffRequest); ok {
			c.replaces(r, request, answer)
		}
	}
	return c
}

// failed adds findings for failures that name what is no input.
func (c *findings) failed(inputs *schema.Type, failures []rpc.CheckFailure) {
	for _, failure := range failures {
		at, err := path.ParsePulumi(failure.Property)
		if err != nil || at.IsRoot() || inputs.Kind() != schema.KindObject {
			continue
		}
		step, _, _ := at.Cut()
		name, _ := step.AsKey()
		if _, ok := inputs.Property(name); !ok {
			f := newFinding("schema-mismatch")
			f.In, f.At = "response.failures", path.Show(path.Of(step), -1)
			f.because("a failure names a property that is no input")
			*c = append(*c, f)
		}
	}
}

func (c *findings) state(r *schema.Resource, state value.Value, preview bool) {
	if preview {
		state = state.WithUnknowns(r.State().Names()...)
	}
	c.fits("response.properties", r.State(), state)
}

func (c *findings) function(f *schema.Function, response rpc.Message) {
	if answer, ok := response.(*rpc.InvokeResponse); ok && len(answer.Failures) == 0 && f.Outputs().Kind() == schema.KindObject {
		c.fits("response.return", f.Outputs(), answer.Return)
	}
}

// fits adds findings where a value is not of its type, or a secret is in clear.
func (c *findings) fits(in string, t *schema.Type, v value.Value) {
	add := func(code string, at path.Shown, because string) {
		f := newFinding(code)
		f.In, f.At = in, at
		if because != "" {
			f.because(because)
		}
		*c = append(*c, f)
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
func (c *findings) replaces(r *schema.Resource, request *rpc.DiffRequest, answer *rpc.DiffResponse) {
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
			*c = append(*c, f)
		}
	}
}
