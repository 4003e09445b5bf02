// Command pulumi-resource-bridged serves package bridged to Pulumi.
package main

import (
	"context"
	_ "embed" // the schema

	pf "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/pf/tfbridge"

	"github.com/propalg/propalg/interop/bridge/bridged"
)

//go:generate go run -tags generate ../pulumi-tfgen-bridged schema --out .
//go:generate mv bridge-metadata.json ../bridged/

//go:embed schema.json
var schema []byte

func main() {
	pf.Main(context.Background(), "bridged", bridged.Info(), pf.ProviderMetadata{PackageSchema: schema})
}
