package guides_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// queues keeps queues in memory: the inputs of each, by its name.
type queues struct {
	rpc.Unimplemented // the methods that are not written below

	mu  sync.Mutex
	all map[string]value.Value
}

func queueOptions() provider.Differ {
	return provider.Differ{ReplaceOn: path.MustSet("name")}
}

func (*queues) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

func (*queues) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return queueOptions().Answer(r)
}

func (q *queues) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	q.mu.Lock()
	defer q.mu.Unlock()

	name, _ := r.Properties.Field("name").AsString()
	if _, taken := q.all[name]; taken {
		return nil, errors.New("the name is taken")
	}
	q.all[name] = r.Properties

	return &rpc.CreateResponse{ID: name, Properties: r.Properties}, nil
}

func (q *queues) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	q.mu.Lock()
	defer q.mu.Unlock()

	found, exists := q.all[r.ID]
	if !exists {
		return &rpc.ReadResponse{}, nil // without an ID: it does not exist
	}

	return &rpc.ReadResponse{ID: r.ID, Inputs: found, Properties: found}, nil
}

func (q *queues) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	q.mu.Lock()
	defer q.mu.Unlock()

	q.all[r.ID] = r.News

	return &rpc.UpdateResponse{Properties: r.News}, nil
}

func (q *queues) Delete(_ context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	q.mu.Lock()
	defer q.mu.Unlock()

	delete(q.all, r.ID)

	return &rpc.Empty{}, nil
}

func queuesToTest() fuzz.Provider {
	q := &queues{all: map[string]value.Value{}}

	return fuzz.Provider{
		Check: q.Check, Diff: q.Diff, Create: q.Create, Read: q.Read, Update: q.Update, Delete: q.Delete,
		Compared: queueOptions(),
		Inputs: rapid.Custom(func(t *rapid.T) value.Value {
			return value.Object(
				value.Field("name", value.String(rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "name"))),
				value.Field("delay", value.Number(float64(rapid.IntRange(0, 900).Draw(t, "delay")))),
				value.Field("key", value.Secret(value.String(rapid.StringMatching(`[a-z]{8}`).Draw(t, "key")))),
			)
		}),
	}
}

func TestQueues(t *testing.T) {
	queuesToTest().Run(t)
}

func FuzzQueues(f *testing.F) {
	fuzz.Native(f, queuesToTest().Law)
}

func Example_testingLife() {
	q := &queues{all: map[string]value.Value{}}
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return q, nil }}
	program := func(name string, delay float64) engine.Program {
		return engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{{
			Type:   "demo:index:Queue",
			Name:   "q",
			Inputs: value.Object(value.Field("name", value.String(name)), value.Field("delay", value.Number(delay))),
		}}}
	}

	ctx := context.Background()
	for _, run := range []iter.Seq2[engine.Action, error]{
		stack.Update(ctx, program("jobs", 1)),
		stack.Update(ctx, program("jobs", 2)),
		stack.Update(ctx, program("mail", 2)),
		stack.Destroy(ctx),
	} {
		for action, err := range run {
			if err != nil {
				panic(err)
			}
			fmt.Println(action)
		}
	}
	// Output:
	// create pulumi:providers:demo default: it is not managed yet
	// create demo:index:Queue q: it is not managed yet
	// same pulumi:providers:demo default: nothing changed
	// update demo:index:Queue q: something changed (delay)
	// same pulumi:providers:demo default: nothing changed
	// create-replacement demo:index:Queue q: something changed that replaces (name)
	// delete-replaced demo:index:Queue q: it was replaced, and waits for its deletion
	// delete demo:index:Queue q: the run asks for it
	// delete pulumi:providers:demo default: the run asks for it
}

func Example_testingLog() {
	log := `{"method": "/pulumirpc.ResourceProvider/Diff", "progress": "response_completed", ` +
		`"request": {"urn": "urn:pulumi:dev::shop::demo:index:Queue::q", "oldInputs": {"delay": 1}, "olds": {"delay": 1}, "news": {"delay": 2}}, ` +
		`"response": {"changes": "DIFF_NONE"}}`
	for call, err := range check.Log(strings.NewReader(log), check.LogOptions{}) {
		if err != nil {
			panic(err)
		}
		for _, f := range call.Findings {
			fmt.Println(call.Subject, f.Severity, f.At, f.Code)
		}
	}
	// Output:
	// demo:index:Queue warning delay none-while-differ
}
