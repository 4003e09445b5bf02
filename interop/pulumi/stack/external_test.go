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

// TestReadByReplacedProvider holds what docs/engine.md says of a provider that is deleted first
// and has read a resource: the engine drops the provider while the resource still refers to
// it, and ends, since it does not accept that state. Package engine keeps the provider.
func TestReadByReplacedProvider(t *testing.T) {
	r := &inProcess{t: t}
	r.provider.DiffConfigF = func(context.Context, plugin.DiffConfigRequest) (plugin.DiffConfigResponse, error) {
		return plugin.DiffResult{Changes: plugin.DiffSome, ReplaceKeys: []resource.PropertyKey{"region"}, DeleteBeforeReplace: true}, nil
	}
	r.provider.ReadF = func(_ context.Context, r plugin.ReadRequest) (plugin.ReadResponse, error) {
		return plugin.ReadResponse{ReadResult: plugin.ReadResult{ID: r.ID, Inputs: r.Inputs, Outputs: resource.PropertyMap{}}}, nil
	}
	program := func(region string) registration {
		return func(monitor *deploytest.ResourceMonitor) error {
			own, err := monitor.RegisterResource(ownType, "own", true, deploytest.ResourceOptions{
				Inputs: resource.PropertyMap{"region": resource.NewProperty(region)},
			})
			if err != nil {
				return err
			}

			_, _, err = monitor.ReadResource(thingType, "one", "id", "", nil, string(own.URN)+"::"+string(own.ID), "", "", nil, "", "")

			return err
		}
	}

	did := r.run(pulumiengine.Update, r.made(program("a")), false, program("b"))
	if did.err == nil || !strings.Contains(did.err.Error(), "failed to verify snapshot: resource "+thingURN+" refers to unknown provider "+ownURN) {
		t.Errorf("the engine ends with %v", did.err)
	}

	if got := did.ops(ownURN) + "; " + did.ops(thingURN); got != "delete-replaced replace create-replacement; " {
		t.Errorf("the engine does %s", got)
	}
}
