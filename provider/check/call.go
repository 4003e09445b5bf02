package check

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Violations returns every violation of the protocol's contract in a call. They are in
// the order of the fields and, within a field, of [value.Value.Walk]. Either message
// may be nil; rules that need both are then not checked. Messages without a rule have no
// violations; for List see [ViolationsOfList].
// The rules are in the documentation of the package.
func Violations(request, response rpc.Message) []Finding {
	var found findings
	r := valid(response)
	found.identity(valid(request))
	switch m := valid(request).(type) {
	case *rpc.ParameterizeRequest:
		found.parameterize(m, r)
	case *rpc.GetMappingRequest:
		found.mapping(m, r)
	case *rpc.ConstructRequest:
		found.construct(m, r)
	case *rpc.CallRequest:
		found.call(m, r)
	case *rpc.CheckRequest:
		found.check(m, r)
	case *rpc.DiffRequest:
		found.add(m, "olds", m.Olds, storedContents)
		found.add(m, "old_inputs", m.OldInputs, storedContents)
	case *rpc.CreateRequest:
		found.create(m, r)
	case *rpc.ReadRequest:
		found.read(m, r)
	case *rpc.UpdateRequest:
		found.update(m, r)
	case *rpc.DeleteRequest:
		found.timeout(m, m.Timeout)
		found.add(m, "properties", m.Properties, storedContents)
		found.add(m, "old_inputs", m.OldInputs, storedContents)
		found.views(m, m.OldViews)
	case *rpc.InvokeRequest:
		if m.Preview {
			found.add(m, "args", m.Args, previewArguments)
		} else {
			found.add(m, "args", m.Args, argumentContents)
		}
	case *rpc.ResourceInvokeRequest:
		found.add(m, "args", m.Args, previewArguments)
	}

	switch r := r.(type) {
	case *rpc.InvokeResponse:
		found.failures(r, r.Failures)
		found.add(r, "return", r.Return, resultContents)
	case *rpc.ResourceInvokeResponse:
		found.add(r, "return", r.Return, resultContents)
	}

	return found
}

func valid(m rpc.Message) rpc.Message {
	if rpc.Name(m) == "" {
		return nil
	}
	return m
}

// findings are those about one call.
type findings []Finding

// say adds a finding about a field as a whole.
func (c *findings) say(code string, m rpc.Message, field string) {
	c.at(code, m, field, path.Shown{})
}

func (c *findings) at(code string, m rpc.Message, field string, place path.Shown) {
	f := newFinding(code)
	f.In, f.At = side(m)+"."+field, place
	*c = append(*c, f)
}

// side returns whether a message is a request or a response, which may also be an error.
func side(m rpc.Message) string {
	if strings.HasSuffix(rpc.Name(m), "Request") {
		return "request"
	}
	return "response"
}

// views checks old views, which are old inputs and old state.
func (c *findings) views(m rpc.Message, views []rpc.View) {
	for i, v := range views {
		field := "old_views[" + strconv.Itoa(i) + "]."
		c.add(m, field+"inputs", v.Inputs, storedContents)
		c.add(m, field+"outputs", v.Outputs, storedContents)
	}
}

// returned checks what Create or Update returned outside preview, in full or in part.
func (c *findings) returned(response rpc.Message) {
	switch r := response.(type) {
	case *rpc.CreateResponse:
		c.add(r, "properties", r.Properties, settledContents)
	case *rpc.UpdateResponse:
		c.add(r, "properties", r.Properties, settledContents)
	case *rpc.ErrorResourceInitFailed:
		c.add(r, "properties", r.Properties, settledContents)
		c.add(r, "inputs", r.Inputs, settledContents)
	}
}

func (c *findings) create(m *rpc.CreateRequest, response rpc.Message) {
	c.timeout(m, m.Timeout)
	id, state, ok := created(response)
	if ok {
		c.keepsSecrets(response, "properties", state, m.Properties, m.Properties)
		if shows(id, m.Properties, state) {
			c.say("secret-in-id", response, "id")
		}
	}
	if m.Preview {
		c.keepsUnknowns(response, "properties", state, m.Properties)
		return
	}

	c.add(m, "properties", m.Properties, settledContents)
	c.returned(response)
	if ok && id == "" {
		c.say("id-missing", response, "id")
	}
	if ok {
		c.stateMissing(response, m.Properties, state)
	}
}

// created returns what Create returned, also of a resource that is not ready, and whether
// it returned anything.
func created(response rpc.Message) (id string, state value.Value, ok bool) {
	switch r := response.(type) {
	case *rpc.CreateResponse:
		return r.ID, r.Properties, true
	case *rpc.ErrorResourceInitFailed:
		return r.ID, r.Properties, true
	}
	return "", value.Value{}, false
}

// stateMissing checks that something is returned if there were inputs.
func (c *findings) stateMissing(response rpc.Message, inputs, state value.Value) {
	if inputs.Len() > 0 && (protocol.Nothing(state) || (state.Kind() == value.KindObject && state.Len() == 0)) {
		c.say("state-missing", response, "properties")
	}
}

// read checks a call of Read: what it returns is old in the next call.
func (c *findings) read(m *rpc.ReadRequest, response rpc.Message) {
	c.timeout(m, m.Timeout)
	c.add(m, "properties", m.Properties, storedContents)
	c.add(m, "inputs", m.Inputs, storedContents)
	c.views(m, m.OldViews)

	r, ok := response.(*rpc.ReadResponse)
	if !ok {
		return
	}

	c.add(r, "properties", r.Properties, storedContents)
	c.add(r, "inputs", r.Inputs, storedContents)
	c.keepsSecrets(r, "properties", r.Properties, m.Inputs, m.Properties)
	c.keepsSecrets(r, "inputs", r.Inputs, m.Inputs, m.Inputs)
	if r.ID != "" && r.ID != m.ID && m.Properties.Len() > 0 {
		c.say("other-id", r, "id")
	}
	switch {
	case r.ID == "":
		if (!protocol.Nothing(r.Properties) && r.Properties.Len() > 0) || (!protocol.Nothing(r.Inputs) && r.Inputs.Len() > 0) {
			c.say("contents-without-id", r, "id")
		}
	case protocol.Nothing(m.Inputs) && protocol.Nothing(r.Inputs):
		c.inputsMissing(r, "an import takes the inputs from this response")
	case m.Inputs.Len() > 0 && !shareName(m.Inputs, r.Inputs):
		c.say("inputs-lost", r, "inputs")
	default:
		c.refreshedInputs(m, r)
	}
}

// refreshedInputs compares the inputs that a Read returned with those that it was given and the
// state that it returned.
func (c *findings) refreshedInputs(m *rpc.ReadRequest, r *rpc.ReadResponse) {
	visible := -1
	if m.Inputs.IsSecret() || r.Inputs.IsSecret() {
		visible = 0
	}
	for name, input := range m.Inputs.Members() {
		back := r.Inputs.Field(name)
		same := contents.Equal(input, m.Properties.Field(name)) && contents.Equal(input, r.Properties.Field(name))
		if !protocol.Nothing(input) && protocol.Nothing(back) && same {
			c.at("inputs-lost", r, "inputs", path.Show(path.Of(path.Key(name)), visible))
		}
	}

	if protocol.Nothing(m.Properties) || protocol.Nothing(r.Properties) {
		return
	}
	today, err := provider.Differ{}.ReadInputs(m.Inputs, m.Properties, r.Properties)
	if err != nil {
		return // an unknown, which is another finding
	}
	for change := range diff.Between(m.Inputs, today, diff.Options{Relation: contents}).Changes() {
		old, _ := change.Old()
		now, _ := change.New()
		back, _ := r.Inputs.At(change.Path())
		if isScalar(old) && old.Kind() == now.Kind() && contents.Equal(old, back) && !inArray(change.Path()) {
			c.at("inputs-stale", r, "inputs", change.Shown())
		}
	}
}

// inArray reports whether a path leads through an array, whose elements may be in any order.
func inArray(p path.Path) bool {
	for step := range p.Steps() {
		if !step.IsKey() {
			return true
		}
	}
	return false
}

func shareName(a, b value.Value) bool {
	for name := range a.Members() {
		if _, ok := b.Lookup(name); ok {
			return true
		}
	}
	return false
}

func (c *findings) update(m *rpc.UpdateRequest, response rpc.Message) {
	c.timeout(m, m.Timeout)
	c.add(m, "olds", m.Olds, storedContents)
	if !m.Preview {
		c.add(m, "news", m.News, settledContents)
	}
	c.add(m, "old_inputs", m.OldInputs, storedContents)
	c.views(m, m.OldViews)

	if !m.Preview {
		c.returned(response)
	}

	switch r := response.(type) {
	case *rpc.UpdateResponse:
		c.keepsSecrets(r, "properties", r.Properties, m.News, m.News, m.Olds)
		if m.Preview {
			c.keepsUnknowns(r, "properties", r.Properties, m.News)
		} else {
			c.stateMissing(r, m.News, r.Properties)
		}
		if id, ok := r.Properties.Field("id").AsString(); ok && id != m.ID {
			c.at("id-changed", r, "properties", path.Show(path.Of(path.Key("id")), -1))
		}
	case *rpc.ErrorResourceInitFailed:
		c.keepsSecrets(r, "properties", r.Properties, m.News, m.News, m.Olds)
		if r.ID != m.ID {
			c.say("id-changed", r, "id")
		}
	}
}
