package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
	"github.com/propalg/propalg/value/bind"
)

type owner struct {
	Name string `pulumi:"name,optional"`
	Mail string `pulumi:"mail,optional"`
}

type settings struct {
	Retention *float64 `pulumi:"retention,optional"`
	Engine    string   `pulumi:"engine,optional" provider:"replaceOnChanges"`
	Owner     *owner   `pulumi:"owner,optional"`
}

type rule struct {
	Name  string   `pulumi:"name"`
	Port  int      `pulumi:"port"`
	CIDRs []string `pulumi:"cidrs,optional"`
}

type recordArgs struct {
	// Name is that of the record; without one, the record gets a name.
	Name     string                        `pulumi:"name,optional" provider:"replaceOnChanges,shown"`
	Zone     string                        `pulumi:"zone" provider:"replaceOnChanges,shown" default:"a"`
	Title    string                        `pulumi:"title,optional"`
	Size     int                           `pulumi:"size" default:"1"`
	Enabled  *bool                         `pulumi:"enabled,optional"`
	Labels   map[string]string             `pulumi:"labels,optional"`
	Settings *settings                     `pulumi:"settings,optional"`
	Rules    []rule                        `pulumi:"rules,optional"`
	Members  []string                      `pulumi:"members,optional" provider:"set"`
	Limits   map[string]map[string]float64 `pulumi:"limits,optional"`
	Extra    value.Value                   `pulumi:"extra,optional"`
	Password string                        `pulumi:"password,optional" provider:"secret"`
	Document *value.Asset                  `pulumi:"document,optional"`
	Bundle   *value.Archive                `pulumi:"bundle,optional"`
}

// record is a record in the store.
type record struct {
	recordArgs
	URL           string `pulumi:"url" provider:"stable"`
	Token         string `pulumi:"token" provider:"secret,stable"`
	Revision      int    `pulumi:"revision"`
	DocumentBytes *int64 `pulumi:"documentBytes,optional"`
	BundleEntries *int   `pulumi:"bundleEntries,optional"`
}

func (p *Provider) records() resource.Of[recordArgs, record] {
	return resource.Of[recordArgs, record]{
		Token: "demo:index:Record",
		Names: resource.Names{Property: "name"},
		Check: checkRecord, Create: p.create, Read: p.read, Update: p.update, Delete: p.remove, Predict: predict, Import: p.find,
		Differ: func(d *provider.Differ) {
			_, d.AnswerUnknown = p.env("DEMO_DIFF_UNKNOWN") // for tests: the engine finds out itself
		},
	}
}

// checkRecord checks what a schema cannot say. It must not say what it found: failures
// are shown to everybody.
func checkRecord(_ context.Context, args *recordArgs) error {
	var found []error
	refuse := func(bad bool, property, why string) {
		if bad {
			found = append(found, resource.Invalid(property, why))
		}
	}
	refuse(args.Name == "" || strings.Contains(args.Name, "#"), "name", `is empty, or holds a "#"`) // IDs are a name, "#" and a number
	refuse(args.Zone == "" || strings.Contains(args.Zone, "#"), "zone", `is empty, or holds a "#"`)
	refuse(args.Size < 0 || args.Size > math.MaxInt32, "size", "is out of range")
	for i, r := range args.Rules {
		refuse(r.Port < 1 || r.Port > 65535, fmt.Sprintf("rules[%d].port", i), "is out of range")
	}
	seen := map[string]bool{}
	for i, m := range args.Members {
		refuse(seen[m], fmt.Sprintf("members[%d]", i), "duplicate element")
		seen[m] = true
	}
	return errors.Join(found...)
}

// predict says in a preview what is known of the outputs: what is measured stays as it was
// while what is measured does.
func predict(_ context.Context, args recordArgs, old *record) (now record, err error) {
	if old != nil && args.Document != nil && old.Document != nil && args.Document.Equal(*old.Document) {
		now.DocumentBytes = old.DocumentBytes
	}
	if old != nil && args.Bundle != nil && old.Bundle != nil && args.Bundle.Equal(*old.Bundle) {
		now.BundleEntries = old.BundleEntries
	}
	return now, nil
}

// create makes a record. First the name is taken, for the URN. When we are killed before the
// record is ready, or before the engine hears that it is, the engine asks for it again, so
// what this URN has begun with these inputs is begun anew. When the engine replaces a record
// by itself it asks in the same words, and deletes the old one afterwards. Therefore each
// making has an ID of its own: Delete of the one before does not reach it.
func (p *Provider) create(ctx context.Context, args recordArgs) (id string, made record, err error) {
	made = record{recordArgs: args, URL: "https://" + args.Name + "." + args.Zone + ".demo.test/", Token: rand.Text(), Revision: 1}
	if err := made.measure(ctx); err != nil {
		return "", made, err
	}
	p.dieAt("kill-before-commit")
	urn := resource.URN(ctx)
	reserved, err := p.store.Load().Change(ctx, args.Name, func(old store.Record, found bool) (store.Record, error) {
		inputs, err := bind.Encode(args, bind.Options{})
		if found && (old.URN != urn || (old.Phase == store.Ready && !old.Inputs.Equal(inputs))) {
			return old, failure(codes.AlreadyExists, "another record has this name")
		}
		return store.Record{URN: urn, Phase: store.Reserved, Inputs: inputs}, err
	})
	if err != nil {
		return "", made, err
	}
	p.dieAt("kill-after-reserve")
	if p.asked("wait") { // until the call is cancelled, as a cloud that takes its time would
		<-ctx.Done()
		return "", made, ctx.Err()
	}
	ready, err := p.change(ctx, args.Name, made, func(now store.Record, found bool) error {
		if !found || now.Serial != reserved.Serial {
			return failure(codes.Aborted, "another call made this record in the meantime")
		}
		return nil
	})
	if err != nil {
		return "", made, err
	}
	p.dieAt("kill-after-commit")
	return recordID(ready), made, p.unwell(args)
}

// change keeps a record in place of the one in the store, unless that is refused.
func (p *Provider) change(ctx context.Context, name string, r record, refused func(now store.Record, found bool) error) (store.Record, error) {
	return p.store.Load().Change(ctx, name, func(now store.Record, found bool) (store.Record, error) {
		if err := refused(now, found); err != nil {
			return now, err
		}
		var err, failed error
		now.Phase = store.Ready
		now.Inputs, err = bind.Encode(r.recordArgs, bind.Options{})
		now.Outputs, failed = bind.Encode(r, bind.Options{})
		return now, errors.Join(err, failed)
	})
}

// recordID is the ID of a record: its name, and the serial of its making.
func recordID(r store.Record) string { return r.Name + "#" + strconv.FormatUint(r.Serial, 10) }

// nameOf returns the name in an ID, and whether a record of that name is the one that
// is meant. A name alone, which people give to import a record, means any.
func nameOf(id string) (name string, isMeant func(store.Record) bool) {
	name, _, numbered := strings.Cut(id, "#")
	return name, func(r store.Record) bool { return !numbered || recordID(r) == id }
}

// update changes a record in place. The engine calls it also when nothing changed
// but the last operation had failed in part.
func (p *Provider) update(ctx context.Context, id string, old record, args recordArgs) (record, error) {
	now := record{recordArgs: args, URL: old.URL, Token: old.Token, Revision: old.Revision + 1}
	if err := now.measure(ctx); err != nil {
		return now, err
	}
	name, isMeant := nameOf(id)
	_, err := p.change(ctx, name, now, func(r store.Record, found bool) error {
		if !found || !isMeant(r) {
			return failure(codes.NotFound, "there is no record of this ID: refresh")
		}
		return nil
	})
	if err != nil {
		return now, err
	}
	return now, p.unwell(args)
}

func (p *Provider) read(ctx context.Context, id string, _ record) (record, error) {
	_, r, err := p.find(ctx, id)
	return r, err
}

// find returns the record of an ID, or that of a name alone, which an import gives.
func (p *Provider) find(ctx context.Context, id string) (string, record, error) {
	name, isMeant := nameOf(id)
	r, found, err := p.store.Load().Load(ctx, name)
	if err == nil && (!found || !isMeant(r) || r.Phase != store.Ready) {
		err = resource.ErrNotFound
	}
	if err != nil {
		return "", record{}, err
	}
	all := r.Outputs
	for name, v := range r.Inputs.Members() { // somebody may have changed them in the store
		all, _ = all.WithField(name, v)
	}
	made, err := bind.As[record](all)
	return recordID(r), made, err
}

func (p *Provider) remove(ctx context.Context, id string, _ record) error {
	name, isMeant := nameOf(id)
	return p.store.Load().Remove(ctx, name, isMeant)
}

// unwell is the error for a record that is there but does not work, or nil. The engine
// keeps such a record, with what is told of it here, and calls Update in the next run.
func (p *Provider) unwell(args recordArgs) error {
	if args.Size <= 1000 && !p.asked("partial") {
		return nil
	}
	return resource.InitFailed("size: no more than 1000 are served")
}

// measure opens what assets and archives hold, and keeps what is computed of it;
// another provider would upload it. Paths start at the engine's working folder, which
// is ours too, and may lead anywhere: the program is trusted. Else: asset.Dir.
func (r *record) measure(ctx context.Context) error {
	contents := asset.Contents{Files: asset.DirWithin(".", "/")}
	if r.Document != nil {
		document, _ := value.FromGo(*r.Document)
		blob, err := contents.Open(ctx, document)
		if err != nil {
			return failure(codes.InvalidArgument, err.Error())
		}
		defer func() { _ = blob.Close() }()
		if size, known := blob.Size(); known {
			r.DocumentBytes = &size
		}
	}
	if r.Bundle != nil {
		bundle, _ := value.FromGo(*r.Bundle)
		entries, err := contents.List(ctx, bundle)
		if err != nil {
			return failure(codes.InvalidArgument, err.Error())
		}
		n := entries.Len()
		r.BundleEntries = &n
	}
	return nil
}
