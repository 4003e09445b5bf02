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
)

// LaunchOptions selects how a provider is started. The zero LaunchOptions is ready to
// use.
type LaunchOptions struct {
	Args       []string      // without the program's name; engines pass their address last
	Dir        string        // working directory; empty for that of this process
	Env        []string      // environment; nil for that of this process
	Stderr     io.Writer     // receives the provider's output except for the port; nil to discard it
	Timeout    time.Duration // for the port to appear; 0 for a minute
	MaxMessage int           // as in ServerOptions
}

// lockedWriter is a writer for two pipes, one write at a time.
type lockedWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// Plugin is the client of a provider that was started or connected to. It must be
// closed. The zero Plugin has no connection.
type Plugin struct {
	*Client
	address string
	close   func() error
}

// Address returns the address at which the provider listens.
func (p *Plugin) Address() string { return p.address }

// Close closes the connection and ends the process, if [Launch] started it. After that
// nothing is written to LaunchOptions.Stderr. The error is that of the connection; the
// exit status of the process is ignored.
func (p *Plugin) Close() error {
	if p.close == nil {
		return nil
	}
	return p.close()
}

// Connect returns a client of a running provider. The first call waits for the
// connection.
func Connect(address string) (*Plugin, error) {
	conn, err := dial(address, 0)
	if err != nil {
		return nil, err
	}
	return &Plugin{Client: NewClient(conn), address: address, close: conn.Close}, nil
}

// Launch starts a provider's program, waits for its port, and connects to it. Close or
// the end of the context ends the process. The error wraps [ErrLaunch].
//
// On Unix the process is the first of a process group, as under an engine: an interrupt from
// the terminal does not reach it, and what it started ends with it.
func Launch(ctx context.Context, program string, o LaunchOptions) (*Plugin, error) {
	notNil(ctx)
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	messages := &lockedWriter{to: o.Stderr}
	p, err := start(ctx, program, o, messages)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLaunch, err)
	}
	address, err := p.readAddress(o.Timeout)
	if err != nil {
		p.end()
		return nil, fmt.Errorf("%w: %w", ErrLaunch, err)
	}

	conn, err := dial(address, o.MaxMessage)
	if err != nil {
		p.end()
		return nil, fmt.Errorf("%w: %w", ErrLaunch, err)
	}

	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(messages, p.lines)
	}()
	return &Plugin{Client: NewClient(conn), address: address, close: func() error {
		err := conn.Close()
		p.end()
		<-copied
		return err
	}}, nil
}

// process is a provider's program that was started.
type process struct {
	cancel context.CancelFunc
	out    *io.PipeReader // standard output
	lines  *bufio.Reader  // of out
	ended  chan struct{}  // closed when the process has ended
}

func start(ctx context.Context, program string, o LaunchOptions, messages io.Writer) (*process, error) {
	ctx, cancel := context.WithCancel(ctx)
	out, in := io.Pipe()
	cmd := exec.CommandContext(ctx, program, o.Args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = o.Dir, o.Env, in, messages
	cmd.WaitDelay = time.Second
	endGroup := grouped(cmd)
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, err
	}

	p := &process{cancel: cancel, out: out, lines: bufio.NewReaderSize(out, 64), ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		err := cmd.Wait()
		endGroup()
		_ = in.CloseWithError(errors.Join(io.EOF, err))
	}()
	return p, nil
}

// readAddress reads the port on the first line of the output, and returns its address.
func (p *process) readAddress(timeout time.Duration) (string, error) {
	late := time.AfterFunc(timeout, p.cancel)
	line, err := p.lines.ReadSlice('\n')
	if !late.Stop() && err != nil {
		err = context.DeadlineExceeded
	}
	if err != nil {
		return "", fmt.Errorf("no port on its first line: %w", err)
	}

	port, err := strconv.ParseUint(strings.TrimSpace(string(line)), 10, 16)
	if err != nil || port == 0 {
		return "", errors.New("its first line is not a port")
	}
	return fmt.Sprintf("127.0.0.1:%d", port), nil
}

func (p *process) end() {
	p.cancel()
	_ = p.out.Close()
	<-p.ended
}
