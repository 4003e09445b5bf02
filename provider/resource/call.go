package resource

import (
	"context"
	"errors"
	"time"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/value"
)

// call is a call in progress.
type call struct {
	urn  string
	hide secrets
}

type callKey struct{}

// URN returns the URN of the resource that a function is called for, or "".
func URN(ctx context.Context) string {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c.urn
	}
	return ""
}

// Log shows a message to the user of the engine, with the resource of the call, for example
// the progress of a long operation. The secrets of the call are masked. Engines take one of
// [rpc.LogError] as fatal. Without an engine that takes messages, Log does nothing.
func Log(ctx context.Context, severity rpc.LogSeverity, message string) {
	send := protocol.LogOf(ctx)
	if send == nil {
		return
	}
	r := &rpc.LogRequest{Severity: severity, Message: message}
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		r.URN, r.Message = c.urn, c.hide.mask(message)
	}
	_ = send(ctx, r) // there is nobody to tell
}

// run runs the work of a method: with a context that ends after a number of seconds, if it is
// not 0, and on Cancel. Its error does not show the secrets in values, of which some may still
// have to be marked, and a panic is one.
func run[R any](
	ctx context.Context, p *Provider, urn string, seconds float64, f func(context.Context, *call) (*R, error),
	mark func(value.Value) value.Value, values ...value.Value,
) (*R, error) {
	c := &call{urn: urn}
	c.hide.mark = mark
	c.hide.add(values...)
	if config := p.configured.Load(); config != nil {
		c.hide.add(config.values) // marked by WithDefaults
	}

	ctx, cancel := context.WithCancel(context.WithValue(ctx, callKey{}, c))
	defer cancel()
	if seconds > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Duration(min(seconds, mostSeconds)*float64(time.Second)))
		defer stop()
	}
	p.mu.Lock()
	if p.calls == nil {
		p.calls = map[*call]context.CancelFunc{}
	}
	p.calls[c] = cancel
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.calls, c)
	}()

	r, err := protected(ctx, c, f)
	if err != nil {
		return nil, c.safe(err)
	}
	return r, nil
}

// mostSeconds is a year, which a [time.Duration] holds.
const mostSeconds = 365 * 24 * 60 * 60

// protected turns a panic into an error.
func protected[R any](ctx context.Context, c *call, f func(context.Context, *call) (*R, error)) (r *R, err error) {
	defer func() {
		if recover() != nil {
			r, err = nil, panicked()
		}
	}()
	return f(ctx, c)
}

// safe returns an error that does not show the secrets of the call. It is the error itself if
// that does not.
func (c *call) safe(err error) error {
	var partial *protocol.PartialFailure
	if errors.As(err, &partial) {
		return partial // made here
	}

	text := errorText(err)
	if safe := c.hide.mask(text); safe != text {
		return protocol.Mask(err, safe, c.hide.mask)
	}
	return err
}

// errorText returns the text of an error whose method may panic.
func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = panicked().Error()
		}
	}()
	return err.Error()
}

// Cancel ends the contexts of the calls in progress.
func (p *Provider) Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, cancel := range p.calls {
		cancel()
	}
	return &rpc.Empty{}, nil
}
