package check

import (
	"iter"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// agreed is what the engine and the provider of a session said that they can do. If there are
// several handshakes that differ, which of them a call belongs to is not known, and the calls are
// not held to any.
type agreed struct {
	greeted                bool // there was a handshake, answered or not: the session does not begin late
	handshakes, configures int  // that were answered

	asked                announced
	answered, configured accepts
	engine, provider     codec.Features
	mixed                bool
	wire                 bool // requests are those that were sent; an engine in the process may keep marks in the calls that it lists
	supportsPreview      bool
}

// announced is what an engine announces in a handshake.
type announced struct{ views, refreshes, previewsOfFunctions, byteStrings bool }

// accepts is what a provider answers.
type accepts struct {
	codec.Features
	names bool // as the engine proposes
}

func (a *agreed) handshake(m *rpc.ProviderHandshakeRequest, response rpc.Message) {
	a.greeted = true
	r, ok := response.(*rpc.ProviderHandshakeResponse)
	if !ok {
		return
	}
	asked := announced{m.SupportsViews, m.SupportsRefreshBeforeUpdate, m.InvokeWithPreview, m.AcceptsByteString}
	answered := accepts{r.Features(), r.SupportsAutonamingConfiguration}
	a.mixed = a.mixed || (a.handshakes > 0 && (asked != a.asked || answered != a.answered))
	a.handshakes++
	a.asked, a.answered = asked, answered
	a.engine |= m.Features()
	a.provider |= r.Features()
}

// configure checks that a configuration agrees with the handshake before it.
func (a *agreed) configure(found *findings, m *rpc.ConfigureRequest, response rpc.Message) {
	r, ok := response.(*rpc.ConfigureResponse)
	if !ok {
		return
	}
	configured := accepts{r.Features(), r.SupportsAutonamingConfiguration}
	a.mixed = a.mixed || (a.configures > 0 && (configured != a.configured || r.SupportsPreview != a.supportsPreview))
	a.configures++
	a.configured, a.supportsPreview = configured, r.SupportsPreview
	a.engine |= m.Features()
	a.provider |= r.Features()
	if a.handshakes == 0 || a.mixed {
		return
	}

	if a.configures > a.handshakes {
		found.say("configured-twice", m, "args")
	}
	for _, flag := range []struct {
		name string
		set  bool
	}{
		{"acceptSecrets", m.AcceptSecrets},
		{"acceptResources", m.AcceptResources},
		{"sends_old_inputs", m.SendsOldInputs},
		{"sends_old_inputs_to_delete", m.SendsOldInputsToDelete},
	} {
		if !flag.set {
			found.say("engine-flag", m, flag.name)
		}
	}
	if !r.SupportsPreview {
		found.say("preview-unsupported", r, "supportsPreview")
	}
	for _, flag := range []struct {
		name        string
		said, again bool
	}{
		{"acceptSecrets", a.answered.Features&codec.AcceptSecrets != 0, r.AcceptSecrets},
		{"acceptResources", a.answered.Features&codec.AcceptResources != 0, r.AcceptResources},
		{"acceptOutputs", a.answered.Features&codec.AcceptOutputs != 0, r.AcceptOutputs},
		{"supports_autonaming_configuration", a.answered.names, r.SupportsAutonamingConfiguration},
	} {
		if flag.said != flag.again {
			found.say("handshake-differs", r, flag.name)
		}
	}
}

// call checks that a call uses nothing that the other side did not announce.
func (a *agreed) call(found *findings, request, response rpc.Message) {
	if _, urn := subject(request); a.mixed || isProvider(urn) {
		return
	}
	if a.handshakes > 0 {
		a.announced(found, request, response)
	}
	if previews(request) && a.configures > 0 && !a.supportsPreview {
		found.unannounced(request, "preview", "previews")
	}
	if a.wire && a.handshakes+a.configures > 0 {
		found.accepted(request, a.provider)
	}
	if a.configures > 0 && response != nil {
		found.accepted(response, a.engine|codec.AcceptOutputs) // which of them it accepts, each call says
	}
}

func previews(m rpc.Message) bool {
	switch m := m.(type) {
	case *rpc.CreateRequest:
		return m.Preview
	case *rpc.UpdateRequest:
		return m.Preview
	}
	return false
}

// announced checks what the handshake of the engine announced.
func (a *agreed) announced(found *findings, request, response rpc.Message) {
	if m, ok := request.(*rpc.InvokeRequest); ok && m.Preview && !a.asked.previewsOfFunctions {
		found.unannounced(m, "preview", "previews of functions")
	}
	if field := viewField(request); field != "" && !a.asked.views {
		found.unannounced(request, field, "views")
	}
	if refreshes(response) && !a.asked.refreshes {
		found.unannounced(response, "refresh_before_update", "refreshes before updates")
	}
}

func (c *findings) unannounced(m rpc.Message, field, what string) {
	c.say("not-announced", m, field)
	(*c)[len(*c)-1].because(what)
}

// viewField returns the name of a field about views that is set, or "".
func viewField(request rpc.Message) string {
	var address string
	var views []rpc.View
	switch m := request.(type) {
	case *rpc.CreateRequest:
		address = m.ResourceStatusAddress
	case *rpc.ReadRequest:
		address, views = m.ResourceStatusAddress, m.OldViews
	case *rpc.UpdateRequest:
		address, views = m.ResourceStatusAddress, m.OldViews
	case *rpc.DeleteRequest:
		address, views = m.ResourceStatusAddress, m.OldViews
	}
	switch {
	case address != "":
		return "resource_status_address"
	case len(views) > 0:
		return "old_views"
	}
	return ""
}

func refreshes(response rpc.Message) bool {
	switch r := response.(type) {
	case *rpc.CreateResponse:
		return r.RefreshBeforeUpdate
	case *rpc.ReadResponse:
		return r.RefreshBeforeUpdate
	case *rpc.UpdateResponse:
		return r.RefreshBeforeUpdate
	case *rpc.ErrorResourceInitFailed:
		return r.RefreshBeforeUpdate
	}
	return false
}

// accepted checks that properties hold only what their reader accepts.
func (c *findings) accepted(m rpc.Message, by codec.Features) {
	for field, v := range bags(m) {
		var what string
		switch {
		case by&codec.AcceptSecrets == 0 && v.ContainsSecret():
			what = "secrets"
		case by&codec.AcceptOutputs == 0 && v.ContainsDependencies():
			what = "dependencies in values"
		case by&codec.AcceptResources == 0 && holds(v, isReference):
			what = "resource references"
		case by&codec.AcceptByteStrings == 0 && holds(v, isByteString):
			what = "strings that are not UTF-8"
		default:
			continue
		}
		c.say("not-accepted", m, field)
		(*c)[len(*c)-1].because(what)
	}
}

func holds(v value.Value, is func(value.Value) bool) bool {
	for at := range v.Walk() {
		if is(at.Value()) {
			return true
		}
	}
	return false
}

func isReference(v value.Value) bool { return v.Kind() == value.KindResourceReference }

func isByteString(v value.Value) bool {
	text, ok := v.AsString()
	return ok && !utf8.ValidString(text)
}

// bags are the properties of a message about resources, components or functions.
func bags(m rpc.Message) iter.Seq2[string, value.Value] {
	return func(yield func(string, value.Value) bool) {
		two := func(a string, v value.Value, b string, w value.Value) { _ = yield(a, v) && yield(b, w) }
		switch m := m.(type) {
		case *rpc.CheckRequest:
			two("olds", m.Olds, "news", m.News)
		case *rpc.CheckResponse:
			yield("inputs", m.Inputs)
		case *rpc.DiffRequest:
			_ = yield("olds", m.Olds) && yield("news", m.News) && yield("old_inputs", m.OldInputs)
		case *rpc.CreateRequest:
			yield("properties", m.Properties)
		case *rpc.CreateResponse:
			yield("properties", m.Properties)
		case *rpc.ReadRequest:
			two("properties", m.Properties, "inputs", m.Inputs)
		case *rpc.ReadResponse:
			two("properties", m.Properties, "inputs", m.Inputs)
		case *rpc.UpdateRequest:
			_ = yield("olds", m.Olds) && yield("news", m.News) && yield("old_inputs", m.OldInputs)
		case *rpc.UpdateResponse:
			yield("properties", m.Properties)
		case *rpc.DeleteRequest:
			two("properties", m.Properties, "old_inputs", m.OldInputs)
		case *rpc.ErrorResourceInitFailed:
			two("properties", m.Properties, "inputs", m.Inputs)
		case *rpc.InvokeRequest:
			yield("args", m.Args)
		case *rpc.InvokeResponse:
			yield("return", m.Return)
		}
	}
}
