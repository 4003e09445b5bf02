package fuzz

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// Each worker makes, compares and deletes its resource at least leastRounds times, and goes
// on as long as enough has not passed, since what calls disturb is seen by chance.
const (
	leastRounds = 100
	mostRounds  = 10_000
	enough      = time.Second
)

// worker works on a resource of its own.
type worker struct {
	Provider
	inputs, others value.Value // what it is made of, and what it is compared with
	id             string
	alone          [2][]answer // what the methods return while nothing else happens
}

type answer struct {
	method string
	value  value.Value
	said   any // a copy of the response, for people
}

// inParallel works on several resources at the same time, and returns what to say if a
// response is another one than if the provider works on one of them alone. What differs
// although it is alone, such as an ID with a serial number, is not compared.
func (p Provider) inParallel(ctx context.Context, bags []value.Value) string {
	workers := p.workers(ctx, bags)
	if len(workers) < 2 {
		return ""
	}

	problems := make(chan string, len(workers))
	ctx, stop := context.WithCancel(ctx)
	defer stop()

	var group sync.WaitGroup
	start := time.Now()
	for _, w := range workers {
		group.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					problems <- fmt.Sprintf("a panic while other resources are worked on: %v\n%s", r, debug.Stack())
				}
			}()
			for i := range mostRounds {
				if i >= leastRounds && time.Since(start) > enough {
					return
				}
				problem := w.compare(ctx)
				if ctx.Err() != nil {
					return // what was cancelled may have failed
				}
				if problem != "" {
					problems <- problem
					stop()
					return
				}
			}
		})
	}

	group.Wait()
	close(problems)
	return <-problems
}

// workers returns a worker for each of these inputs. Those of which a resource has an ID
// that another one has are left out, since the two may be one resource.
func (p Provider) workers(ctx context.Context, bags []value.Value) []*worker {
	var workers []*worker
	for i, inputs := range bags {
		w := &worker{Provider: p, inputs: inputs, others: bags[(i+1)%len(bags)]}
		w.URN = p.urn() + strconv.Itoa(i)
		w.alone = [2][]answer{w.round(ctx), w.round(ctx)}

		if !slices.ContainsFunc(workers, func(o *worker) bool { return p.Create != nil && o.id == w.id }) {
			workers = append(workers, w)
		}
	}
	return workers
}

// round makes a resource, reads, compares and deletes it. It ends where Create fails, such
// as for a name that is taken.
func (w *worker) round(ctx context.Context) (all []answer) {
	inputs, state, id := w.inputs, w.state(w.inputs), "id"
	if w.Check != nil {
		request := w.checkRequest(value.Null(), inputs)
		response, err := w.Check(ctx, &request)
		all = append(all, answerOf("Check", response, err, func(r *rpc.CheckResponse) value.Value { return r.Inputs }))
	}
	if w.Create != nil {
		response, ok := created(w.Create(ctx, &rpc.CreateRequest{URN: w.urn(), Type: w.kind(), Name: w.name(), Properties: inputs}))
		if !ok {
			return all
		}

		state, id = response.Properties, response.ID
		w.id = id
		all = append(all, answerOf("Create", response, nil, func(*rpc.CreateResponse) value.Value { return state }))
	}
	if w.Create != nil && w.Read != nil {
		response, err := w.Read(ctx, &rpc.ReadRequest{URN: w.urn(), Type: w.kind(), Name: w.name(), ID: id, Inputs: inputs, Properties: state})
		all = append(all, answerOf("Read", response, err, func(r *rpc.ReadResponse) value.Value { return r.Properties }))
	}
	if w.Diff != nil {
		response, err := w.Diff(ctx, &rpc.DiffRequest{URN: w.urn(), Type: w.kind(), Name: w.name(), ID: id, Olds: state, OldInputs: inputs, News: w.others})
		all = append(all, answerOf("Diff", response, err, func(r *rpc.DiffResponse) value.Value { return value.String(answerText(r)) }))
	}

	if w.Create != nil && w.Delete != nil {
		_, _ = w.Delete(ctx, &rpc.DeleteRequest{URN: w.urn(), Type: w.kind(), Name: w.name(), ID: id, OldInputs: inputs, Properties: state})
	}
	return all
}

// answerOf returns an answer; that a method failed is one too.
func answerOf[R any](method string, response *R, err error, of func(*R) value.Value) answer {
	if err != nil || response == nil {
		return answer{method, value.Null(), fmt.Sprintf("none, and the error %v", err)}
	}

	said := *response
	return answer{method, of(response), &said}
}

// compare runs a round, and returns what to say if a response is another one than before.
func (w *worker) compare(ctx context.Context) string {
	now := w.round(ctx)
	for i, a := range w.alone[0] {
		if i >= len(now) || i >= len(w.alone[1]) {
			break
		}
		if at := changed(a.value, w.alone[1][i].value, now[i].value); at != "" {
			return fmt.Sprintf("%s returns something else while resources of other names are worked on, %s. Inputs:\n%s\nWhile nothing else happens:\n%v\nNow:\n%v",
				a.method, at, GoSource(w.inputs), a.said, now[i].said)
		}
	}

	return ""
}

func changed(first, second, now value.Value) string {
	if first.Kind() != value.KindObject || now.Kind() != value.KindObject {
		if first.Equal(second) && !first.Equal(now) {
			return "as a whole"
		}
		return ""
	}

	for name, v := range first.Members() {
		if v.Equal(second.Field(name)) && !v.Equal(now.Field(name)) {
			return "at " + name
		}
	}
	return ""
}
