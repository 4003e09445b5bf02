package engine

import (
	"errors"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

const (
	// internalInput is the input of provider resources in which engines keep what they
	// need to find the plugin. Providers do not get it, and their state does not have it.
	internalInput = "__internal"
	versionInput  = "version" // of the plugin
)

func configOf(inputs value.Value) value.Value {
	config, _ := inputs.Without(path.Path{}.Member(internalInput))
	return config
}

// withConfigState returns a resource of the state. If it is a provider resource without
// outputs, as old engines wrote them, its inputs are its outputs.
func withConfigState(r state.Resource) state.Resource {
	if isProvider(r.Type) && r.Outputs.Len() == 0 {
		r.Outputs = configOf(r.Inputs)
	}
	return r
}

// afterCheckConfig returns the inputs of a provider resource for those that CheckConfig
// returned. The provider cannot change what selects its plugin.
func afterCheckConfig(checked, news value.Value) (value.Value, error) {
	version, ok := news.Lookup(versionInput)
	found, kept := checked.Lookup(versionInput)
	switch {
	case ok && !kept:
		checked, _ = checked.WithField(versionInput, version)
	case ok && !value.Engine.Equal(found, version):
		return value.Null(), errors.New("CheckConfig: the provider changed the version of its plugin")
	}

	if internal, ok := news.Lookup(internalInput); ok {
		checked, _ = checked.WithField(internalInput, internal)
	}
	return checked, nil
}

// diffConfig calls DiffConfig. If the provider does not know, engines compare its state
// with the new inputs, and neither ignore any nor say which ones changed.
func (i *instance) diffConfig(old *state.Resource, news value.Value, ignored []string) (provider.Response, provider.Sides, error) {
	sides := provider.Sides{OldInputs: configOf(old.Inputs), OldState: old.Outputs, News: configOf(news)}
	response, err := call(i, "DiffConfig", i.DiffConfig, i.diffRequest(old, sides, ignored))
	if errors.Is(err, errors.ErrUnsupported) {
		response, err = &rpc.DiffResponse{}, nil // DIFF_UNKNOWN
	}
	if err != nil {
		return provider.Response{}, sides, err
	}

	answer := provider.ResponseOf(response)
	if answer.Changes == rpc.DiffUnknown {
		answer.Changes = differ(sides.OldState, sides.News)
	}
	return answer, sides, nil
}
