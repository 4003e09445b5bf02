package engine

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

type instance struct {
	rpc.Provider
	run       *run
	name      string // of the package
	greeted   bool   // it answered Handshake
	secrets   bool   // it accepts secrets
	resources bool   // it accepts references to resources
	previews  bool   // it is called in previews
	unknown   bool   // its configuration is not known yet, and it was not configured
}

func (r *run) launch(typ string, inputs value.Value) (*instance, error) {
	if r.stack.Launch == nil {
		return nil, errors.New("the stack has no Launch")
	}

	plugin := Plugin{Name: packageOf(typ)}
	plugin.Version, _ = inputs.Field("version").AsString()
	p, err := r.stack.Launch(r.ctx, plugin)
	switch {
	case err != nil && inputs.Field("version").ContainsSecret():
		return nil, fmt.Errorf("launch %q: %w", plugin.Name, r.said(err))
	case err != nil:
		return nil, fmt.Errorf("launch %q: %w", plugin.Name, err)
	case p == nil:
		return nil, fmt.Errorf("launch %q: no provider", plugin.Name)
	}
	i := &instance{Provider: p, run: r, name: plugin.Name}
	r.launched = append(r.launched, i)
	greeting, err := call(i, "Handshake", p.Handshake, &rpc.ProviderHandshakeRequest{ConfigureWithURN: true, SupportsRefreshBeforeUpdate: true})
	switch {
	case errors.Is(err, errors.ErrUnsupported): // Configure says what it accepts
		return i, nil
	case err != nil:
		return nil, err
	}

	i.greeted, i.previews = true, true
	i.secrets, i.resources = greeting.AcceptSecrets, greeting.AcceptResources
	return i, nil
}

// configured returns the instance for a provider reference. One that no earlier action
// configured is configured as the state has it.
func (r *run) configured(reference string) (*instance, error) {
	if i := r.instances[reference]; i != nil {
		return i, nil
	}
	of := r.provider(reference)
	if of == nil {
		return nil, fmt.Errorf("the state has no provider %q", reference)
	}
	i, err := r.launch(of.Type, of.Inputs)
	if err != nil {
		return nil, err
	}

	err = i.configure(of)
	return i, err
}

// referenceOf returns how resources refer to a provider.
func referenceOf(of *state.Resource) string { return of.URN + "::" + of.ID }

// providerOf returns the URN in a reference to a provider.
func providerOf(reference string) string {
	return reference[:max(0, strings.LastIndex(reference, "::"))]
}

// configure passes a provider's inputs to it, and keeps it for its resources.
func (i *instance) configure(of *state.Resource) error {
	r := i.run
	r.instances[referenceOf(of)] = i
	if u := r.aliasOf[of.URN]; u != "" { // what is in the state refers to it
		r.instances[u+"::"+of.ID] = i
	}
	if of.Inputs.ContainsUnknown() {
		i.unknown = true
		return nil
	}

	name := nameOf(of.URN)
	response, err := call(i, "Configure", i.Configure, &rpc.ConfigureRequest{
		URN: &of.URN, ID: &of.ID, Type: &of.Type, Name: &name, Args: i.sent(configOf(of.Inputs)),
		AcceptSecrets: true, AcceptResources: true, SendsOldInputs: true, SendsOldInputsToDelete: true,
	})
	if err != nil {
		return err
	}
	if !i.greeted {
		i.secrets, i.resources, i.previews = response.AcceptSecrets, response.AcceptResources, response.SupportsPreview
	}
	return nil
}

// check calls Check, or CheckConfig. The seed is the same for the same resource and the
// same predecessor, so that an update makes what its preview did.
func (i *instance) check(t *task, olds, news value.Value) (value.Value, error) {
	if i.unknown {
		return news, nil
	}

	method, f, sentOlds, sentNews := "Check", i.Check, olds, news
	if isProvider(t.now.Type) {
		method, f, sentOlds, sentNews = "CheckConfig", i.CheckConfig, configOf(olds), configOf(news)
	}
	seed := seedOf(&t.now, t.old)
	request := &rpc.CheckRequest{
		URN: t.now.URN, Name: t.goal.Name, Type: t.now.Type, Olds: i.sent(sentOlds), News: i.sent(sentNews), RandomSeed: rpc.Hide(seed[:]),
	}
	response, err := call(i, method, f, request)
	switch {
	case isProvider(t.now.Type) && errors.Is(err, errors.ErrUnsupported):
		return news, nil
	case err != nil:
		return value.Null(), err
	case len(response.Failures) > 0:
		return value.Null(), fmt.Errorf("%s: %w", method, i.run.refusal(response, news))
	}

	checked := protocol.Present(i.returned(&response.Inputs, news))
	if isProvider(t.now.Type) {
		return afterCheckConfig(checked, news)
	}
	return checked, nil
}

func nameOf(u string) string {
	parsed, _ := urn.Parse(u)
	return parsed.Name()
}

// seedOf returns 32 bytes for a resource with the old one that it follows, or nil.
func seedOf(now *state.Resource, old *entry) [sha256.Size]byte {
	text := now.URN
	if old != nil {
		text += "\x00" + old.ID
	}
	return sha256.Sum256([]byte(text))
}
