package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/propalg/propalg/codec/rpc"
)

// grace is how long a run waits for what providers still do after its context is done, and
// for Cancel and Close at its end.
const grace = 5 * time.Second

// job is something that a provider does, in a goroutine of its own, since it may never return.
type job struct {
	what   string
	ended  chan struct{}
	thrown any // what it panicked with
}

func begin(what string, do func()) *job {
	j := &job{what: what, ended: make(chan struct{})}
	go func() {
		defer j.end()
		do()
	}()
	return j
}

func (j *job) end() {
	if thrown := recover(); thrown != nil {
		j.thrown = traced(thrown)
	}
	close(j.ended)
}

func (j *job) endsBy(end time.Time) bool {
	late := time.NewTimer(time.Until(end))
	defer late.Stop()

	select {
	case <-j.ended:
		return true
	case <-late.C:
	}
	select {
	case <-j.ended: // at the same time
		return true
	default:
		return false
	}
}

// panicked is an error or text that a provider panicked with, and where.
type panicked struct {
	value any
	stack string
}

// Error returns the text, and the stack.
func (p *panicked) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// Unwrap returns the error that the provider panicked with, or nil.
func (p *panicked) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

// traced returns what a run panics with if a provider does: the stack of the run does not
// show where. Values that are neither errors nor texts belong to somebody who recovers them.
func traced(value any) any {
	switch value.(type) {
	case error, string:
		return &panicked{value, stack()}
	}
	return value
}

// stack returns where a panic was, without the arguments that debug.Stack has, which are what
// a provider was sent.
func stack() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs[:])])

	var b strings.Builder
	for {
		frame, more := frames.Next()
		fmt.Fprintf(&b, "%s\n\t%s:%d\n", frame.Function, frame.File, frame.Line)
		if !more {
			return b.String()
		}
	}
}

// A method that called runtime.Goexit, as t.FailNow does, ends with errEnded.
var errEnded = errors.New("the method ended its goroutine")

type message[T any] interface {
	*T
	rpc.Message
}

// calling is a call in progress: the method has the request, and writes what it returns.
type calling[Q, R any, PQ message[Q], PR message[R]] struct {
	job
	passed   Q
	response PR
	err      error
}

func (c *calling[Q, R, PQ, PR]) do(ctx context.Context, f func(context.Context, PQ) (PR, error)) {
	defer c.end()
	c.response, c.err = f(ctx, &c.passed)
}

// call calls a method, and records that. The request is the provider's, and so is its
// response: copies are recorded, and returned. The context of the call does not end; if that
// of the run does, the provider gets Cancel.
func call[Q, R any, PQ message[Q], PR message[R]](i *instance, method string, f func(context.Context, PQ) (PR, error), request PQ) (PR, error) {
	r := i.run
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	c := &calling[Q, R, PQ, PR]{job: job{what: method, ended: make(chan struct{})}, passed: *request, err: errEnded}
	if !i.secrets {
		unmark(PQ(&c.passed))
	}
	go c.do(r.endless, f)

	var response PR
	var err error
	switch {
	case !r.await(&c.job):
		err = r.abandoned(&c.job)
	case c.thrown != nil:
		panic(c.thrown)

	case c.err == errEnded: //nolint:errorlint // that very one
		err = errEnded
	case c.err != nil:
		err = r.said(c.err)
	case c.response == nil:
		err = errors.New("no response")
	default:
		own := *c.response // the other one may be the provider's
		response = &own
	}
	return answered(r, method, request, response, err)
}

func answered[Q, R any, PQ message[Q], PR message[R]](r *run, method string, request PQ, response PR, err error) (PR, error) {
	done := Call{Method: method, Request: request}
	if err != nil {
		done.Err = fmt.Errorf("%s: %w", method, err)
	} else {
		done.Response = response
	}

	r.calls = append(r.calls, done)
	return response, done.Err
}

// await waits for a job. If the context of the run ends meanwhile, the providers get Cancel,
// and have a while to end what they do.
func (r *run) await(j *job) bool {
	select {
	case <-j.ended:
		return true
	case <-r.ctx.Done():
	}

	if r.end.IsZero() {
		r.end = time.Now().Add(grace)
		for _, i := range r.launched {
			r.cancels = append(r.cancels, i.end("Cancel"))
		}
	}
	return j.endsBy(r.end)
}

// end begins the end of a provider: Cancel or Close.
func (i *instance) end(method string) *job {
	return begin(method+" of "+i.name, func() {
		if method == "Cancel" {
			_, _ = i.Cancel(i.run.endless, &rpc.Empty{}) // advisory
		} else if c, ok := i.Provider.(io.Closer); ok {
			_ = c.Close() // nothing depends on it
		}
	})
}

// close ends all providers: engines send Cancel before they close one. The error names what
// does not return.
func (r *run) close() error {
	var left []*job
	for _, j := range r.cancels {
		if !j.endsBy(r.end) {
			left = append(left, j)
		}
	}

	methods := []string{"Cancel", "Close"}
	if len(r.cancels) > 0 {
		methods = methods[1:]
	}
	for _, method := range methods {
		left = append(left, r.closeAll(method, len(left) > 0)...)
	}
	r.launched, r.cancels = nil, nil
	if len(left) > 0 {
		return r.abandoned(left...)
	}
	return nil
}

// closeAll ends all providers by a method, one after another; but all that are left at once
// if one does not return, since many may wait for the same. It returns what does not.
func (r *run) closeAll(method string, atOnce bool) (left []*job) {
	var begun []*job
	for _, i := range r.launched {
		j := i.end(method)
		if atOnce {
			begun = append(begun, j)
		} else if !j.endsBy(time.Now().Add(grace)) {
			atOnce, left = true, append(left, j)
		}
	}

	end := time.Now().Add(grace)
	for _, j := range begun {
		if !j.endsBy(end) {
			left = append(left, j)
		}
	}
	return left
}

// abandoned returns the error for jobs that still run.
func (r *run) abandoned(jobs ...*job) error {
	what := make([]string, 0, len(jobs))
	for _, j := range jobs {
		what = append(what, j.what)
	}
	err := fmt.Errorf("%w: %s", errRuns, strings.Join(what, ", "))
	if ended := r.ctx.Err(); ended != nil {
		err = fmt.Errorf("%w: %w", ended, err)
	}
	return err
}

// errRuns reports that a run left something behind.
var errRuns = errors.New("still runs, and was left")
