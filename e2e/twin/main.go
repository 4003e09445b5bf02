// Command twin is what examples/provider would be if it were made with the server
// helpers of Pulumi's SDK: the same resource in a store of the same kind. It is
// there to be weighed, and does no more than that takes.
package main

import (
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

func main() {
	err := provider.Main("demo", func(*provider.HostClient) (pulumirpc.ResourceProviderServer, error) {
		return plugin.NewProviderServer(&demo{}), nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // main may
	}
}
