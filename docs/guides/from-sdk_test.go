package guides_test

import (
	"context"
	"strconv"
	"sync"
	"testing"

	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/provider/resource/resourcetest"
)

type settings struct {
	Owner   string   `pulumi:"owner,optional"`
	Days    int      `pulumi:"days,optional"`
	Mirrors []string `pulumi:"mirrors,optional"`
}

type recordArgs struct {
	Name     string    `pulumi:"name" provider:"replaceOnChanges"`
	Zone     string    `pulumi:"zone,optional" provider:"replaceOnChanges"`
	TTL      int       `pulumi:"ttl" default:"300"`
	Values   []string  `pulumi:"values,optional"`
	Settings *settings `pulumi:"settings,optional"`
	Password string    `pulumi:"password,optional" provider:"secret"`
}

type record struct {
	recordArgs
	Address string `pulumi:"address" provider:"stable"`
}

// records are records in memory.
type records struct {
	mu     sync.Mutex
	all    map[string]record
	serial int
}

func (s *records) create(_ context.Context, args recordArgs) (id string, made record, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	id = "record-" + strconv.Itoa(s.serial)
	s.all[id] = record{args, "https://records.test/" + id}
	return id, s.all[id], nil
}

func (s *records) read(_ context.Context, id string, _ record) (record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, there := s.all[id]; there {
		return r, nil
	}
	return record{}, resource.ErrNotFound
}

func (s *records) update(_ context.Context, id string, old record, args recordArgs) (record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[id] = record{args, old.Address}
	return s.all[id], nil
}

func (s *records) remove(_ context.Context, id string, _ record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, id)
	return nil
}

func raw() resource.Package {
	s := &records{all: map[string]record{}}
	return resource.Package{Name: "raw", Version: "0.2.0", Resources: []resource.Resource{resource.Of[recordArgs, record]{
		Token: "raw:index:Record",
		Check: func(_ context.Context, args *recordArgs) error {
			if args.TTL < 0 {
				return resource.Invalid("ttl", "expected 0 or more")
			}
			return nil
		},
		Create: s.create, Read: s.read, Update: s.update, Delete: s.remove,
	}}}
}

// exported is the state of a record that the old version made.
const exported = `{"version": 3, "deployment": {
  "manifest": {"time": "2026-11-30T00:00:00Z", "magic": "", "version": ""},
  "resources": [
    {"urn": "urn:pulumi:dev::shop::pulumi:providers:raw::default_0_1_0", "custom": true, "id": "7e3ac4a4-1d4f-4a0c-9d55-4d4c1c3d2d11",
     "type": "pulumi:providers:raw", "inputs": {"version": "0.1.0"}, "outputs": {"version": "0.1.0"}},
    {"urn": "urn:pulumi:dev::shop::raw:index:Record::www", "custom": true, "id": "record-1", "type": "raw:index:Record",
     "inputs": {"name": "www", "password": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "plaintext": "\"hunter2\""},
                "settings": {"days": 3, "owner": "me"}, "ttl": 300, "values": ["192.0.2.1"]},
     "outputs": {"address": "https://records.test/record-1", "name": "www",
                 "password": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "plaintext": "\"hunter2\""},
                 "settings": {"days": 3, "owner": "me"}, "ttl": 300, "values": ["192.0.2.1"]},
     "provider": "urn:pulumi:dev::shop::pulumi:providers:raw::default_0_1_0::7e3ac4a4-1d4f-4a0c-9d55-4d4c1c3d2d11"}]}}`

func TestFromSDK(t *testing.T) {
	p, err := resource.New(raw())
	if err != nil {
		t.Fatal(err)
	}
	resourcetest.Upgrade(t, p, []byte(exported))
	resourcetest.Fuzz(p, "raw:index:Record").Run(t)
}
