// Command pulumi-resource-demo is the plugin: an engine starts it, reads the port
// that it prints, and calls. Started by hand it serves until it is interrupted;
// engines attach to it by PULUMI_DEBUG_PROVIDERS=demo:PORT.
package main

import (
	"os"

	"github.com/propalg/propalg/examples/provider/demo"
	"github.com/propalg/propalg/interop/grpc"
)

func main() { grpc.Main(demo.New(os.LookupEnv)) }
