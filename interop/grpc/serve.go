package grpc

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
)

// ServeOptions say how a plugin runs. The zero options are ready.
type ServeOptions struct {
	Server ServerOptions
	// Out is where the port is written, on the first line; nil: standard output,
	// where engines read it.
	Out io.Writer
	// Engine is the address of the engine that started the plugin (see
	// [EngineAddress]): when nobody answers there any more, Serve returns. Empty:
	// the plugin serves until its context is done, as one should that engines
	// attach to.
	Engine string
}

const (
	// endGrace is how long calls may go on after they were cancelled.
	endGrace = 5 * time.Second
	// closeGrace is how long the connections may then take to end.
	closeGrace = time.Second
	// lostGrace is for how long an engine may not answer before it is taken for
	// gone.
	lostGrace = 10 * time.Second
)

// Serve serves a provider on a port of this machine that is free, writes the port,
// and returns when the context is done or the engine is gone: nil then. Calls under
// way are cancelled and given five seconds. A method that goes on even then, because
// it does not look at its context, is left running: its caller gets an error with the
// code Unavailable, and Serve returns, within a second more.
func Serve(ctx context.Context, p Provider, o ServeOptions) error {
	return serve(ctx, p, o, time.After)
}

// serve is Serve with the clock by which it waits.
func serve(ctx context.Context, p Provider, o ServeOptions, after func(time.Duration) <-chan time.Time) error {
	if o.Out == nil {
		o.Out = os.Stdout
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	g, s := newServer(p, o.Server)
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err == nil {
		_, err = fmt.Fprintln(o.Out, port)
	}
	if err != nil {
		_ = l.Close()
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Engine != "" {
		go func() {
			watch(ctx, o.Engine, lostGrace)
			cancel()
		}()
	}
	served := make(chan error, 1)
	go func() { served <- g.Serve(l) }()
	select {
	case err = <-served: // the listener failed
	case <-ctx.Done():
	}
	s.end()
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		g.GracefulStop()
	}()
	select {
	case <-stopped:
		return err
	case <-after(endGrace):
	}
	close(s.left)
	select {
	case <-stopped:
	case <-after(closeGrace):
		// An interceptor that hangs, or a peer that reads nothing. Stop may wait for
		// it too.
		go g.Stop()
	}
	return err
}

// EngineAddress finds the address that an engine gives to a plugin: the last
// argument of the command line, if it is one; else "".
func EngineAddress(args []string) string {
	if len(args) < 2 {
		return ""
	}
	last := args[len(args)-1]
	host, port, err := net.SplitHostPort(last)
	if err != nil || host == "" {
		return ""
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return ""
	}
	return last
}

// watch returns when nobody has answered at an address for some time, or the
// context is done.
func watch(ctx context.Context, address string, patience time.Duration) {
	conn, err := google.NewClient("passthrough:///"+address, append(dialOptions(0), google.WithIdleTimeout(0))...)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	last := time.Now()
	for ctx.Err() == nil && time.Since(last) < patience {
		state := conn.GetState()
		if state == connectivity.Ready {
			conn.WaitForStateChange(ctx, state)
			last = time.Now()
			continue
		}
		conn.Connect()
		wait, cancel := context.WithTimeout(ctx, patience/4)
		conn.WaitForStateChange(wait, state)
		cancel()
	}
}
