package asset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Hash returns the hash of an asset's or archive's contents, in lower-case hex, as Pulumi
// computes it: the SHA-256 of an asset's or an archive file's bytes, or of the TAR that
// [Contents.Write] makes of any other archive. It always reads the contents, even if the
// value has a hash.
func (c Contents) Hash(ctx context.Context, v value.Value) (string, error) {
	s := c.session(ctx, "hash", v)
	defer s.close()
	return s.hash(v, make([]byte, bufferSize))
}

func (s *session) hash(v value.Value, buffer []byte) (string, error) {
	if err := s.live(""); err != nil {
		return "", err
	}

	sum := sha256.New()
	if err := s.writeContents(sum, v, buffer); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// writeContents writes what is hashed: an asset or an archive file as it is, any other
// archive as a TAR.
func (s *session) writeContents(w io.Writer, v value.Value, buffer []byte) error {
	if a, ok := v.AsAsset(); ok {
		it, err := s.assetItem(a)
		if err != nil {
			return err
		}
		defer it.close()
		return s.copyItem(w, it, buffer)
	}
	a, ok := v.AsArchive()
	if !ok {
		return s.fail(ErrKind, "").want("asset or archive").found(v.Kind().String())
	}

	file, _, err := s.packedFile(a)
	switch {
	case err != nil:
		return err
	case file != nil:
		return s.copyFile(w, file, buffer)
	}
	return s.writeTAR(w, a, buffer)
}

// copyFile writes an archive file as it is, as contents.
func (s *session) copyFile(w io.Writer, file *source, buffer []byte) error {
	defer file.close()
	if err := s.allow(file.size, file.shown); err != nil {
		return err
	}
	file.packed = false
	return s.copyItem(w, file.item(), buffer)
}

// HashAll returns v with hashes for all assets and archives in it that have none, entries
// of literal archives included. Those with a hash keep it and are not read; elided ones
// stay elided. Marks are kept; unchanged parts share memory with v.
//
// Up to Limits.Parallel assets and archives are read at once, each with limits of its own.
// A file or URI that occurs several times in v, always or never in a secret, is read once,
// and once more for each literal archive without a hash that it is in.
//
// If several cannot be read, the error is that of the first in the order of
// [value.Value.Walk], with its place. With an error, HashAll returns v itself. Nothing
// runs in the background after the return.
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
	return p.filled(v), nil
}

type hashPlan struct {
	blobs []int // the job of each asset and archive without a hash, in the order of eachBlob
	jobs  []hashJob
}

type hashJob struct {
	v      value.Value
	at     path.Shown
	secret bool
	hash   string
	err    error
	cancel context.CancelFunc
}

// hashKey is equal for assets or archives that are the same file.
type hashKey struct {
	kind   value.Kind
	source value.Source
	text   string
	secret bool
}

// eachBlob returns v with what f returns for each asset and archive in it, an archive
// before its entries.
func eachBlob(v value.Value, f func(c *value.Cursor) value.Value) (value.Value, error) {
	return value.Transformer{Archives: true, Before: func(c *value.Cursor) (value.Value, error) {
		if kind := c.Value().Kind(); kind != value.KindAsset && kind != value.KindArchive {
			return c.Value(), nil
		}
		return f(c), nil
	}}.Apply(v)
}

func plan(v value.Value) *hashPlan {
	p := &hashPlan{}
	known := map[hashKey]int{}
	_, _ = eachBlob(v, func(c *value.Cursor) value.Value { // never fails: nothing changes
		key, hashed := keyOf(c.Value())
		if hashed {
			return c.Value()
		}

		isShared := key.source != value.SourceLiteral && key.source != value.SourceText
		job, ok := known[key]
		if !ok || !isShared {
			job = len(p.jobs)
			known[key] = job
			p.jobs = append(p.jobs, hashJob{v: c.Value(), at: c.Shown(), secret: key.secret})
		}
		p.blobs = append(p.blobs, job)
		return c.Value()
	})
	return p
}

func (p *hashPlan) filled(v value.Value) value.Value {
	met := 0
	filled, err := eachBlob(v, func(c *value.Cursor) value.Value {
		if _, hashed := keyOf(c.Value()); hashed {
			return c.Value()
		}

		hash := p.jobs[p.blobs[met]].hash
		met++
		return c.Value().WithHash(hash)
	})
	if err != nil {
		return v // never: no hash makes a value that cannot be
	}
	return filled
}

// keyOf returns what an asset or archive has in common with others that are the same
// file, and whether it has a hash.
func keyOf(v value.Value) (key hashKey, hashed bool) {
	var b interface {
		Source() value.Source
		Hash() (string, bool)
		Path() (string, bool)
		URI() (string, bool)
	}
	b, isAsset := v.AsAsset()
	if !isAsset {
		b, _ = v.AsArchive()
	}
	key = hashKey{kind: v.Kind(), source: b.Source(), secret: v.IsSecret()}
	var isFile bool
	if key.text, isFile = b.Path(); !isFile {
		key.text, _ = b.URI()
	}

	_, hashed = b.Hash()
	return key, hashed
}

// run does all jobs, a few at once. They begin in order, so that when one fails, all
// before it are done or running; only those after it are cancelled.
func (s *session) run(jobs []hashJob) error {
	r := hashRun{s: s, jobs: jobs, failed: len(jobs)}
	var workers sync.WaitGroup
	for range min(s.limits.Parallel, len(jobs)) {
		workers.Go(r.work)
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

	mu     sync.Mutex
	next   int
	failed int // the first job that failed, as far as is known

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
	r.jobs[i].cancel = cancel
	return i, ctx
}

func (r *hashRun) end(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.jobs[i].cancel()
	if r.jobs[i].err == nil || i > r.failed {
		return
	}
	r.failed = i
	for later := i + 1; later < r.next; later++ {
		r.jobs[later].cancel()
	}
}
