package guides_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/provider/resource/resourcetest"
)

type mailboxArgs struct {
	Name      string            `pulumi:"name" provider:"replaceOnChanges"`
	Retention *int              `pulumi:"retention,optional" default:"7"`
	Labels    map[string]string `pulumi:"labels,optional"`
	Password  *string           `pulumi:"password,optional" provider:"secret"`
}

type mailbox struct {
	mailboxArgs
	URL string `pulumi:"url" provider:"stable"`
}

type subscriber struct {
	Address  string `pulumi:"address"`
	Attempts *int   `pulumi:"attempts,optional"`
}

type topicArgs struct {
	Title       string       `pulumi:"title"`
	Subscribers []subscriber `pulumi:"subscribers,optional"`
	Key         string       `pulumi:"key,optional" provider:"secret"`
}

type topic struct {
	topicArgs
	Count int `pulumi:"count"`
}

// kept is what was created.
type kept[T any] struct {
	mu     sync.Mutex
	all    map[string]T
	serial int
}

func (k *kept[T]) add(prefix string, x T) (id string, made T, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.serial++
	id = fmt.Sprint(prefix, k.serial)
	k.all[id] = x
	return id, x, nil
}

func (k *kept[T]) read(_ context.Context, id string, _ T) (T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if x, there := k.all[id]; there {
		return x, nil
	}
	return *new(T), resource.ErrNotFound
}

func (k *kept[T]) set(id string, x T) (T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all[id] = x
	return x, nil
}

func (k *kept[T]) remove(_ context.Context, id string, _ T) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.all, id)
	return nil
}

func inferred() resource.Package {
	mailboxes, topics := &kept[mailbox]{all: map[string]mailbox{}}, &kept[topic]{all: map[string]topic{}}
	return resource.Package{Name: "inferred", Version: "0.2.0", Resources: []resource.Resource{
		resource.Of[mailboxArgs, mailbox]{
			Token: "inferred:index:Queue",
			Create: func(_ context.Context, args mailboxArgs) (string, mailbox, error) {
				return mailboxes.add("queue-", mailbox{args, "https://queues.test/" + args.Name})
			},
			Read: mailboxes.read,
			Update: func(_ context.Context, id string, old mailbox, args mailboxArgs) (mailbox, error) {
				return mailboxes.set(id, mailbox{args, old.URL})
			},
			Delete: mailboxes.remove,
		},
		resource.Of[topicArgs, topic]{ // without Update, each change replaces it
			Token: "inferred:index:Topic",
			Create: func(_ context.Context, args topicArgs) (string, topic, error) {
				return topics.add("topic-", topic{args, len(args.Subscribers)})
			},
			Read: topics.read, Delete: topics.remove,
		},
	}}
}

// inferredState is what the old version made.
const inferredState = `{"version": 3, "deployment": {
  "manifest": {"time": "2026-11-30T00:00:00Z", "magic": "", "version": ""},
  "resources": [
    {"urn": "urn:pulumi:dev::shop::pulumi:providers:inferred::default", "custom": true, "id": "a451625975e8", "type": "pulumi:providers:inferred",
     "inputs": {"__pulumi-go-provider-version": "v1.3.2"}, "outputs": {"__pulumi-go-provider-version": "v1.3.2"}},
    {"urn": "urn:pulumi:dev::shop::inferred:index:Queue::jobs", "custom": true, "id": "queue-1", "type": "inferred:index:Queue",
     "inputs": {"labels": {"team": "a"}, "name": "jobs", "retention": 7,
                "password": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "plaintext": "\"hunter2\""}},
     "outputs": {"labels": {"team": "a"}, "name": "jobs", "retention": 7, "url": "https://queues.test/jobs",
                 "password": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "plaintext": "\"hunter2\""}},
     "provider": "urn:pulumi:dev::shop::pulumi:providers:inferred::default::a451625975e8"},
    {"urn": "urn:pulumi:dev::shop::inferred:index:Topic::news", "custom": true, "id": "topic-1", "type": "inferred:index:Topic",
     "inputs": {"key": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "plaintext": "\"\""},
                "subscribers": [{"address": "a@b.test"}, {"address": "c@d.test", "attempts": 3}], "title": "news"},
     "outputs": {"count": 2, "key": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "plaintext": "\"\""},
                 "subscribers": [{"address": "a@b.test"}, {"address": "c@d.test", "attempts": 3}], "title": "news"},
     "provider": "urn:pulumi:dev::shop::pulumi:providers:inferred::default::a451625975e8"}]}}`

func TestFromInfer(t *testing.T) {
	p, err := resource.New(inferred())
	if err != nil {
		t.Fatal(err)
	}
	resourcetest.Upgrade(t, p, []byte(inferredState))
	resourcetest.Fuzz(p, "inferred:index:Queue").Run(t)
	resourcetest.Fuzz(p, "inferred:index:Topic").Run(t)
}
