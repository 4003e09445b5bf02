package stack_test

import (
	"context"
	"strings"
	"testing"

	pulumiengine "github.com/pulumi/pulumi/pkg/v3/engine"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// TestNeededProvider holds what docs/engine.md says of a provider that is deleted first and has
// read a resource, or that a component has in the state: the engine drops the provider while these
// still refer to it, and ends, since it does not accept that state. Package engine keeps the provider.
func TestNeededProvider(t *testing.T) {
	r := &inProcess{t: t}
	r.provider.DiffConfigF = func(context.Context, plugin.DiffConfigRequest) (plugin.DiffConfigResponse, error) {
		return plugin.DiffResult{Changes: plugin.DiffSome, ReplaceKeys: []resource.PropertyKey{"region"}, DeleteBeforeReplace: true}, nil
	}
	r.provider.ReadF = func(_ context.Context, r plugin.ReadRequest) (plugin.ReadResponse, error) {
		return plugin.ReadResponse{ReadResult: plugin.ReadResult{ID: r.ID, Inputs: r.Inputs, Outputs: resource.PropertyMap{}}}, nil
	}
	r.provider.ConstructF = func(_ context.Context, r plugin.ConstructRequest, monitor *deploytest.ResourceMonitor) (plugin.ConstructResponse, error) {
		made, err := monitor.RegisterResource(r.Type, r.Name, false, deploytest.ResourceOptions{Parent: r.Parent})
		if err != nil {
			return plugin.ConstructResponse{}, err
		}
		return plugin.ConstructResponse{URN: made.URN}, nil
	}
	isComponent := false
	program := func(region string) registration {
		return func(monitor *deploytest.ResourceMonitor) error {
			own, err := monitor.RegisterResource(ownType, "own", true, deploytest.ResourceOptions{
				Inputs: resource.PropertyMap{"region": resource.NewProperty(region)},
			})
			if err != nil {
				return err
			}

			by := string(own.URN) + "::" + string(own.ID)
			if isComponent {
				_, err = monitor.RegisterResource(thingType, "one", false, deploytest.ResourceOptions{Remote: true, Provider: by})
			} else {
				_, _, err = monitor.ReadResource(thingType, "one", "id", "", nil, by, "", "", nil, "", "")
			}
			return err
		}
	}

	for _, isComponent = range []bool{false, true} {
		before := r.made(program("a"))
		own, one := before.Resources[0], before.Resources[1]
		if by := string(own.URN) + "::" + string(own.ID); isComponent {
			if one.Provider != "" {
				t.Errorf("a remote component has the provider %s", one.Provider)
			}
			one.Provider = by
		}
		did := r.run(pulumiengine.Update, before, false, program("b"))
		if did.err == nil || !strings.Contains(did.err.Error(), "failed to verify snapshot: resource "+thingURN+" refers to unknown provider "+ownURN) {
			t.Errorf("the engine ends with %v", did.err)
		}
		if got := did.ops(ownURN) + "; " + did.ops(thingURN); got != "delete-replaced replace create-replacement; " {
			t.Errorf("the engine does %s", got)
		}
	}
}
