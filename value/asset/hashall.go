package asset

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// HashAll returns v with the missing hashes of all assets and archives in it, entries of
// literal archives included. Those with a hash keep it and are not read; elided ones stay
// elided. Marks are kept; unchanged parts share memory with v.
//
// Limits.Parallel of them are read at once, each within the limits by itself; a file or
// URI with several places in v is read once. Of several errors the first in the order of
// [value.Value.Walk] is returned, with its place. Nothing runs in the background
// afterwards. An asset without a hash in a literal archive is read once for itself, and
// once for each archive that it is in.
func (c Contents) HashAll(ctx context.Context, v value.Value) (value.Value, error) {
	s := c.session(ctx, "hash all", v)
	defer s.close()
	p := plan(v)
	if len(p.jobs) == 0 {
		return v, nil
	}
	if err := s.run(p.jobs); err != nil {
		return v, err
	}
	f := filling{hashPlan: p}
	return f.run(v), nil
}

// hashPlan is what to hash: blobs are assets and archives in the order of Walk, an
// archive before its entries; each has the number of its job, or none.
type hashPlan struct {
	blobs []int
	jobs  []hashJob
}

const noJob = -1

type hashJob struct {
	v      value.Value
	at     path.Shown
	secret bool
	hash   string
	err    error
}

// hashKey is what assets and archives that are the same file have in common.
type hashKey struct {
	kind   value.Kind
	source value.Source
	text   string
	secret bool
}

func plan(v value.Value) *hashPlan {
	p := &hashPlan{}
	known := map[hashKey]int{}
	var open []literalFrame
	for c := range v.Walk() {
		secret := c.Value().IsSecret()
		blob := c.Value()
		for {
			a, isAsset := blob.AsAsset()
			r, isArchive := blob.AsArchive()
			if !isAsset && !isArchive {
				break
			}
			p.add(blob, a, r, isAsset, secret, c, known)
			if r.Len() > 0 {
				open = append(open, literalFrame{members: r})
			}
			var ok bool
			if blob, open, ok = nextMember(open); !ok {
				break
			}
		}
	}
	return p
}

// nextMember is the next entry of the archives that are open.
func nextMember(open []literalFrame) (value.Value, []literalFrame, bool) {
	for len(open) > 0 {
		top := &open[len(open)-1]
		_, member, ok := top.members.EntryAt(top.next)
		if ok {
			top.next++
			return member, open, true
		}
		open = open[:len(open)-1]
	}
	return value.Value{}, open, false
}

// add notes a blob, with a job if it needs one.
func (p *hashPlan) add(blob value.Value, a value.Asset, r value.Archive, isAsset, secret bool, c *value.Cursor, known map[hashKey]int) {
	key := hashKey{kind: blob.Kind(), secret: secret}
	var hashed bool
	if isAsset {
		_, hashed = a.Hash()
		key.source = a.Source()
		key.text, _ = a.Path()
		if uri, ok := a.URI(); ok {
			key.text = uri
		}
	} else {
		_, hashed = r.Hash()
		key.source = r.Source()
		key.text, _ = r.Path()
		if uri, ok := r.URI(); ok {
			key.text = uri
		}
	}
	if hashed {
		p.blobs = append(p.blobs, noJob)
		return
	}
	single := key.source == value.SourceLiteral || key.source == value.SourceText
	if job, ok := known[key]; ok && !single {
		p.blobs = append(p.blobs, job)
		return
	}
	known[key] = len(p.jobs)
	p.blobs = append(p.blobs, len(p.jobs))
	p.jobs = append(p.jobs, hashJob{v: blob, at: c.Shown(), secret: secret})
}

// run does all jobs, a few at once. They begin in order, so that when one fails, all
// before it are done or under way; only those after it are given up.
func (s *session) run(jobs []hashJob) error {
	r := hashRun{s: s, jobs: jobs, failed: len(jobs), cancels: map[int]context.CancelFunc{}}
	var workers sync.WaitGroup
	for range min(s.limits.Parallel, len(jobs)) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			r.work()
		}()
	}
	workers.Wait()
	if r.panicked != nil {
		panic(r.panicked) // a panic of the caller's code, which can recover it only here
	}
	i := slices.IndexFunc(jobs, func(j hashJob) bool { return j.err != nil })
	if i < 0 {
		return nil
	}
	var e *Error
	if errors.As(jobs[i].err, &e) {
		e.At = jobs[i].at
		return e
	}
	return jobs[i].err
}

// hashRun is shared by the workers of one HashAll.
type hashRun struct {
	s    *session
	jobs []hashJob

	mu      sync.Mutex
	next    int
	failed  int // the first job that failed, as far as is known
	cancels map[int]context.CancelFunc

	panicked any // what a file system or an opener panicked with
}

func (r *hashRun) work() {
	buffer := make([]byte, bufferSize)
	for {
		i, ctx := r.begin()
		if ctx == nil {
			return
		}
		r.do(ctx, i, buffer)
	}
}

// do does one job. If a file system or an opener of the caller's panics, or ends the
// goroutine, there is no hash.
func (r *hashRun) do(ctx context.Context, i int, buffer []byte) {
	j := &r.jobs[i]
	own := *r.s
	own.ctx, own.secret = ctx, j.secret
	j.err = own.fail(ErrRead, "")
	defer func() {
		if p := recover(); p != nil {
			r.mu.Lock()
			r.panicked = p
			r.mu.Unlock()
		}
		r.end(i)
	}()
	j.hash, j.err = own.hash(j.v, buffer)
}

// begin takes the next job; there is no context if there is none.
func (r *hashRun) begin() (int, context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.next
	if i >= r.failed {
		return 0, nil
	}
	r.next++
	ctx, cancel := context.WithCancel(r.s.ctx)
	r.cancels[i] = cancel
	return i, ctx
}

func (r *hashRun) end(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancels[i]()
	delete(r.cancels, i)
	if r.jobs[i].err == nil || i > r.failed {
		return
	}
	r.failed = i
	for later, cancel := range r.cancels {
		if later > i {
			cancel()
		}
	}
}
