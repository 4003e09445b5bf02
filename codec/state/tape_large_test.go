package state_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
)

// synthetic is a state file that is made while it is read: a head, a block of
// resources many times, a tail with one last resource.
type synthetic struct {
	head, block, tail string
	blocks            int64
	ends              []int // in the block, of resources
	largest           int
	pos, end          int64
}

// newSynthetic makes a file of about so many bytes, with resources of 300 bytes
// to 1 MiB.
func newSynthetic(size int64) *synthetic {
	s := &synthetic{
		head: `{"version":3,"deployment":{"manifest":{"time":"t"},"secrets_providers":{"type":"passphrase"},"resources":[`,
		tail: resource + `],"pending_operations":[]}}` + "\n",
	}
	var b strings.Builder
	for i := range 400 {
		begin := b.Len()
		fmt.Fprintf(&b, `{"urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::b%d","custom":true,"id":"id-%d","type":"aws:s3/bucket:Bucket","inputs":{"bucket":"b","n":%d},"outputs":{"secret":`, i, i, i)
		b.WriteString(cipher(fmt.Sprint("v1:", i)) + `,"list":[`)
		for j := range 10 + i%50 {
			fmt.Fprintf(&b, `{"key%d":[%d,true,null,"text of some length"],"b":-1.5e3},`, j, j)
		}
		if i == 200 {
			for j := range 20_000 {
				fmt.Fprintf(&b, `{"name":"entry %d","value":[1,2,%d]},`, j, j)
			}
			b.WriteString(`"` + strings.Repeat("x", 200_000) + `",`)
		}
		b.WriteString(`1]},"parent":"urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev","dependencies":["` + urnA + `"]}`)
		s.ends = append(s.ends, b.Len())
		s.largest = max(s.largest, b.Len()-begin)
		b.WriteString(",")
	}
	s.block = b.String()
	s.blocks = max(1, size/int64(len(s.block)))
	s.end = int64(len(s.head)) + s.blocks*int64(len(s.block)) + int64(len(s.tail))
	return s
}

// cut is the file up to an offset.
func (s *synthetic) cut(at int64) *synthetic {
	c := *s
	c.pos, c.end = 0, at
	return &c
}

// before returns how many resources end at or before an offset.
func (s *synthetic) before(at int64) int {
	at -= int64(len(s.head))
	if at < 0 {
		return 0
	}
	if at >= s.blocks*int64(len(s.block)) {
		n := int(s.blocks) * len(s.ends)
		if at-s.blocks*int64(len(s.block)) >= int64(len(resource)) {
			n++
		}
		return n
	}
	in, _ := slices.BinarySearch(s.ends, int(at%int64(len(s.block)))+1)
	return int(at/int64(len(s.block)))*len(s.ends) + in
}

func (s *synthetic) Read(p []byte) (int, error) {
	if s.pos >= s.end {
		return 0, io.EOF
	}
	from, at := s.head, s.pos
	if at -= int64(len(s.head)); at >= 0 {
		from = s.block
		if at >= s.blocks*int64(len(s.block)) {
			from, at = s.tail, at-s.blocks*int64(len(s.block))
		} else {
			at %= int64(len(s.block))
		}
	} else {
		at = s.pos
	}
	n := copy(p, from[at:])
	n = int(min(int64(n), s.end-s.pos))
	s.pos += int64(n)
	return n, nil
}

// syntheticSize is a few MB, or what a large state has.
func syntheticSize() int64 {
	if os.Getenv("PROPALG_LARGE") != "" {
		return 300 << 20
	}
	return 6 << 20
}

// A large file streams with little more in memory than its largest resource, the
// secrets of batches being opened.
func TestLargeFile(t *testing.T) {
	const bound = 64 << 20
	s := newSynthetic(syntheticSize())
	v := knowing()
	for i := range 400 {
		v.known[fmt.Sprint("v1:", i)] = `"opened"`
	}
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	peak, n := uint64(0), 0
	begin := time.Now()
	r := state.NewReader(s, state.Options{})
	var batch []state.Resource
	var urns []string // which keep nothing but themselves in memory
	for got, err := range r.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		urns = append(urns, got.URN)
		if batch = append(batch, got); len(batch) == 100 {
			if _, err := r.Decrypt(batch, v); err != nil {
				t.Fatal(err)
			}
			batch = nil
		}
		if n++; n%50 == 0 {
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapInuse+now.StackInuse)
		}
	}
	took := time.Since(begin)
	over := int64(peak) - int64(before.HeapInuse+before.StackInuse) - int64(s.largest)
	t.Logf("%d MB, %d resources, largest %d KB: %v; peak %d KB above the largest, %d KB from the system in all%s",
		s.end>>20, n, s.largest>>10, took, over>>10, now.Sys>>10, highWater())
	if want := s.before(s.end); n != want || len(v.decrypts) != n/100 {
		t.Errorf("%d resources of %d, %d calls", n, want, len(v.decrypts))
	}
	if over > bound {
		t.Errorf("peak is %d KB above the largest resource", over>>10)
	}
	runtime.KeepAlive(urns)
}

// long is a file with a resource of so many bytes between short ones. It is of
// many small values, or of one text.
func long(size int, many bool) string {
	one, n := strings.Repeat("long text ", size/10), 1
	if many {
		one = `{"name":"entry","value":"` + strings.Repeat("v", 100) + `","list":["one element","another element"]}`
		n = size / (len(one) + 1)
		one = one[1:]
	}
	var b strings.Builder
	b.Grow(size + 4096)
	b.WriteString(strings.TrimSuffix(export(resource), "]}}"))
	b.WriteString(`,` + resource + `,{"urn":"` + urnA + `","inputs":{"a":[`)
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		if many {
			b.WriteString("{" + one)
		} else {
			b.WriteString(`"` + one + `"`)
		}
	}
	b.WriteString("]}}")
	b.WriteString(`,` + resource + "]}}\n")
	return b.String()
}

// watched looks at the memory in use while it is read.
type watched struct {
	*strings.Reader
	peak uint64
	n    int
}

func (w *watched) Read(p []byte) (int, error) {
	if w.n++; w.n%8 == 0 {
		w.look()
	}
	return w.Reader.Read(p)
}

func (w *watched) look() {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	w.peak = max(w.peak, now.HeapInuse+now.StackInuse)
}

// A resource that is most of the file takes at most three times its length, and its values.
func TestLongResources(t *testing.T) {
	if race.Enabled || testing.Short() {
		t.Skip("of 20 MB")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // so that the heap is little more than what is in use
	for _, many := range []bool{false, true} {
		const size = 20 << 20
		w := &watched{Reader: strings.NewReader(long(size, many))}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		n, largest := 0, int64(0)
		for r, err := range state.NewReader(w, state.Options{}).Resources() {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 3 {
				w.look()
				runtime.GC()
				runtime.ReadMemStats(&after)
				largest = int64(after.HeapAlloc) - int64(before.HeapAlloc)
				runtime.KeepAlive(r)
			}
		}
		over := int64(w.peak) - int64(before.HeapInuse+before.StackInuse) - largest
		t.Logf("many values %v: the largest of %d resources takes %d MB, the peak is %d MB above that", many, n, largest>>20, over>>20)
		if n != 4 || over > size*5/2 || largest < size-1000 {
			t.Errorf("%d resources; peak is %d KB above the largest, which takes %d KB", n, over>>10, largest>>10)
		}
	}
}

// highWater is what the process had in memory at most, where that is known.
func highWater() string {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	line, _, _ := strings.Cut(rest, "\n")
	return ", high water " + strings.TrimSpace(line)
}

// Cut at 100 places, a large file gives the error with the offset of the cut and
// the number of the resources before it.
func TestLargeFileCut(t *testing.T) {
	s := newSynthetic(syntheticSize())
	if os.Getenv("PROPALG_LARGE") == "" {
		s = newSynthetic(512 << 10)
	}
	for i := range 100 {
		at := rand.Int64N(s.end - int64(len("}\n")))
		n := 0
		var failed error
		for _, err := range state.NewReader(s.cut(at), state.Options{}).Resources() {
			if failed = err; err == nil {
				n++
			}
		}
		var e *state.Error
		if !errors.As(failed, &e) || !errors.Is(failed, codec.ErrSyntax) || e.Offset != at || e.Resources != s.before(at) || n != e.Resources {
			t.Fatalf("cut %d at %d, after %d of %d resources: %v", i, at, n, s.before(at), failed)
		}
	}
}

// Who keeps the short texts of resources, and what was decrypted, does not keep
// the file in memory.
func TestReaderRetains(t *testing.T) {
	s := newSynthetic(6 << 20)
	v := knowing()
	for i := range 400 {
		v.known[fmt.Sprint("v1:", i)] = `"opened"`
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := state.NewReader(s, state.Options{})
	var kept []string
	for got, err := range r.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Decrypt([]state.Resource{got}, v); err != nil {
			t.Fatal(err)
		}
		kept = append(append(kept, got.URN, got.Type, got.ID, got.Parent), got.Dependencies...)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 2<<20 {
		t.Errorf("%d KB are kept", grown>>10)
	}
	runtime.KeepAlive(kept)
	runtime.KeepAlive(v)
	runtime.KeepAlive(r)
}

// One value as long as everything else costs time linear in its length.
func TestReaderLongResource(t *testing.T) {
	text := export(`{"urn":"u","inputs":{"a":"`+strings.Repeat("x", 16<<20)+`"}}`, resource)
	kit.Within(t, "reading", 10*time.Second, func() {
		rs, err := drain(t, reader(text, 0, state.Options{}))
		if err != nil || len(rs) != 2 {
			t.Error(len(rs), err)
		}
	})
}
