package fuzz

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// Finding is something that the law found wrong, with the calls that show it.
type Finding struct {
	check.Finding

	Method string // that is wrong, such as "Diff"
	Calls  []Call // of one try, in their order, up to the one that shows it
}

// Call is a call of a method. SECRETS ARE IN IT: those that were generated, and what the
// provider adds.
type Call struct {
	Method            string
	Request, Response rpc.Message
	Err               error
}

// ErrGone ends a try of the law: a method that returns it, wrapped or not, has nothing more to
// call, such as a provider whose process has ended.
var ErrGone = errors.New("the provider is gone")

// Findings runs the law once for each seed, and returns all that is wrong, where [Provider.Law]
// stops at the first: one finding for each code, method and place, with the shortest calls that
// showed it. Nothing is shrunk. A method that panics is a finding too. Findings are in the order
// of methods, codes and places.
//
// The seeds may end at any time, for example when too much of it has passed.
func (p Provider) Findings(seeds iter.Seq[int]) []Finding {
	p = p.ready()
	p.tried = &tried{properties: map[string]*property{}}
	p.found = &found{all: map[foundKey]Finding{}, zeros: map[string]bool{}}
	p.traced()

	for seed := range seeds {
		rapid.Custom(func(t *rapid.T) bool {
			defer func() {
				if r := recover(); r != nil && r != any(errTryEnds) {
					panic(r)
				}
			}()
			p.found.calls = nil
			p.Law(t)
			return true
		}).Example(seed)
	}

	for _, name := range p.tried.ignored() {
		p.found.add("program-ignored", "Check", path.Show(path.Of(path.Key(name)), -1), alwaysTheSame)
	}
	return p.found.sorted()
}

const alwaysTheSame = "Check always returned the same, whatever the program said: return what the program says, or refuse it"

// errTryEnds is the value of the panic that ends a try of Findings.
var errTryEnds = errors.New("the try ends")

// found are the findings of a run, and the calls of its current try.
type found struct {
	all   map[foundKey]Finding
	calls []Call
	zeros map[string]bool // the inputs that were 0 or false once
}

type foundKey struct{ code, method, at string }

// add adds a finding of the law's own: an error, unless it only concerns what users see in a
// refresh, or may be meant.
func (a *found) add(code, method string, at path.Shown, advice string) {
	severity := check.SeverityError
	switch code {
	case "ignored-reported", "removal-ignored", "zero-replaced":
		severity = check.SeverityWarning
	case "order-differs":
		advice += "; only the order of the list is another"
	}
	a.addFinding(method, check.Finding{Severity: severity, Code: code, Entry: -1, At: at, Advice: advice})
}

func (a *found) addFinding(method string, f check.Finding) {
	key := foundKey{f.Code, method, f.In + " " + f.At.String()}
	if known, ok := a.all[key]; !ok || weight(a.calls) < weight(known.Calls) {
		a.all[key] = Finding{f, method, slices.Clone(a.calls)}
	}
}

func (a *found) sorted() []Finding {
	return slices.SortedFunc(maps.Values(a.all), func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Method, y.Method), cmp.Compare(x.Code, y.Code), cmp.Compare(x.In, y.In), cmp.Compare(x.At.String(), y.At.String()))
	})
}

// weight is how much there is to read in calls: a call counts as much as a few values.
func weight(calls []Call) (n int) {
	for _, c := range calls {
		n += 10
		switch r := c.Request.(type) {
		case *rpc.CheckRequest:
			n += size(r.Olds) + size(r.News)
		case *rpc.DiffRequest:
			n += size(r.Olds) + size(r.News)
		case *rpc.CreateRequest:
			n += size(r.Properties)
		case *rpc.UpdateRequest:
			n += size(r.Olds) + size(r.News)
		}
	}
	return n
}

func size(v value.Value) (n int) {
	for range v.Walk() {
		n++
	}
	return n
}

// traced makes the methods note their calls, and end the try if the provider is gone.
func (p *Provider) traced() {
	p.Check = noted(p.found, "Check", p.Check)
	p.Diff = noted(p.found, "Diff", p.Diff)
	p.Create = noted(p.found, "Create", p.Create)
	p.Read = noted(p.found, "Read", p.Read)
	p.Update = noted(p.found, "Update", p.Update)
	p.Delete = noted(p.found, "Delete", p.Delete)
}

func noted[Q, R any](a *found, name string, method func(context.Context, *Q) (*R, error)) func(context.Context, *Q) (*R, error) {
	if method == nil {
		return nil
	}

	return func(ctx context.Context, request *Q) (*R, error) {
		sent := *request
		a.calls = append(a.calls, Call{Method: name, Request: message(&sent)})
		last := &a.calls[len(a.calls)-1]
		response, err := guarded(ctx, a, name, method, request)
		last.Err = err
		if response != nil {
			last.Response = message(response)
		}
		if errors.Is(err, ErrGone) {
			panic(errTryEnds)
		}
		return response, err
	}
}

// guarded calls a method. A panic of it ends the try.
func guarded[Q, R any](ctx context.Context, a *found, name string, method func(context.Context, *Q) (*R, error), request *Q) (*R, error) {
	defer func() {
		if r := recover(); r != nil {
			a.add("panic", name, path.Shown{}, fmt.Sprintf("%s panics: %v", name, r))
			panic(errTryEnds)
		}
	}()
	return method(ctx, request)
}

// wrong fails, or adds a finding for each place. The text follows the method; %s in it stands
// for the places.
func (p Provider) wrong(t *rapid.T, code, method string, at []path.Shown, text string) {
	p.blame(t, method, code, method, at, text)
}

// blame is like wrong, where another method is wrong than the one that shows it.
func (p Provider) blame(t *rapid.T, blamed, code, method string, at []path.Shown, text string) {
	if p.found == nil {
		t.Fatalf("%s", method+placed(text, at))
	}

	advice := method + placed(text, nil)
	if len(at) == 0 {
		p.found.add(code, blamed, path.Shown{}, advice)
	}
	for _, place := range at {
		p.found.add(code, blamed, place, advice)
	}
}

// wrongly fails for a finding of package check, or adds it as a warning or an error.
func (p Provider) wrongly(t *rapid.T, method string, f check.Finding) {
	if p.found == nil {
		t.Fatalf("%v", f)
	}
	f.Severity = max(f.Severity, check.SeverityWarning)
	p.found.addFinding(method, f)
}

func placed(text string, at []path.Shown) string {
	if len(at) == 0 {
		return strings.Replace(text, "%s", "", 1)
	}

	var places []string
	for _, place := range at[:min(len(at), mostRefusals)] {
		places = append(places, place.String())
	}
	return strings.Replace(text, "%s", ", at "+strings.Join(places, ", "), 1)
}

// methodOf returns the method of a request.
func methodOf(request rpc.Message) string {
	name := fmt.Sprintf("%T", request)
	return strings.TrimSuffix(name[strings.LastIndexByte(name, '.')+1:], "Request")
}
