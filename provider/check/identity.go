package check

import (
	"strings"
	"time"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// identity checks that the URN of a request is one, and that the name and the type beside it,
// which engines send so that providers need not parse it, are those of the URN.
func (c *findings) identity(m rpc.Message) {
	switch m := m.(type) {
	case *rpc.ConfigureRequest:
		c.named(m, deref(m.URN), deref(m.Name), deref(m.Type))
	case *rpc.CheckRequest:
		c.named(m, m.URN, m.Name, m.Type)
	case *rpc.DiffRequest:
		c.named(m, m.URN, m.Name, m.Type)
	case *rpc.CreateRequest:
		c.named(m, m.URN, m.Name, m.Type)
	case *rpc.ReadRequest:
		c.named(m, m.URN, m.Name, m.Type)
	case *rpc.UpdateRequest:
		c.named(m, m.URN, m.Name, m.Type)
	case *rpc.DeleteRequest:
		c.named(m, m.URN, m.Name, m.Type)
	}
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// named checks a URN. Texts that are empty were left out.
func (c *findings) named(m rpc.Message, text, name, kind string) {
	if text == "" {
		return
	}
	u, err := urn.Parse(text)
	switch {
	case err != nil:
		c.say("urn-unreadable", m, "urn")
	case name != "" && name != u.Name():
		c.say("urn-mismatch", m, "name")
	case kind != "" && kind != u.Type():
		c.say("urn-mismatch", m, "type")
	}
}

// construct checks a call of Construct, whose response names the component that was asked for.
func (c *findings) construct(m *rpc.ConstructRequest, response rpc.Message) {
	if t := m.CustomTimeouts; t != nil {
		for _, of := range []struct{ name, text string }{{"create", t.Create}, {"update", t.Update}, {"delete", t.Delete}, {"read", t.Read}} {
			if d, err := time.ParseDuration(of.text); of.text != "" && (err != nil || d < 0) {
				c.say("invalid-duration", m, "customTimeouts."+of.name)
			}
		}
	}
	r, ok := response.(*rpc.ConstructResponse)
	if !ok {
		return
	}
	c.named(r, r.URN, m.Name, m.Type)
	c.dependencies(r, "state", r.State, m.AcceptsOutputValues, len(m.InputDependencies) > 0, len(r.StateDependencies) > 0)
}

func (c *findings) call(m *rpc.CallRequest, response rpc.Message) {
	r, ok := response.(*rpc.CallResponse)
	if !ok {
		return
	}
	c.failures(r, r.Failures)
	c.dependencies(r, "return", r.Return, m.AcceptsOutputValues, len(m.ArgDependencies) > 0, len(r.ReturnDependencies) > 0)
}

// dependencies checks in which form a result says what it depends on: in its values if the engine
// accepts them, and beside them otherwise.
func (c *findings) dependencies(m rpc.Message, field string, v value.Value, inValues, given, beside bool) {
	switch {
	case !inValues && v.ContainsDependencies():
		c.say("not-accepted", m, field)
		(*c)[len(*c)-1].because("dependencies in values")
	case !inValues && given && !beside && v.Len() > 0:
		c.say("dependencies-lost", m, field)
	}
}

// parameterize checks that the package is the one that was asked for.
func (c *findings) parameterize(m *rpc.ParameterizeRequest, response rpc.Message) {
	r, ok := response.(*rpc.ParameterizeResponse)
	if !ok {
		return
	}
	if v := m.Value; v != nil && r.Name != v.Name || r.Name == "" {
		c.say("other-package", r, "name")
	}
	if v := m.Value; v != nil && r.Version != v.Version || r.Version == "" {
		c.say("other-package", r, "version")
	}
}

// mapping checks that a mapping is of the provider that was asked for. There may be none.
func (c *findings) mapping(m *rpc.GetMappingRequest, response rpc.Message) {
	r, ok := response.(*rpc.GetMappingResponse)
	if ok && m.Provider != "" && len(r.Data.Reveal()) > 0 && r.Provider != m.Provider {
		c.say("other-mapping", r, "provider")
	}
}

// autonaming checks the names that Check adds. Which property is the name is not known: it is
// what was not sent, was not there before, and begins with the name of the resource.
func (c *findings) autonaming(m *rpc.CheckRequest, r *rpc.CheckResponse) {
	u, err := urn.Parse(m.URN)
	if m.Autonaming == nil || err != nil || u.Name() == "" || len(r.Failures) > 0 {
		return
	}
	proposed := m.Autonaming.ProposedName

	var why string
	switch m.Autonaming.Mode { //nolint:exhaustive // a proposal may be changed
	case rpc.AutonamingDisable:
		why, proposed = "DISABLE: the program has to name the resource", ""
	case rpc.AutonamingEnforce:
		why = "ENFORCE: the name is the proposed one"
	default:
		return
	}

	for key, v := range r.Inputs.Members() {
		text, isText := v.AsString()
		if _, sent := m.News.Lookup(key); sent || !isText || v.IsSecret() || contents.Equal(v, m.Olds.Field(key)) {
			continue
		}
		if text != proposed && strings.HasPrefix(text, u.Name()) && !strings.ContainsAny(text, " \n") {
			c.at("autonamed", r, "inputs", path.Show(path.Of(path.Key(key)), -1))
			(*c)[len(*c)-1].because(why)
		}
	}
}
