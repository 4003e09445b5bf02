package stack_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/contract"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/fuzz"
	pulumi "github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// world is what the providers of both sides answer in a run, by the name of a resource.
type world struct {
	diffs map[string]provider.Response
	fails map[string]bool // with the method before the name
	wants map[string]bool // to be refreshed before each update
	gone  map[string]bool // a refresh does not find it

	replaced []string // the URNs of what is to be replaced
	options  engine.Options
}

// side is what a provider of a side was called with.
type side struct {
	*world
	sync.Mutex
	calls []string
	made  map[string]int // by name
}

// called records a call, and says whether it fails.
func (s *side) called(method, urn, id string, bags ...value.Value) error {
	s.Lock()
	defer s.Unlock()
	line := method + " " + short(urn) + " " + id
	for _, bag := range bags {
		line += " " + fuzz.GoSource(bag)
	}
	s.calls = append(s.calls, line)
	if s.fails[method+" "+nameOf(urn)] {
		return errors.New("no")
	}
	return nil
}

// deletes records the deletion of something, unless it was deleted before.
func (s *side) deletes(urn, id string, bags ...value.Value) error {
	s.Lock()
	was := s.made[deletion(urn, id)] > 0
	s.Unlock()
	if was { // it waits to be replaced, and was created first then
		return nil
	}
	err := s.called("Delete", urn, id, bags...)
	if err == nil {
		s.Lock()
		s.made[deletion(urn, id)] = 1
		s.Unlock()
	}
	return err
}

// deletion is what a deletion is known by. What is imported may be there under two URNs.
func deletion(urn, id string) string {
	if strings.HasPrefix(id, "i") {
		return urn + " " + id
	}
	return id
}

// again notes that something which was deleted is there.
func (s *side) again(urn, id string) {
	s.Lock()
	defer s.Unlock()
	s.made[deletion(urn, id)] = 0
}

func (s *side) next(urn string) string {
	s.Lock()
	defer s.Unlock()
	s.made[nameOf(urn)]++
	return fmt.Sprint(nameOf(urn), "#", s.made[nameOf(urn)])
}

// found are the inputs of what is imported.
var found = value.Object(value.Field("a", value.Number(1)), value.Field("b", value.Number(1)))

// stateOf is the state of a resource: the inputs, and its ID.
func stateOf(inputs value.Value, id string) value.Value {
	state, _ := inputs.WithField("out", value.String(id))
	return state
}

func nameOf(urn string) string { return urn[strings.LastIndex(urn, ":")+1:] }
func short(urn string) string  { return strings.TrimPrefix(urn, "urn:pulumi:test::test::") }

// ourSide is the provider as package engine calls it.
type ourSide struct {
	fake
	*side
}

func (s *ourSide) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	err := s.called("Diff", r.URN, r.ID, r.OldInputs, r.Olds, r.News)
	return provider.NewDiffResponse(s.diffs[nameOf(r.URN)]), err
}

func (s *ourSide) DiffConfig(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	err := s.called("DiffConfig", r.URN, "", r.OldInputs, r.Olds, r.News)
	return provider.NewDiffResponse(s.diffs[nameOf(r.URN)]), err
}

func (s *ourSide) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, s.called("Check", r.URN, "", r.Olds, r.News)
}

func (s *ourSide) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	if err := s.called("Create", r.URN, "", r.Properties); err != nil {
		return nil, err
	}
	if r.Preview {
		return &rpc.CreateResponse{Properties: r.Properties}, nil
	}
	id := s.next(r.URN)
	return &rpc.CreateResponse{ID: id, Properties: stateOf(r.Properties, id), RefreshBeforeUpdate: s.wants[nameOf(r.URN)]}, nil
}

func (s *ourSide) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	if err := s.called("Update", r.URN, r.ID, r.OldInputs, r.Olds, r.News); err != nil {
		return nil, err
	}
	if r.Preview {
		return &rpc.UpdateResponse{Properties: r.News}, nil
	}
	return &rpc.UpdateResponse{Properties: stateOf(r.News, r.ID), RefreshBeforeUpdate: s.wants[nameOf(r.URN)]}, nil
}

func (s *ourSide) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	if err := s.called("Read", r.URN, r.ID, r.Inputs, r.Properties); err != nil || s.gone[nameOf(r.URN)] {
		return &rpc.ReadResponse{}, err
	}
	inputs := r.Inputs
	if inputs.IsNull() {
		inputs = found
	}
	return &rpc.ReadResponse{ID: r.ID, Inputs: inputs, Properties: stateOf(inputs, r.ID), RefreshBeforeUpdate: s.wants[nameOf(r.URN)]}, nil
}

func (s *ourSide) Delete(_ context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	return &rpc.Empty{}, s.called("Delete", r.URN, r.ID, r.OldInputs, r.Properties)
}

func orEmpty(bag value.Value) value.Value {
	if bag.IsNull() {
		return value.Object()
	}
	return bag
}

// provider is the provider as Pulumi's engine calls it.
func (s *side) provider() deploytest.Provider {
	ours := func(bag resource.PropertyMap) value.Value {
		v, err := pulumi.FromPropertyMap(bag)
		contract.AssertNoErrorf(err, "a bag of the engine")
		return v
	}
	back := func(v value.Value) resource.PropertyMap {
		bag, err := pulumi.ToPropertyMap(v)
		contract.AssertNoErrorf(err, "a bag of ours")
		return bag
	}
	return deploytest.Provider{
		CheckF: func(_ context.Context, r plugin.CheckRequest) (plugin.CheckResponse, error) {
			return plugin.CheckResponse{Properties: r.News}, s.called("Check", string(r.URN), "", ours(r.Olds), ours(r.News))
		},
		DiffF: func(_ context.Context, r plugin.DiffRequest) (plugin.DiffResult, error) {
			err := s.called("Diff", string(r.URN), string(r.ID), ours(r.OldInputs), ours(r.OldOutputs), ours(r.NewInputs))
			return answerOf(s.diffs[nameOf(string(r.URN))]), err
		},
		DiffConfigF: func(_ context.Context, r plugin.DiffConfigRequest) (plugin.DiffConfigResponse, error) {
			err := s.called("DiffConfig", string(r.URN), "", ours(r.OldInputs), ours(r.OldOutputs), ours(r.NewInputs))
			return answerOf(s.diffs[nameOf(string(r.URN))]), err
		},
		CreateF: func(_ context.Context, r plugin.CreateRequest) (plugin.CreateResponse, error) {
			if err := s.called("Create", string(r.URN), "", ours(r.Properties)); err != nil {
				return plugin.CreateResponse{Status: resource.StatusUnknown}, err
			}
			if r.Preview {
				return plugin.CreateResponse{Properties: r.Properties}, nil
			}
			id := s.next(string(r.URN))
			return plugin.CreateResponse{ID: resource.ID(id), Properties: back(stateOf(ours(r.Properties), id)), RefreshBeforeUpdate: s.wants[nameOf(string(r.URN))]}, nil
		},
		UpdateF: func(_ context.Context, r plugin.UpdateRequest) (plugin.UpdateResponse, error) {
			if err := s.called("Update", string(r.URN), string(r.ID), ours(r.OldInputs), ours(r.OldOutputs), ours(r.NewInputs)); err != nil {
				return plugin.UpdateResponse{Status: resource.StatusUnknown}, err
			}
			if r.Preview {
				return plugin.UpdateResponse{Properties: r.NewInputs}, nil
			}
			return plugin.UpdateResponse{Properties: back(stateOf(ours(r.NewInputs), string(r.ID))), RefreshBeforeUpdate: s.wants[nameOf(string(r.URN))]}, nil
		},
		ReadF: func(_ context.Context, r plugin.ReadRequest) (plugin.ReadResponse, error) {
			if err := s.called("Read", string(r.URN), string(r.ID), ours(r.Inputs), ours(r.State)); err != nil || s.gone[nameOf(string(r.URN))] {
				return plugin.ReadResponse{}, err
			}
			inputs := ours(r.Inputs)
			if r.Inputs == nil {
				inputs = found
				s.again(string(r.URN), string(r.ID))
			}
			read := plugin.ReadResult{ID: r.ID, Inputs: back(inputs), Outputs: back(stateOf(inputs, string(r.ID))), RefreshBeforeUpdate: s.wants[nameOf(string(r.URN))]}
			return plugin.ReadResponse{ReadResult: read, Status: resource.StatusOK}, nil
		},
		DeleteF: func(_ context.Context, r plugin.DeleteRequest) (plugin.DeleteResponse, error) {
			return plugin.DeleteResponse{}, s.deletes(string(r.URN), string(r.ID), ours(r.Inputs), ours(r.Outputs))
		},
	}
}
