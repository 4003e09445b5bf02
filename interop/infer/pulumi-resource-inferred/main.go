// Command pulumi-resource-inferred is a provider of queues and topics in memory, and of a component, as authors write
// one with pulumi-go-provider. docs/notes/any-provider.md says what propalg-test finds in it.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"sync"

	provider "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	p, err := infer.NewProviderBuilder().
		WithResources(
			infer.Resource(&Queue{store: store[QueueState]{prefix: "queue-"}}),
			infer.Resource(&Topic{store: store[TopicState]{prefix: "topic-"}}),
		).
		WithComponents(infer.ComponentF(newChannel)).
		Build()
	if err == nil {
		err = p.Run(context.Background(), "inferred", "0.1.0")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// store holds what was created.
type store[T any] struct {
	prefix string
	mu     sync.Mutex
	all    map[string]T
	serial int
}

func (s *store[T]) add(x T) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	id = fmt.Sprint(s.prefix, s.serial)
	if s.all == nil {
		s.all = map[string]T{}
	}
	s.all[id] = x
	return id
}

func (s *store[T]) get(id string) (x T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok = s.all[id]
	return x, ok
}

func (s *store[T]) set(id string, x T) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.all[id]; !ok {
		return fmt.Errorf("no %s", id)
	}
	s.all[id] = x
	return nil
}

func (s *store[T]) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, id)
}

// Queue has a Diff of its own.
type Queue struct{ store store[QueueState] }

// QueueArgs are the inputs of a Queue.
type QueueArgs struct {
	Name      string            `pulumi:"name"                provider:"replaceOnChanges"`
	Retention *int              `pulumi:"retention,optional"`
	Labels    map[string]string `pulumi:"labels,optional"`
	Password  *string           `pulumi:"password,optional"   provider:"secret"`
}

// Annotate sets the defaults.
func (a *QueueArgs) Annotate(to infer.Annotator) { to.SetDefault(&a.Retention, 7) }

// QueueState is the state of a Queue.
type QueueState struct {
	QueueArgs

	URL string `pulumi:"url"`
}

// Create makes a queue.
func (q *Queue) Create(_ context.Context, r infer.CreateRequest[QueueArgs]) (infer.CreateResponse[QueueState], error) {
	state := QueueState{QueueArgs: r.Inputs}
	if r.DryRun {
		return infer.CreateResponse[QueueState]{Output: state}, nil
	}
	state.URL = "https://queues.test/" + r.Inputs.Name
	return infer.CreateResponse[QueueState]{ID: q.store.add(state), Output: state}, nil
}

// Diff replaces a queue that has another name.
func (q *Queue) Diff(_ context.Context, r infer.DiffRequest[QueueArgs, QueueState]) (infer.DiffResponse, error) {
	changes := map[string]provider.PropertyDiff{}
	if r.Inputs.Name != r.State.Name {
		changes["name"] = provider.PropertyDiff{Kind: provider.UpdateReplace}
	}
	if !same(r.Inputs.Retention, r.State.Retention) {
		changes["retention"] = provider.PropertyDiff{Kind: provider.Update}
	}
	if !maps.Equal(r.Inputs.Labels, r.State.Labels) {
		changes["labels"] = provider.PropertyDiff{Kind: provider.Update}
	}
	if !same(r.Inputs.Password, r.State.Password) {
		changes["password"] = provider.PropertyDiff{Kind: provider.Update}
	}
	return infer.DiffResponse{HasChanges: len(changes) > 0, DetailedDiff: changes}, nil
}

func same[T comparable](a, b *T) bool {
	return a == b || (a != nil && b != nil && *a == *b)
}

// Update changes all but the name.
func (q *Queue) Update(_ context.Context, r infer.UpdateRequest[QueueArgs, QueueState]) (infer.UpdateResponse[QueueState], error) {
	state := QueueState{r.Inputs, r.State.URL}
	if r.DryRun {
		return infer.UpdateResponse[QueueState]{Output: state}, nil
	}
	return infer.UpdateResponse[QueueState]{Output: state}, q.store.set(r.ID, state)
}

// Read reads a queue.
func (q *Queue) Read(_ context.Context, r infer.ReadRequest[QueueArgs, QueueState]) (infer.ReadResponse[QueueArgs, QueueState], error) {
	state, ok := q.store.get(r.ID)
	if !ok {
		return infer.ReadResponse[QueueArgs, QueueState]{}, nil
	}
	return infer.ReadResponse[QueueArgs, QueueState]{ID: r.ID, Inputs: state.QueueArgs, State: state}, nil
}

// Delete deletes a queue.
func (q *Queue) Delete(_ context.Context, r infer.DeleteRequest[QueueState]) (infer.DeleteResponse, error) {
	q.store.remove(r.ID)
	return infer.DeleteResponse{}, nil
}

// Topic has the Diff of infer, and no Update: each change replaces it.
type Topic struct{ store store[TopicState] }

// TopicArgs are the inputs of a Topic.
type TopicArgs struct {
	Title       string       `pulumi:"title"`
	Subscribers []Subscriber `pulumi:"subscribers,optional"`
	Key         string       `pulumi:"key,optional"         provider:"secret"`
}

// Subscriber is somebody who is told.
type Subscriber struct {
	Address  string `pulumi:"address"`
	Attempts *int   `pulumi:"attempts,optional"`
}

// TopicState is the state of a Topic.
type TopicState struct {
	TopicArgs

	Count int `pulumi:"count"`
}

// Create makes a topic.
func (t *Topic) Create(_ context.Context, r infer.CreateRequest[TopicArgs]) (infer.CreateResponse[TopicState], error) {
	state := TopicState{r.Inputs, len(r.Inputs.Subscribers)}
	if r.DryRun {
		return infer.CreateResponse[TopicState]{Output: state}, nil
	}
	return infer.CreateResponse[TopicState]{ID: t.store.add(state), Output: state}, nil
}

// Read reads a topic.
func (t *Topic) Read(_ context.Context, r infer.ReadRequest[TopicArgs, TopicState]) (infer.ReadResponse[TopicArgs, TopicState], error) {
	state, ok := t.store.get(r.ID)
	if !ok {
		return infer.ReadResponse[TopicArgs, TopicState]{}, nil
	}
	return infer.ReadResponse[TopicArgs, TopicState]{ID: r.ID, Inputs: state.TopicArgs, State: state}, nil
}

// Delete deletes a topic.
func (t *Topic) Delete(_ context.Context, r infer.DeleteRequest[TopicState]) (infer.DeleteResponse, error) {
	t.store.remove(r.ID)
	return infer.DeleteResponse{}, nil
}

// Channel is a component: a queue with the name of its title.
type Channel struct {
	pulumi.ResourceState

	Title pulumi.StringOutput `pulumi:"title"`
	URL   pulumi.StringOutput `pulumi:"url"`
	Days  pulumi.IntOutput    `pulumi:"days"`
}

// ChannelArgs are the inputs of a Channel.
type ChannelArgs struct {
	Title    pulumi.StringInput    `pulumi:"title"`
	Password pulumi.StringPtrInput `pulumi:"password,optional" provider:"secret"`
	Days     int                   `pulumi:"days,optional"`
}

// queueResource is a Queue as programs see it.
type queueResource struct {
	pulumi.CustomResourceState

	URL pulumi.StringOutput `pulumi:"url"`
}

func newChannel(ctx *pulumi.Context, name string, args ChannelArgs, opts ...pulumi.ResourceOption) (*Channel, error) {
	c := &Channel{}
	if err := ctx.RegisterComponentResource("inferred:index:Channel", name, c, opts...); err != nil {
		return nil, err
	}
	inputs := pulumi.Map{"name": args.Title, "retention": pulumi.Int(args.Days)}
	if args.Password != nil {
		inputs["password"] = args.Password
	}
	var q queueResource
	if err := ctx.RegisterResource("inferred:index:Queue", name+"-queue", inputs, &q, pulumi.Parent(c)); err != nil {
		return nil, err
	}
	c.Title, c.URL, c.Days = args.Title.ToStringOutput(), q.URL, pulumi.Int(args.Days).ToIntOutput()
	return c, nil
}
