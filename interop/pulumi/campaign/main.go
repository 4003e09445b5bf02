// Command campaign compares this library and the SDK, on all
// cores, and prints the outcomes: mutated bytes, or with -laws all differential
// laws on drawn values, paths, URNs and pairs. The inputs are the same for the same
// flags and data, so that a disagreement can be reproduced: of bytes with -from and
// -count 1, of laws with -seed and -rounds 1.
//
//	go run ./campaign -count 10000000 -bags ../../../shared/data/bags.jsonl
//	go run ./campaign -laws all -seed 1 -limit 1h
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/propalg/propalg/interop/pulumi/internal/differential"
)

func main() {
	wrong, err := campaign(os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "campaign:", err)
		os.Exit(2) //nolint:forbidigo // main
	}
	if wrong > 0 {
		os.Exit(1) //nolint:forbidigo // main
	}
}

// campaign runs one as the flags say, and returns how many disagreements there
// were.
func campaign(out io.Writer) (wrong uint64, err error) {
	count := flag.Uint64("count", 100_000, "how many inputs")
	from := flag.Uint64("from", 0, "number of the first input")
	number := flag.Uint64("campaign", 1, "number of the campaign")
	bags := flag.String("bags", "../../../shared/data/bags.jsonl", "rows of bags to begin with; skipped when not there")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "how many at once")
	limit := flag.Duration("limit", time.Hour, "stop after this time")
	structure := flag.Bool("structure", false, "change messages only, never bytes")
	show := flag.Uint64("show", 20, "print so many disagreements")
	laws := flag.String("laws", "", "check these differential laws instead: names with commas between, or all")
	seed := flag.Uint64("seed", 1, "of the first round of laws; the next has the next one")
	rounds := flag.Uint64("rounds", math.MaxUint64, "at most so many rounds of laws")
	checks := flag.Int("checks", 1000, "how many inputs of each law in a round")
	testing.Init() // rapid asks whether tests are to be short
	flag.Parse()
	if *laws != "" {
		chosen, err := choose(*laws)
		if err != nil {
			return 0, err
		}
		r := lawRun{out: out, laws: chosen, first: *seed, most: *rounds, checks: *checks, workers: *workers, deadline: time.Now().Add(*limit)}
		return r.run()
	}
	seeds, err := seeds(out, *bags)
	if err != nil {
		return 0, err
	}
	r := run{seeds: seeds, campaign: *number, out: out, show: *show, end: *from + *count, deadline: time.Now().Add(*limit)}
	if *structure {
		r.mix = differential.Structure
	}
	r.next.Store(*from)
	begin := time.Now()
	var wait sync.WaitGroup
	for range *workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			r.work()
		}()
	}
	wait.Wait()
	r.print(time.Since(begin))
	return r.wrong, nil
}

// seeds reads what mutations begin with.
func seeds(w io.Writer, file string) ([]differential.Seed, error) {
	all := differential.HandSeeds()
	hand := len(all)
	bags, err := differential.WireBags(file)
	switch {
	case os.IsNotExist(err):
		fmt.Fprintln(w, "no real bags here:", err)
	case err != nil:
		return nil, err
	}
	all = append(all, bags...)
	for range len(bags) / hand / 2 { // a third of the inputs
		all = append(all, all[:hand]...)
	}
	out := make([]differential.Seed, 0, len(all))
	for _, data := range all {
		s, err := differential.NewSeed(data)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	fmt.Fprintf(w, "%d seeds, %d of them real bags\n", len(out), len(bags))
	return out, nil
}

type run struct {
	out      io.Writer
	seeds    []differential.Seed
	mix      differential.Mix
	campaign uint64
	show     uint64
	end      uint64
	deadline time.Time
	next     atomic.Uint64

	mu      sync.Mutex
	counts  [differential.Outcomes]uint64
	bytes   uint64
	largest int
	wrong   uint64
}

// work takes a stretch of numbers after the other.
func (r *run) work() {
	const stretch = 4096
	for time.Now().Before(r.deadline) {
		begin := r.next.Add(stretch) - stretch
		if begin >= r.end {
			return
		}
		var counts [differential.Outcomes]uint64
		bytes, largest := uint64(0), 0
		for n := begin; n < min(begin+stretch, r.end); n++ {
			data := differential.Mutate(r.seeds, r.mix, r.campaign, n)
			bytes += uint64(len(data))
			largest = max(largest, len(data))
			outcome, err := differential.Compare(data)
			if err != nil {
				r.report(n, data, err)
				continue
			}
			counts[outcome]++
		}
		r.mu.Lock()
		for o, c := range counts {
			r.counts[o] += c
		}
		r.bytes += bytes
		r.largest = max(r.largest, largest)
		r.mu.Unlock()
	}
}

func (r *run) report(n uint64, data []byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wrong++; r.wrong <= r.show {
		fmt.Fprintf(r.out, "DISAGREEMENT at input %d: %v\n%x\n", n, err, data)
	}
}

func (r *run) print(took time.Duration) {
	total := r.wrong
	for _, c := range r.counts {
		total += c
	}
	fmt.Fprintf(r.out, "campaign %d: %d inputs, %d bytes, largest %d, in %v (%.0f a second)\n",
		r.campaign, total, r.bytes, r.largest, took.Round(time.Millisecond), float64(total)/took.Seconds())
	for o, c := range r.counts {
		fmt.Fprintf(r.out, "%12d  %v\n", c, differential.Outcome(o))
	}
	fmt.Fprintf(r.out, "%12d  disagreements\n", r.wrong)
}
