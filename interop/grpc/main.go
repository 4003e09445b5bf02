package grpc

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Main serves a provider as a plugin, until its engine ends or the process is interrupted. It
// takes what functions such as resource.New of package provider/resource return:
//
//	func main() { grpc.Main(resource.New(files)) }
//
// If err is not nil, or the provider cannot be served, Main prints the error and exits with the
// code 1.
func Main(p Provider, err error) {
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		err = Serve(ctx, p, ServeOptions{
			Engine: EngineAddress(os.Args),
			Server: ServerOptions{Panicked: func(method, stack string) { fmt.Fprintln(os.Stderr, method, "panicked:\n"+stack) }},
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo,gocritic // it is what a program's main does, and stop has nothing left to do
	}
}
