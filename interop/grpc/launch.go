package grpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	google "google.golang.org/grpc"
)

// LaunchOptions say how a provider is started. The zero options are ready.
type LaunchOptions struct {
	Args       []string      // behind the program's name; engines give their address last
	Dir        string        // the working folder; empty: that of this process
	Env        []string      // nil: that of this process
	Stderr     io.Writer     // gets what the provider writes, but for the port; nil: nobody does
	Timeout    time.Duration // until the port is there; 0: a minute
	MaxMessage int           // as in ServerOptions
}

// taking hands on what two pipes bring, one piece after another.
type taking struct {
	mu sync.Mutex
	to io.Writer
}

func (w *taking) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// Plugin is a provider that was started, or connected to. Close it. The zero Plugin
// is connected to nothing.
type Plugin struct {
	*Client
	address string
	close   func() error
}

// Address is where the provider listens.
func (p *Plugin) Address() string { return p.address }

// Close ends the connection, and the process if there is one: nothing is written to
// LaunchOptions.Stderr any more. Its error is that of the connection: how a process
// ends that is told to is no matter.
func (p *Plugin) Close() error {
	if p.close == nil {
		return nil
	}
	return p.close()
}

// Connect returns a client of a provider that is running. It does not wait until
// somebody answers: the first call does.
func Connect(address string) (*Plugin, error) {
	conn, err := google.NewClient("passthrough:///"+address, dialOptions(0)...)
	if err != nil {
		return nil, err
	}
	return &Plugin{Client: NewClient(conn), address: address, close: conn.Close}, nil
}

// Launch starts a provider's program, waits for its port, and connects to it. The
// process ends with Close or when the context is done. An error wraps [ErrLaunch].
func Launch(ctx context.Context, program string, o LaunchOptions) (*Plugin, error) {
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, program, o.Args...)
	messages := &taking{to: o.Stderr}
	cmd.Dir, cmd.Env, cmd.Stderr = o.Dir, o.Env, messages
	cmd.WaitDelay = time.Second
	out, in := io.Pipe()
	cmd.Stdout = in
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, fmt.Errorf("%w: %w", ErrLaunch, err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = in.CloseWithError(errors.Join(io.EOF, cmd.Wait()))
	}()
	end := func() {
		cancel()
		_ = out.Close()
		<-ended
	}
	late := time.AfterFunc(o.Timeout, cancel)
	lines := bufio.NewReaderSize(out, 64)
	line, err := lines.ReadSlice('\n')
	if !late.Stop() && err != nil {
		err = context.DeadlineExceeded
	}
	if err != nil {
		end()
		return nil, fmt.Errorf("%w: no port on its first line: %w", ErrLaunch, err)
	}
	port, err := strconv.ParseUint(strings.TrimSpace(string(line)), 10, 16)
	if err != nil || port == 0 {
		end()
		return nil, fmt.Errorf("%w: its first line is no port", ErrLaunch)
	}
	conn, err := google.NewClient(fmt.Sprintf("passthrough:///127.0.0.1:%d", port), dialOptions(o.MaxMessage)...)
	if err != nil {
		end()
		return nil, fmt.Errorf("%w: %w", ErrLaunch, err)
	}
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(messages, lines)
	}()
	return &Plugin{Client: NewClient(conn), address: fmt.Sprintf("127.0.0.1:%d", port), close: func() error {
		err := conn.Close()
		end()
		<-copied
		return err
	}}, nil
}
