package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/propalg/propalg/internal/test/kit"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// disks are the disks of a cloud in memory. A disk has a name, which cannot be changed, a
// size and a password; it gets an ID and a path.
type disks struct {
	lock   sync.Mutex
	serial int
	inputs map[string]value.Value // by ID
}

// diskProvider is a provider of disks that does as it should.
func diskProvider() (fuzz.Provider, *disks) {
	d := &disks{inputs: map[string]value.Value{}}

	return fuzz.Provider{
		Check: passOn, Diff: answering(replacing("name")), Create: d.create, Read: d.read, Update: d.update, Delete: d.delete, SupportsPreview: true,
		Inputs: diskInputs(), Compared: replacing("name"),
	}, d
}

func diskInputs() *rapid.Generator[value.Value] {
	names := rapid.SampledFrom([]string{"a", "b"})
	sizes := rapid.SampledFrom([]value.Value{value.Number(1), value.Number(2), value.Unknown()})

	return rapid.Custom(func(t *rapid.T) value.Value {
		return value.Object(
			value.Field("name", value.String(names.Draw(t, "name"))),
			value.Field("password", value.Secret(value.String("hunter2"))),
			value.Field("size", sizes.Draw(t, "size")),
		)
	})
}

// knownDisks are inputs of disks, of which nothing is unknown.
func knownDisks() *rapid.Generator[value.Value] {
	return rapid.Map(diskInputs(), oneSize)
}

// diskState is the state of a disk.
func diskState(id string, inputs value.Value) value.Value {
	name, _ := inputs.Field("name").AsString()
	state, _ := inputs.WithField("path", value.String("/dev/"+name+"/"+id))

	return state
}

// foreseen is what of a disk's state a preview knows.
func foreseen(inputs value.Value) value.Value {
	state, _ := inputs.WithField("path", value.Unknown())

	return state
}

func (d *disks) create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	if r.Preview {
		return &rpc.CreateResponse{Properties: foreseen(r.Properties)}, nil
	}

	d.lock.Lock()
	defer d.lock.Unlock()

	d.serial++
	id := strconv.Itoa(d.serial)
	d.inputs[id] = r.Properties

	return &rpc.CreateResponse{ID: id, Properties: diskState(id, r.Properties)}, nil
}

func (d *disks) read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	d.lock.Lock()
	defer d.lock.Unlock()

	inputs, ok := d.inputs[r.ID]
	if !ok {
		return &rpc.ReadResponse{}, nil
	}

	return &rpc.ReadResponse{ID: r.ID, Inputs: inputs, Properties: diskState(r.ID, inputs)}, nil
}

func (d *disks) update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	if r.Preview {
		return &rpc.UpdateResponse{Properties: foreseen(r.News)}, nil
	}

	d.lock.Lock()
	defer d.lock.Unlock()

	d.inputs[r.ID] = r.News

	return &rpc.UpdateResponse{Properties: diskState(r.ID, r.News)}, nil
}

func (d *disks) delete(_ context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	d.lock.Lock()
	defer d.lock.Unlock()

	delete(d.inputs, r.ID)

	return &rpc.Empty{}, nil
}

// TestDisks: an honest provider passes, in its whole life, and everything is deleted.
func TestDisks(t *testing.T) {
	p, d := diskProvider()
	p.Run(t)

	if len(d.inputs) > 0 || d.serial < 100 {
		t.Errorf("%d of %d disks are left", len(d.inputs), d.serial)
	}
}

// TestSameTextInClear: a property may have the text of its secret in clear too, even if both
// become known only later. An output may not.
func TestSameTextInClear(t *testing.T) {
	users := rapid.SampledFrom([]value.Value{value.String("hunter2hunter2"), value.Unknown()})
	p, d := diskProvider()
	p.Inputs = rapid.Map(rapid.Custom(func(t *rapid.T) value.Value {
		return value.Object(
			value.Field("user", users.Draw(t, "user")),
			value.Field("password", value.Secret(users.Draw(t, "password"))),
		)
	}), func(login value.Value) value.Value {
		return value.Object(value.Field("login", login), value.Field("name", value.String("a")))
	})
	rapid.Check(t, p.Law)

	p.Inputs = rapid.Just(value.Object(
		value.Field("login", value.Object(
			value.Field("user", value.String("hunter2")),
			value.Field("password", value.Secret(value.String("hunter2hunter2"))),
		)),
	))
	p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		response, err := d.create(ctx, r)
		password, _ := r.Properties.Field("login").Field("password").AsString()
		response.Properties, _ = response.Properties.WithField("path", value.String("/dev/"+password))

		return response, err
	}

	want := "Create returns a text in clear, at path, that contains the secret input login: mark it as a secret"
	if said, failed := kit.CheckRecorded(100, true, p.Law); !failed || !strings.Contains(said, want) {
		t.Errorf("failed %v, not for %q:\n%s", failed, want, said)
	}
}

// oneSize is inputs of disks with another size.
func oneSize(inputs value.Value) value.Value {
	v, _ := inputs.WithField("size", value.Number(10))

	return v
}

// mistake makes a provider of disks do something wrong, and returns what is said of it.
type mistake func(p *fuzz.Provider, d *disks) (want string)

// buggyReads are mistakes of Read.
func buggyReads() map[string]mistake {
	return map[string]mistake{
		"Read returns the wrong inputs": func(p *fuzz.Provider, d *disks) string {
			p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
				response, err := d.read(ctx, r)
				if response.ID != "" {
					response.Inputs = oneSize(response.Inputs)
				}

				return response, err
			}

			return "Read, as in a refresh, returns other inputs than the resource has after Create, at size"
		},
		"Read needs the old state": func(p *fuzz.Provider, d *disks) string {
			p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
				if r.Properties.IsNull() {
					return &rpc.ReadResponse{}, nil
				}

				return d.read(ctx, r)
			}

			return "Read, by the ID alone, as in an import, does not find the resource after Create"
		},
		"Read returns the old state": func(p *fuzz.Provider, d *disks) string {
			p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
				if r.Properties.IsNull() {
					return d.read(ctx, r)
				}

				return &rpc.ReadResponse{ID: r.ID, Inputs: r.Inputs, Properties: r.Properties}, nil
			}

			return "Read finds the resource after Delete"
		},
		"Read fails for what is gone": func(p *fuzz.Provider, d *disks) string {
			p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
				response, err := d.read(ctx, r)
				if response.ID == "" {
					return nil, errors.New("no such disk")
				}

				return response, err
			}

			return "Read fails after Delete, and should return an empty ID: no such disk"
		},
		"Read loses a secret": func(p *fuzz.Provider, d *disks) string {
			p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
				response, err := d.read(ctx, r)
				if response.ID != "" && !r.Properties.IsNull() {
					response.Properties = stripped(response.Properties)
				}

				return response, err
			}

			return "secret lost"
		},
	}
}

// buggyMarks are mistakes with secrets.
func buggyMarks() map[string]mistake {
	return map[string]mistake{
		"Read loses a secret output": func(p *fuzz.Provider, d *disks) string {
			secretPath := func(state value.Value, secret bool) value.Value {
				at := state.Field("path")
				if secret {
					at = value.Secret(at)
				}

				state, _ = state.WithField("path", at)

				return state
			}
			p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
				response, err := d.create(ctx, r)
				response.Properties = secretPath(response.Properties, true)

				return response, err
			}
			p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
				response, err := d.read(ctx, r)
				if response.ID != "" {
					response.Properties = secretPath(response.Properties, false)
				}

				return response, err
			}

			return "path: secret-lost"
		},
	}
}

// buggyPreviews are mistakes of previews.
func buggyPreviews() map[string]mistake {
	return map[string]mistake{
		"a preview of Create knows too much": func(p *fuzz.Provider, d *disks) string {
			p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
				if r.Preview {
					return &rpc.CreateResponse{Properties: diskState("", r.Properties)}, nil
				}

				return d.create(ctx, r)
			}

			return "Create returns something else than its preview, at path: in previews, return an unknown"
		},
		"a preview of Update keeps what changes": func(p *fuzz.Provider, d *disks) string {
			p.Update = func(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
				if r.Preview {
					return &rpc.UpdateResponse{Properties: r.Olds}, nil
				}

				return d.update(ctx, r)
			}

			return "Update returns something else than its preview, at "
		},
		"a preview of Update updates": func(p *fuzz.Provider, d *disks) string {
			p.Update = func(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
				response, err := d.update(ctx, r)
				d.inputs[r.ID] = r.News

				return response, err
			}

			return "Update, in a preview, changed the resource, at "
		},
	}
}

// buggyUpdates are mistakes of calls that change a resource.
func buggyUpdates() map[string]mistake {
	return map[string]mistake{
		"a path with the password": func(p *fuzz.Provider, d *disks) string {
			p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
				response, err := d.create(ctx, r)
				password, _ := r.Properties.Field("password").AsString()

				if !r.Preview {
					response.Properties, _ = response.Properties.WithField("path", value.String("/dev/"+password))
				}

				return response, err
			}
			p.Read = nil

			return `Create returns a text in clear, at path, that contains the secret input password: mark it as a secret`
		},
		"Create returns what it was asked for": func(p *fuzz.Provider, d *disks) string {
			p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
				response, err := d.read(ctx, r)
				if response.ID != "" {
					response.Properties = oneSize(response.Properties)
				}

				return response, err
			}

			return "Read, as in a refresh, returns another state than Create left, at size: engines show that as drift"
		},
		"Update forgets the size": func(p *fuzz.Provider, _ *disks) string {
			p.Update = func(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
				return &rpc.UpdateResponse{Properties: diskState(r.ID, r.News)}, nil
			}

			return "Read, as in a refresh, returns another state than Update left, at "
		},
		"a replacement has the ID of what it replaces": func(p *fuzz.Provider, d *disks) string {
			p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
				response, err := d.create(ctx, r)
				if !r.Preview {
					d.inputs["disk"] = r.Properties
					response = &rpc.CreateResponse{ID: "disk", Properties: diskState("disk", r.Properties)}
				}

				return response, err
			}

			return "Read, as in a refresh, does not find the resource after the deletion of the resource that it replaces"
		},
		"Update wants another order": func(p *fuzz.Provider, d *disks) string {
			p.Update = func(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
				if !r.Preview && r.Olds.Field("size").Equal(value.Number(2)) {
					panic("a disk cannot shrink")
				}

				return d.update(ctx, r)
			}

			return "a disk cannot shrink"
		},
	}
}

// buggyDeletions are mistakes of what follows or precedes a deletion.
func buggyDeletions() map[string]mistake {
	return map[string]mistake{
		"Read returns the ID of what is gone": func(p *fuzz.Provider, d *disks) string {
			p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
				response, err := d.read(ctx, r)
				response.ID = r.ID
				return response, err
			}
			return "Read returns an ID without properties after Delete"
		},
		"Delete does nothing": func(p *fuzz.Provider, _ *disks) string {
			p.Delete = func(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error) { return &rpc.Empty{}, nil }

			return "Read finds the resource after Delete"
		},
		"Delete fails for what is gone": func(p *fuzz.Provider, d *disks) string {
			p.Delete = func(ctx context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
				if _, ok := d.inputs[r.ID]; !ok {
					return nil, errors.New("no such disk")
				}

				return d.delete(ctx, r)
			}

			return "Delete fails for a resource that is gone, which somebody else may have deleted"
		},
		"a replacement needs what is still there": func(p *fuzz.Provider, d *disks) string {
			p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
				if !r.Preview && len(d.inputs) > 0 {
					return nil, errors.New("there is a disk already")
				}

				return d.create(ctx, r)
			}

			return "Diff should set DeleteBeforeReplace: Create of a replacement fails while the resource that it replaces is there, and works after its deletion"
		},
	}
}

// buggyAnswers are mistakes that one call shows.
func buggyAnswers() map[string]mistake {
	return map[string]mistake{
		"Check makes names up": func(p *fuzz.Provider, d *disks) string {
			p.Check = func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
				d.serial++
				v, _ := r.News.WithField("name", value.String("disk-"+strconv.Itoa(d.serial)))

				return &rpc.CheckResponse{Inputs: v}, nil
			}

			return "Check gives another answer to the same request"
		},
		"Check adds to what it returned": func(p *fuzz.Provider, _ *disks) string {
			p.Check = func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
				name, _ := r.News.Field("name").AsString()
				v, _ := r.News.WithField("name", value.String("disk-"+name))

				return &rpc.CheckResponse{Inputs: v}, nil
			}

			return "Check is not idempotent: it changes inputs that it returned"
		},
		"an error with the password": func(p *fuzz.Provider, _ *disks) string {
			p.Check = nil
			p.Inputs = rapid.Just(value.Object(value.Field("password", fuzz.NewCanary(1).Hide(fuzz.InString))))
			p.Create = func(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
				password, _ := r.Properties.Field("password").AsString()

				return nil, fmt.Errorf("the password %q is too short", password)
			}

			return "shows a secret"
		},
	}
}

// buggyUnknowns are mistakes with what is not known yet.
func buggyUnknowns() map[string]mistake {
	return map[string]mistake{
		"Check wants all to be known": func(p *fuzz.Provider, _ *disks) string {
			p.Inputs = knownDisks()
			p.Check = func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
				response := &rpc.CheckResponse{Inputs: r.News}
				if _, ok := r.News.Field("size").AsNumber(); !ok {
					response.Failures = []rpc.CheckFailure{{Property: "size", Reason: "expected 1 or more"}}
				}

				return response, nil
			}

			return "Check accepts inputs, and refuses them while one is unknown, at size"
		},
		"Diff wants all to be known": func(p *fuzz.Provider, _ *disks) string {
			p.Inputs, p.SupportsPreview = knownDisks(), false
			p.Diff = func(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
				if _, ok := r.News.Field("size").AsNumber(); !ok {
					return nil, errors.New("expected a number")
				}

				return answering(replacing("name"))(ctx, r)
			}

			return "Diff fails for inputs that Check accepted"
		},
		"Diff leaves ignoreChanges to the engine": func(p *fuzz.Provider, _ *disks) string {
			p.Diff = func(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
				own := *r
				own.IgnoreChanges = nil

				return answering(replacing("name"))(ctx, &own)
			}

			return "DIFF_SOME, and nothing changed but what ignoreChanges names"
		},
		"Check makes a text of an unknown": func(p *fuzz.Provider, _ *disks) string {
			p.Inputs = knownDisks()
			p.Check = func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
				name, _ := r.News.Field("name").AsString()
				v, _ := r.News.WithField("name", value.String(strings.ToLower(name)).WithMarksOf(r.News.Field("name")))

				return &rpc.CheckResponse{Inputs: v}, nil
			}

			return "response.inputs: name: unknown-lost"
		},
	}
}

// buggyRuns are mistakes that show only when a program runs again, or before all of it is known.
func buggyRuns() map[string]mistake {
	return map[string]mistake{
		"Check names by the seed": func(p *fuzz.Provider, _ *disks) string {
			p.Check = func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
				inputs := r.News
				if _, ok := inputs.Lookup("label"); !ok {
					inputs, _ = inputs.WithField("label", value.String(string(r.RandomSeed.Reveal())))
				}
				return &rpc.CheckResponse{Inputs: inputs}, nil
			}
			return "Check makes another value, at label when the same program runs again"
		},
		"a preview of Create wants all to be known": func(p *fuzz.Provider, d *disks) string {
			p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
				if r.Properties.Field("size").IsUnknown() {
					return nil, errors.New("expected a number")
				}
				return d.create(ctx, r)
			}
			p.Inputs = knownDisks()
			return "Create fails in a preview while an input is unknown, at size"
		},
		"a preview of Update wants all to be known": func(p *fuzz.Provider, d *disks) string {
			p.Update = func(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
				if r.News.Field("size").IsUnknown() {
					return nil, errors.New("expected a number")
				}
				return d.update(ctx, r)
			}
			return "Update fails in a preview while an input is unknown, at size"
		},
		"a path that is not stable": func(p *fuzz.Provider, d *disks) string {
			p.Diff = func(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
				response, err := answering(replacing("name"))(ctx, r)
				response.Stables = append(response.Stables, "path")
				return response, err
			}
			p.Update = func(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
				response, err := d.update(ctx, r)
				if !r.Preview {
					response.Properties, _ = response.Properties.WithField("path", value.String("/moved"))
				}
				return response, err
			}
			return "Diff names in stables what Update then changes, at path"
		},
		"Read returns the inputs that it is given": func(p *fuzz.Provider, d *disks) string {
			p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
				response, err := d.read(ctx, r)
				if response.ID != "" && !r.Inputs.IsNull() {
					response.Inputs = r.Inputs
				}
				return response, err
			}
			return "Read returns the inputs that it is given, at "
		},
		"Create returns no state": func(p *fuzz.Provider, d *disks) string {
			p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
				response, err := d.create(ctx, r)
				if !r.Preview {
					response.Properties = value.Object()
				}
				return response, err
			}
			return "state missing"
		},
	}
}

// TestBuggyLives: each bug is found, and the smallest failure says what it is and shows the
// calls that led to it.
func TestBuggyLives(t *testing.T) {
	all := map[string]mistake{}
	for _, some := range []map[string]mistake{buggyReads(), buggyMarks(), buggyPreviews(), buggyUpdates(), buggyDeletions(), buggyAnswers(), buggyUnknowns(), buggyRuns()} {
		maps.Copy(all, some)
	}

	for name, change := range all {
		t.Run(name, func(t *testing.T) {
			p, d := diskProvider()
			want := change(&p, d)

			said, failed := kit.CheckRecorded(2000, true, p.Law)
			if !failed || !strings.Contains(said, want) {
				t.Errorf("failed %v, not for %q:\n%s", failed, want, said)
			}

			if !strings.Contains(said, "request := &rpc.") {
				t.Errorf("no reproduction:\n%s", said)
			}
		})
	}
}

// TestTroubleInParallel: a provider that keeps what it works on in one place is fine until
// two calls come at the same time.
func TestTroubleInParallel(t *testing.T) {
	p, d := diskProvider()
	p.Run(t)

	var (
		lock    sync.Mutex
		current value.Value
	)

	p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		lock.Lock()
		current = r.Properties
		lock.Unlock()

		for range 100 {
			runtime.Gosched() // as if it asked a server
		}

		lock.Lock()
		defer lock.Unlock()

		return d.create(ctx, &rpc.CreateRequest{URN: r.URN, Properties: current, Preview: r.Preview})
	}

	text := strings.Join(said(t.Context(), t, p), "\n")
	if !strings.HasPrefix(text, "Create returns something else while resources of other names are worked on, at ") {
		t.Errorf("not found, but %q", text)
	}

	p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		lock.Lock()
		current = r.Properties
		lock.Unlock()

		for range 100 {
			runtime.Gosched()
		}

		lock.Lock()
		defer lock.Unlock()

		if !current.Equal(r.Properties) {
			panic("two at a time")
		}

		return d.create(ctx, r)
	}

	if text := strings.Join(said(t.Context(), t, p), "\n"); !strings.HasPrefix(text, "a panic while other resources are worked on: two at a time") {
		t.Errorf("not found, but %q", text)
	}
}

// TestFailingCreate: what Create made is deleted if its response is wrong, so that the next
// try is not refused for the name.
func TestFailingCreate(t *testing.T) {
	p, d := diskProvider()
	p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		if !r.Preview && len(d.inputs) > 0 {
			return nil, errors.New("there is a disk already")
		}

		response, err := d.create(ctx, r)
		if !r.Preview {
			response.Properties = stripped(response.Properties)
		}

		return response, err
	}

	said, failed := kit.CheckRecorded(100, true, p.Law)
	if !failed || !strings.Contains(said, "password: secret-lost") || strings.Contains(said, "flaky") {
		t.Errorf("failed %v:\n%s", failed, said)
	}
}

// halfMade is the error of a disk that is there but does not work.
type halfMade struct{ detail *rpc.ErrorResourceInitFailed }

func (halfMade) Error() string                              { return "the disk does not spin" }
func (h halfMade) InitFailed() *rpc.ErrorResourceInitFailed { return h.detail }

// TestHalfMade: what is there but does not work counts as made, and is deleted.
func TestHalfMade(t *testing.T) {
	p, d := diskProvider()
	p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		made, err := d.create(ctx, r)
		if r.Preview {
			return made, err
		}

		return nil, fmt.Errorf("create: %w", halfMade{&rpc.ErrorResourceInitFailed{ID: made.ID, Properties: made.Properties}})
	}

	if text := strings.Join(alone(t, p), "\n"); len(d.inputs) > 0 || d.serial == 0 || strings.Contains(text, "made a resource") {
		t.Errorf("%d of %d disks are left: %s", len(d.inputs), d.serial, text)
	}
}

// setProvider is a provider of disks with tags, whose order Read does not keep.
func setProvider(d *disks, o provider.Differ) fuzz.Provider {
	tags := rapid.Map(rapid.Permutation([]value.Value{value.String("a"), value.String("b"), value.String("c")}), func(all []value.Value) value.Value {
		return value.Object(value.Field("name", value.String("n")), value.Field("tags", value.Array(all[:2]...)))
	})
	turned := func(v value.Value) value.Value {
		list := v.Field("tags")
		v, _ = v.WithField("tags", value.Array(list.Elem(1), list.Elem(0)))

		return v
	}

	return fuzz.Provider{
		Diff: answering(o), Create: d.create, Update: d.update, Delete: d.delete, Inputs: tags, Compared: o,
		Read: func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
			response, err := d.read(ctx, r)
			if response.ID != "" {
				response.Properties, response.Inputs = turned(response.Properties), turned(response.Inputs)
			}

			return response, err
		},
	}
}

// TestReadsOfSets: another order of a set is no drift, and one of a list is.
func TestReadsOfSets(t *testing.T) {
	_, d := diskProvider()
	rapid.Check(t, setProvider(d, provider.Differ{ArrayRules: asSet().ArrayRules}).Law)

	const want = "Read, as in a refresh, returns another state than Create left, at tags[0]"
	if said, failed := kit.CheckRecorded(100, true, setProvider(d, provider.Differ{}).Law); !failed || !strings.Contains(said, want) {
		t.Errorf("failed %v, not for %q:\n%s", failed, want, said)
	}
	found := setProvider(d, provider.Differ{}).Findings(seeds(50))
	var reads []string
	for _, f := range found {
		if f.Method == "Read" && f.Code != "inputs-stale" { // in which the order may be the old one
			reads = append(reads, f.Code+" "+f.At.String())
		}
	}
	if !slices.Equal(reads, []string{"order-differs tags"}) {
		t.Errorf("not the order of tags alone:\n%s", listed(found))
	}
}

// TestOrderOfSets: Diff is asked about a set in another order, of which Check may make its own.
func TestOrderOfSets(t *testing.T) {
	one := rapid.Just(value.Object(value.Field("tags", value.Secret(value.Array(value.String("b"), value.String("a"))))))
	p := fuzz.Provider{Inputs: one, Diff: answering(provider.Differ{}), Compared: provider.Differ{ArrayRules: asSet().ArrayRules}}
	const want = "Diff answers DIFF_SOME, and nothing changed but the order of a set"
	if said, failed := kit.CheckRecorded(100, true, p.Law); !failed || !strings.Contains(said, want) {
		t.Errorf("failed %v, not for %q:\n%s", failed, want, said)
	}

	p.Check = func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
		tags := value.Array(value.String("a"), value.String("b"))
		return &rpc.CheckResponse{Inputs: set(r.News, "tags", func(value.Value) value.Value { return tags })}, nil
	}
	p.Options.NoUnknowns, p.Options.NoSecrets = true, true
	rapid.Check(t, p.Law)
}

// TestNoPreviews: a provider without support for previews is not asked for any.
func TestNoPreviews(t *testing.T) {
	p, d := diskProvider()
	p.SupportsPreview = false
	p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		if r.Preview {
			t.Error("a preview of Create")
		}

		return d.create(ctx, r)
	}
	p.Update = func(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
		if r.Preview {
			t.Error("a preview of Update")
		}

		return d.update(ctx, r)
	}
	rapid.Check(t, p.Law)
}

// TestSubjects: each request names the type and the name of the resource, as engines do.
func TestSubjects(t *testing.T) {
	const urn = "urn:pulumi:dev::shop::a:b:C$cloud:index:Disk::scratch"

	right := func(method, kind, name string, in rpc.Message) {
		if kind != "cloud:index:Disk" || !strings.HasPrefix(name, "scratch") {
			t.Errorf("%s: type %q, name %q of %v", method, kind, name, in)
		}
	}
	p, d := diskProvider()
	p.URN = urn
	p.Check = func(ctx context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
		right("Check", r.Type, r.Name, r)

		return passOn(ctx, r)
	}
	diff := p.Diff
	p.Diff = func(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
		right("Diff", r.Type, r.Name, r)

		return diff(ctx, r)
	}
	p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		right("Create", r.Type, r.Name, r)

		return d.create(ctx, r)
	}
	p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
		right("Read", r.Type, r.Name, r)

		return d.read(ctx, r)
	}
	p.Update = func(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
		right("Update", r.Type, r.Name, r)

		return d.update(ctx, r)
	}
	p.Delete = func(ctx context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
		right("Delete", r.Type, r.Name, r)

		return d.delete(ctx, r)
	}
	p.Run(t)

	p.Create = func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) { return nil, errors.New("no") }
	if said, _ := kit.CheckRecorded(100, true, func(t *rapid.T) { p.Law(t); t.Fatal("shown") }); !strings.Contains(said, `Type: "cloud:index:Disk", Name: "scratch"`) {
		t.Errorf("no reproduction:\n%s", said)
	}
}

// TestAnythingKnown: of inputs of any kind, nothing is unknown outside previews, and no old
// value is, IDs of references included.
func TestAnythingKnown(t *testing.T) {
	p, d := diskProvider()
	p.Inputs, p.Compared, p.Diff = nil, provider.Differ{}, honest
	p.Options = fuzz.Options{NoSecrets: true, NoAssets: true}
	p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		if !r.Preview && r.Properties.ContainsUnknown() {
			t.Errorf("Create: %s", fuzz.GoSource(r.Properties))
		}

		return d.create(ctx, r)
	}
	p.Update = func(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
		if r.Olds.ContainsUnknown() || (!r.Preview && r.News.ContainsUnknown()) {
			t.Errorf("Update: %s", fuzz.GoSource(r.News))
		}

		return d.update(ctx, r)
	}
	rapid.Check(t, p.Law)
}

// TestFewAreCreated: a Create that mostly fails is hardly tested.
func TestFewAreCreated(t *testing.T) {
	p, _ := diskProvider()
	p.Create = func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		return nil, errors.New("no disks today")
	}

	want := " tries made a resource, so that little was tested; before that: Create returned the error: no disks today."
	if text := strings.Join(alone(t, p), "\n"); !strings.Contains(text, want) {
		t.Errorf("%q", text)
	}
}

// TestQuietReads: what differs each time, or is spelled otherwise, is no drift where the
// options say so.
func TestQuietReads(t *testing.T) {
	p, d := diskProvider()
	p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
		response, err := d.read(ctx, r)
		if response.ID == "" {
			return response, err
		}

		d.serial++
		response.Properties, _ = response.Properties.WithField("etag", value.Number(float64(d.serial)))
		name, _ := response.Properties.Field("name").AsString()
		response.Properties, _ = response.Properties.WithField("name", value.String(strings.ToUpper(name)))

		return response, err
	}
	p.Quiet = []path.Pattern{path.MustParsePattern("etag")}
	p.Compared = provider.Differ{Equality: sameName(), ReplaceOn: path.MustSet("name")}
	p.Diff = answering(p.Compared)
	rapid.Check(t, p.Law)
}

// TestWriteOnly: what Read cannot find out is no drift where the options say so, and Diff has to
// report it all the same.
func TestWriteOnly(t *testing.T) {
	p, d := diskProvider()
	p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
		response, err := d.read(ctx, r)
		response.Inputs, response.Properties = without(response.Inputs, "password"), without(response.Properties, "password")

		return response, err
	}
	want := "returns another state than Create left, at password"
	if text, failed := kit.CheckRecorded(100, true, p.Law); !failed || !strings.Contains(text, want) {
		t.Errorf("failed %v, not for %q:\n%s", failed, want, text)
	}
	p.WriteOnly = []path.Pattern{path.MustParsePattern("password")}
	rapid.Check(t, p.Law)

	passwords := []string{"hunter2", "correct horse"}
	p.Inputs = rapid.Custom(func(t *rapid.T) value.Value {
		v, _ := diskInputs().Draw(t, "disk").WithField("password", value.Secret(value.String(rapid.SampledFrom(passwords).Draw(t, "password"))))

		return v
	})
	p.Diff = func(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
		own := *r
		own.News, _ = own.News.WithField("password", r.OldInputs.Field("password"))

		return answering(replacing("name"))(ctx, &own)
	}
	want = "password: unreported"
	if text, failed := kit.CheckRecorded(500, true, p.Law); !failed || !strings.Contains(text, want) {
		t.Errorf("failed %v, not for %q:\n%s", failed, want, text)
	}
}

// diskSchema is what a package schema says of disks.
func diskSchema(t *testing.T) *schema.Resource {
	t.Helper()
	const properties = `{"name":{"type":"string","replaceOnChanges":true},"password":{"type":"string","secret":true},"size":{"type":"number"},"kind":{"type":"string","enum":["ssd","hdd"]}`
	p, err := schema.Read([]byte(`{"name":"cloud","resources":{"cloud:index:Disk":{"inputProperties":`+properties+`},"requiredInputs":["name","password"],"properties":`+properties+`,"path":{"type":"string"}},"required":["name","password","path"]}}}`), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := p.Resource("cloud:index:Disk")

	return r
}

// TestSchema: a provider needs no more than its schema to be tested, and is held to that.
func TestSchema(t *testing.T) {
	disk := diskSchema(t)
	bySchema := func() (fuzz.Provider, *disks) {
		p, d := diskProvider()
		p.Schema, p.Inputs, p.Compared = disk, nil, provider.Differ{}
		p.Options.NoSecrets = true // of a name, which is in the path
		p.Check = func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
			return &rpc.CheckResponse{Inputs: disk.Inputs().MarkSecrets(r.News)}, nil
		}

		return p, d
	}
	p, d := bySchema()
	if said := alone(t, p); said != nil || len(d.inputs) > 0 || d.serial == 0 {
		t.Errorf("%d disks, %d left: %v", d.serial, len(d.inputs), said)
	}

	for want, change := range map[string]mistake{
		"response.inputs: password: schema-secret": func(p *fuzz.Provider, _ *disks) string {
			p.Check = passOn

			return ""
		},
		"response.properties: path: schema-mismatch": func(p *fuzz.Provider, d *disks) string {
			p.Create = func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
				response, err := d.create(ctx, r)
				if !r.Preview {
					response.Properties, _ = response.Properties.WithField("path", value.Number(1))
				}

				return response, err
			}

			return ""
		},
		"response.properties: password: schema-secret": func(p *fuzz.Provider, d *disks) string {
			p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
				response, err := d.read(ctx, r)
				if r.Inputs.IsNull() {
					response.Properties = stripped(response.Properties)
				}

				return response, err
			}

			return ""
		},
		"should-replace": func(p *fuzz.Provider, _ *disks) string {
			p.Diff = honest

			return ""
		},
	} {
		p, d := bySchema()
		change(&p, d)
		if text, failed := kit.CheckRecorded(500, true, p.Law); !failed || !strings.Contains(text, want) {
			t.Errorf("failed %v, not for %q:\n%s", failed, want, text)
		}
	}
}
