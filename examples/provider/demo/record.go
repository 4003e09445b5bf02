package demo

import (
	"context"
	"crypto/rand"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Diff says what an update would change, and whether it can be done in place. It
// gets old inputs, new inputs and the old state. Everything in the answer comes
// from one comparison, so its parts agree.
func (p *Provider) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	u, err := recordURN(r.URN)
	if err != nil {
		return nil, err
	}
	o, err := p.differ()
	if err != nil {
		return nil, err
	}
	o.Stables = []string{"url", "token"}
	// A replacement is made before the old one goes, unless both have one name.
	name, _ := r.News.Field("name").AsString()
	old, _ := r.Olds.Field("name").AsString()
	o.DeleteBeforeReplace = name == old && !isAutomatic(name, u)
	_, o.AnswerUnknown = p.env("DEMO_DIFF_UNKNOWN") // for tests: the engine finds out itself
	return o.Answer(r)
}

// differ says what a change is, for Diff and for Read.
func (p *Provider) differ() (provider.Differ, error) {
	o, err := provider.FromSchema(p.record) // what replaces, and what is an input
	// Members are a set: their order does not count.
	o.ArrayRules = []diff.ArrayRule{{Pattern: path.MustParsePattern("members"), Match: diff.Unordered()}}
	return o, err
}

// Create makes a record. In a preview it makes nothing, and says what would come,
// with unknown values for what is not known before.
func (p *Provider) Create(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	inputs := r.Properties.DropDependencies()
	if r.Preview {
		return &rpc.CreateResponse{Properties: p.foretell(inputs, value.Null(), value.Null())}, nil
	}
	s, args, outputs, err := p.prepare(ctx, r.URN, inputs)
	if err != nil {
		return nil, err
	}
	p.dieAt("kill-before-commit")
	// First the name is taken, for the URN. When we are killed before the record is
	// ready, or before the engine hears that it is, the engine asks for it again, so
	// what this URN has begun with these inputs is begun anew. When the engine
	// replaces a record by itself it asks in the same words, and deletes the old one
	// afterwards. Therefore each making has an ID of its own: Delete of the one
	// before does not reach it.
	record, err := s.Change(ctx, args.Name, func(old store.Record, found bool) (store.Record, error) {
		if found && (old.URN != r.URN || (old.Phase == store.Ready && !old.Inputs.Equal(inputs))) {
			return old, &grpc.Error{Code: codes.AlreadyExists, Text: "another record has this name"}
		}
		return store.Record{URN: r.URN, Phase: store.Reserved, Inputs: inputs}, nil
	})
	if err != nil {
		return nil, err
	}
	p.dieAt("kill-after-reserve")
	if err := p.waitAt(ctx, "wait"); err != nil {
		return nil, err
	}
	record, err = s.Change(ctx, args.Name, func(now store.Record, found bool) (store.Record, error) {
		if !found || now.Serial != record.Serial {
			return now, &grpc.Error{Code: codes.Aborted, Text: "another call made this record in the meantime"}
		}
		now.Phase = store.Ready
		now.Outputs = value.Object(append(outputs,
			value.Member{Key: "revision", Value: value.Number(1)},
			value.Member{Key: "token", Value: value.Secret(value.String(rand.Text()))},
			value.Member{Key: "url", Value: value.String("https://" + args.Name + "." + args.Zone + ".demo.test/")},
		)...)
		return now, nil
	})
	if err != nil {
		return nil, err
	}
	p.dieAt("kill-after-commit")
	return &rpc.CreateResponse{ID: recordID(record), Properties: state(record)}, p.unwell(record)
}

// recordID is the ID of a record: its name, and the serial of its making.
func recordID(r store.Record) string { return r.Name + "#" + strconv.FormatUint(r.Serial, 10) }

// nameOf returns the name in an ID, and whether a record of that name is the one that
// is meant. A name alone, which people give to import a record, means any.
func nameOf(id string) (name string, isMeant func(store.Record) bool) {
	name, _, numbered := strings.Cut(id, "#")
	return name, func(r store.Record) bool { return !numbered || recordID(r) == id }
}

// Update changes a record in place. The engine calls it also when nothing changed
// but the last operation had failed in part.
func (p *Provider) Update(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	inputs := r.News.DropDependencies()
	if r.Preview {
		return &rpc.UpdateResponse{Properties: p.foretell(inputs, r.OldInputs, r.Olds)}, nil
	}
	s, _, outputs, err := p.prepare(ctx, r.URN, inputs)
	if err != nil {
		return nil, err
	}
	name, isMeant := nameOf(r.ID)
	record, err := s.Change(ctx, name, func(old store.Record, found bool) (store.Record, error) {
		if !found || !isMeant(old) {
			return old, &grpc.Error{Code: codes.NotFound, Text: "there is no record of this ID: refresh"}
		}
		revision, _ := old.Outputs.Field("revision").AsNumber()
		old.Phase, old.Inputs = store.Ready, inputs
		old.Outputs = value.Object(append(outputs,
			value.Member{Key: "revision", Value: value.Number(revision + 1)},
			value.Member{Key: "token", Value: old.Outputs.Field("token")},
			value.Member{Key: "url", Value: old.Outputs.Field("url")},
		)...)
		return old, nil
	})
	if err != nil {
		return nil, err
	}
	return &rpc.UpdateResponse{Properties: state(record)}, p.unwell(record)
}

// Read returns what is there, for refresh and for import: in an import the request
// has an ID and nothing else. An answer without ID says that there is nothing.
func (p *Provider) Read(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	s, err := p.cloud()
	if err != nil {
		return nil, err
	}
	name, isMeant := nameOf(r.ID)
	record, found, err := s.Load(ctx, name)
	if err != nil || !found || !isMeant(record) || record.Phase != store.Ready {
		return &rpc.ReadResponse{}, err
	}
	// What was secret before stays secret, whoever changed it in the cloud.
	now := p.record.Inputs().MarkSecrets(state(record)).WithSecretsOf(r.Properties)
	o, err := p.differ()
	if err != nil {
		return nil, err
	}
	inputs, err := o.ReadInputs(r.Inputs, r.Properties, now)
	return &rpc.ReadResponse{ID: recordID(record), Inputs: inputs, Properties: now}, err
}

// Delete removes a record. That there is none is not an error: an engine that did not
// get the answer to a Delete repeats it.
func (p *Provider) Delete(ctx context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	s, err := p.cloud()
	if err != nil {
		return nil, err
	}
	name, isMeant := nameOf(r.ID)
	return &rpc.Empty{}, s.Remove(ctx, name, isMeant)
}

// recordArgs is what of the inputs of a Record the cloud works with. The rest it keeps as
// it is.
type recordArgs struct {
	Name string  `pulumi:"name"`
	Zone string  `pulumi:"zone,optional"`
	Size float64 `pulumi:"size,optional"`
}

// prepare does what may fail before anything is changed. There are no unknowns
// outside preview; the contents of assets are read.
func (p *Provider) prepare(ctx context.Context, urn string, inputs value.Value) (s *store.Store, args recordArgs, outputs []value.Member, err error) {
	if _, err := recordURN(urn); err != nil {
		return nil, args, nil, err
	}
	for _, found := range check.Violations(&rpc.CreateRequest{Properties: inputs}, nil) {
		return nil, args, nil, invalid(found.String()) // where, and no value
	}
	if _, err := bind.Decode(inputs, &args, bind.Options{AllowExtra: true}); err != nil {
		return nil, args, nil, invalid(err.Error())
	}
	if args.Name == "" {
		return nil, args, nil, invalid("name: is required") // Check gave it one
	}
	if s, err = p.cloud(); err != nil {
		return nil, args, nil, err
	}
	outputs, err = measure(ctx, inputs)
	return s, args, outputs, err
}

// state is what the engine keeps of a record: its inputs and what was computed.
func state(r store.Record) value.Value {
	all := maps.Collect(r.Inputs.Members())
	maps.Insert(all, r.Outputs.Members())
	return value.ObjectFromMap(all)
}

// foretell is the state after a create, or after an update of old inputs and state: what
// is computed is not known, unless an update leaves it alone. Secrets are marked, so that
// what depends on one is hidden in the preview.
func (p *Provider) foretell(inputs, oldInputs, old value.Value) value.Value {
	next, outputs := inputs, p.record.Outputs()
	same := func(name string) bool { return value.Engine.Equal(oldInputs.Field(name), inputs.Field(name)) }
	keep := map[string]bool{"url": true, "token": true, "documentBytes": same("document"), "bundleEntries": same("bundle")}
	for _, name := range outputs {
		if v, there := old.Lookup(name); there && keep[name] {
			next, _ = next.WithField(name, v)
		}
	}
	outputs = slices.DeleteFunc(outputs, func(name string) bool {
		return (name == "documentBytes" && inputs.Field("document").IsNull()) || (name == "bundleEntries" && inputs.Field("bundle").IsNull())
	})
	return p.record.State().MarkSecrets(next.WithUnknowns(outputs...))
}

// unwell is the error for a record that is there but does not work, or nil. The engine
// keeps such a record, with what is told of it here, and calls Update in the next run.
func (p *Provider) unwell(r store.Record) error {
	size, _ := r.Inputs.Field("size").AsNumber()
	if size <= 1000 && !p.asked("partial") {
		return nil
	}
	return grpc.InitFailed(&rpc.ErrorResourceInitFailed{
		ID: recordID(r), Inputs: r.Inputs, Properties: state(r), Reasons: []string{"size: no more than 1000 are served"},
	})
}

// waitAt waits until the call is cancelled when the environment asks for that at a
// point, as a cloud that takes its time would.
func (p *Provider) waitAt(ctx context.Context, point string) error {
	if !p.asked(point) {
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
}

// dieAt kills the process when the environment asks for that at a point: for tests
// that what is left behind is something that the next run can go on from.
func (p *Provider) dieAt(point string) {
	if self, err := os.FindProcess(os.Getpid()); err == nil && p.asked(point) && self.Kill() == nil {
		select {} // it will come
	}
}
