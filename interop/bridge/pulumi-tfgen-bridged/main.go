//go:build tfgen

// Command pulumi-tfgen-bridged writes the schema of package bridged; go generate runs it.
package main

import (
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/pf/tfgen"

	"github.com/propalg/propalg/interop/bridge/bridged"
)

func main() { tfgen.Main("bridged", bridged.Info()) }
