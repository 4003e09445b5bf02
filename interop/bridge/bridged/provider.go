// Package bridged is a provider of buckets and users in memory for Terraform, written with
// terraform-plugin-framework, and what Pulumi's Terraform bridge has to know to serve it.
// docs/notes/any-provider.md says what propalg-test finds in it.
package bridged

import (
	"context"
	_ "embed" // the metadata
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	pf "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/pf/tfbridge"
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge"
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge/tokens"
)

//go:embed bridge-metadata.json
var metadata []byte

// Info describes the provider to the bridge.
func Info() tfbridge.ProviderInfo {
	info := tfbridge.ProviderInfo{
		P: pf.ShimProvider(&memory{}), Name: "bridged", Version: "0.1.0",
		MetadataInfo: tfbridge.NewProviderMetadata(metadata),
	}
	info.MustComputeTokens(tokens.SingleModule("bridged_", "index", tokens.MakeStandard("bridged")))
	return info
}

// memory is a provider without configuration.
type memory struct{}

func (*memory) Metadata(_ context.Context, _ provider.MetadataRequest, to *provider.MetadataResponse) {
	to.TypeName = "bridged"
}

func (*memory) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (*memory) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (*memory) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (*memory) Resources(context.Context) []func() resource.Resource {
	buckets, users := &store[bucketModel]{}, &store[userModel]{}
	return []func() resource.Resource{
		func() resource.Resource { return &bucket{buckets} },
		func() resource.Resource { return &user{users} },
	}
}

// store holds what was created.
type store[T any] struct {
	mu     sync.Mutex
	all    map[string]T
	serial int
}

func (s *store[T]) nextID(prefix string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	return fmt.Sprint(prefix, s.serial)
}

func (s *store[T]) get(id string) (x T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok = s.all[id]
	return x, ok
}

func (s *store[T]) set(id string, x T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]T{}
	}
	s.all[id] = x
}

func (s *store[T]) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, id)
}
