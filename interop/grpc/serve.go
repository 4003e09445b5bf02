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

// ServeOptions selects how a plugin runs. The zero ServeOptions is ready to use.
type ServeOptions struct {
	Server ServerOptions
	// Out receives the port, on the first line. Nil means standard output, where
	// engines read it.
	Out io.Writer
	// Engine is the address of the engine that started the provider, which [EngineAddress]
	// finds. Serve returns when that engine no longer responds. If it is empty, Serve runs
	// until its context is done: leave it empty for a provider that was started by hand,
	// to which engines attach.
	Engine string
}

const (
	// endGrace is how long calls may continue after they were cancelled.
	endGrace = 5 * time.Second
	// closeGrace is how long the connections may then take to end.
	closeGrace = time.Second
	// lostGrace is how long an engine may not respond before it counts as ended.
	lostGrace = 10 * time.Second
)

// Serve serves a provider on a free local port.
//
// Once it listens, it writes the port. It returns nil when the context is done or the
// engine has ended. Before that, it cancels the calls in progress and waits for up to
// five seconds until they end. A method that ignores its context is left running: its
// caller gets an error with the code Unavailable, and Serve returns within one more
// second. It returns an error if the listener cannot be opened or fails, or if the port
// cannot be written.
func Serve(ctx context.Context, p Provider, o ServeOptions) error {
	return serve(ctx, p, o, lostGrace, time.After)
}

// serve is Serve with a lostGrace and a time.After that can be replaced.
func serve(ctx context.Context, p Provider, o ServeOptions, lost time.Duration, after func(time.Duration) <-chan time.Time) error {
	notNil(ctx)
	g, s := newServer(p, o.Server)
	if o.Out == nil {
		o.Out = os.Stdout
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
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
			watch(ctx, o.Engine, lost)
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
		// An interceptor hangs, or a peer does not read. Stop may wait for it too.
		go g.Stop()
	}
	return err
}

// EngineAddress returns the address that an engine passes on the command line of a
// provider: the last of args, usually [os.Args], if it has the form host:port with a
// numeric port, otherwise "".
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

// watch returns when no server has responded at an address for as long as patience
// says, or when the context is done.
func watch(ctx context.Context, address string, patience time.Duration) {
	conn, err := dial(address, 0, google.WithIdleTimeout(0))
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
