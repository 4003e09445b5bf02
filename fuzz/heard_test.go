package fuzz_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/propalg/propalg/fuzz"
)

// heard is a test that keeps what a run fails for.
type heard struct {
	testing.TB
	ctx  context.Context
	said []string
}

func (h *heard) Context() context.Context          { return h.ctx }
func (h *heard) Failed() bool                      { return len(h.said) > 0 }
func (h *heard) Error(args ...any)                 { h.said = append(h.said, fmt.Sprint(args...)) }
func (h *heard) Errorf(format string, args ...any) { h.Error(fmt.Sprintf(format, args...)) }
func (h *heard) FailNow()                          { h.Helper(); h.Fatal(h.said) }

// alone returns what Run fails for, but for what happens in parallel.
func alone(t *testing.T, p fuzz.Provider) []string {
	t.Helper()

	ctx, stop := context.WithCancel(t.Context())
	stop()

	return said(ctx, t, p)
}

// said returns what Run fails for.
func said(ctx context.Context, t *testing.T, p fuzz.Provider) []string {
	t.Helper()
	h := &heard{TB: t, ctx: ctx}
	p.Run(h)

	return h.said
}
