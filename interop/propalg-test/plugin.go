package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// Limits on what a provider may do. A schema may be larger than other messages: those of large
// clouds have 100 MB.
const (
	launchTime  = time.Minute
	mostMessage = 16 << 20
	mostStarts  = 5 // for one resource or function, after its provider crashed or hung
)

// plugin is a provider that is tested. It is started again after it crashed or hung.
type plugin struct {
	program program
	engine  *engine
	home    string // the temporary HOME
	env     []string
	timeout time.Duration // of a call
	config  config
	log     *callLog
	mask    *mask

	ctx     context.Context // of calls; ends when the user interrupts
	client  *grpc.Plugin    // nil: not running
	session check.Session   // of the calls before there is anything to test
	stderr  *tail
	subject *subject // that is tested, whose findings are those of calls
	found   greeting
	schema  *schema.Package // nil: it has none
	asked   bool            // what is asked once

	parameters parameters
}

// greeting is what a provider says that it accepts.
type greeting struct {
	name, version               string
	greeted                     bool // it answers Handshake
	secrets, resources, preview bool
}

// errStart says that a provider did not get as far as to be configured.
var errStart = errors.New("the provider does not start")

// start starts the provider and calls what an engine calls first.
func (p *plugin) start() error {
	p.stderr, p.session = &tail{}, check.Session{}
	client, err := p.program.launch(p)
	if err != nil {
		return fmt.Errorf("%w: %w%s", errStart, err, p.said())
	}

	p.client = client
	if err := p.greet(); err != nil {
		said := p.end()
		return fmt.Errorf("%w: %w%s", errStart, err, said)
	}
	return nil
}

// greet calls Handshake, Parameterize, GetSchema, GetPluginInfo, GetMappings, CheckConfig and Configure.
func (p *plugin) greet() error {
	handshake, err := first(p, "Handshake", p.client.Handshake, p.handshake())
	switch {
	case err == nil:
		p.found.greeted, p.found.preview = true, true
		p.found.secrets, p.found.resources = handshake.AcceptSecrets, handshake.AcceptResources
	case !errors.Is(err, errors.ErrUnsupported):
		return err
	}
	if err := p.parameterize(); err != nil {
		return err
	}
	if p.schema == nil {
		if err := p.readSchema(); err != nil {
			return err
		}
		again, err := p.parameterized()
		if err != nil {
			return err
		}
		if again {
			p.end()
			return p.start()
		}
	}
	if !p.asked {
		p.asked = true
		if err := p.pluginInfo(); err != nil {
			return err
		}
		if err := p.mappings(); err != nil {
			return err
		}
	}
	return p.configure(handshake)
}

func (p *plugin) handshake() *rpc.ProviderHandshakeRequest {
	r := &rpc.ProviderHandshakeRequest{EngineAddress: p.engine.address, ConfigureWithURN: true, SupportsRefreshBeforeUpdate: true, InvokeWithPreview: true}
	if p.program.folder != "" {
		r.RootDirectory, r.ProgramDirectory = &p.program.folder, &p.program.folder
	}
	return r
}

// readSchema reads the schema over a connection of its own, with another limit.
func (p *plugin) readSchema() error {
	large, err := grpc.Connect(p.client.Address())
	if err != nil {
		return err
	}
	defer func() { _ = large.Close() }()
	answer, err := first(p, "GetSchema", large.GetSchema, &rpc.GetSchemaRequest{SubpackageName: p.parameters.name, SubpackageVersion: p.parameters.version})
	if errors.Is(err, errors.ErrUnsupported) || (err == nil && strings.TrimSpace(answer.Schema) == "") {
		p.schema = &schema.Package{}
		return nil
	}
	if err != nil {
		return err
	}

	read, err := schema.Read([]byte(answer.Schema), schema.Options{})
	if err != nil {
		if loose, alsoWrong := schema.Read([]byte(answer.Schema), schema.Options{AllowDangling: true}); alsoWrong == nil {
			p.subject.add("GetSchema", finding("schema-wrong", "the schema refers to what it does not have, as pulumi schema check says too: "+err.Error()))
			read, err = loose, nil
		}
	}
	if err != nil {
		p.subject.add("GetSchema", finding("schema-wrong", "the schema is refused: "+err.Error()))
		p.schema = &schema.Package{}
		return nil
	}
	p.schema, p.found.name, p.found.version = read, read.Name(), read.Version()
	return nil
}

// configure calls CheckConfig and Configure.
func (p *plugin) configure(greeted *rpc.ProviderHandshakeResponse) error {
	kind := "pulumi:providers:" + p.packageName()
	name, id := "default", "propalg-test"
	u := "urn:pulumi:test::propalg-test::" + kind + "::" + name
	args := p.config.args(p.schema)
	p.mask.addSecrets(args)

	checked, err := first(p, "CheckConfig", p.client.CheckConfig, &rpc.CheckRequest{URN: u, Type: kind, Name: name, Olds: value.Object(), News: args})
	switch {
	case err == nil && len(checked.Failures) > 0:
		return fmt.Errorf("CheckConfig refuses the configuration: %s", reasons(checked.Failures))
	case err == nil && !checked.Inputs.IsNull():
		args = checked.Inputs
	case err != nil && !errors.Is(err, errors.ErrUnsupported):
		return err
	}
	if p.subject.kind == "provider" {
		p.diffConfig(&rpc.DiffRequest{ID: id, URN: u, Type: kind, Name: name}, args)
	}
	answer, err := first(p, "Configure", p.client.Configure, &rpc.ConfigureRequest{
		URN: &u, ID: &id, Type: &kind, Name: &name, Args: args, Variables: rpc.Hide(variables(p.packageName(), args)),
		AcceptSecrets: true, AcceptResources: true, SendsOldInputs: true, SendsOldInputsToDelete: true,
	})
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil
	case err != nil:
		return err
	}
	if greeted == nil {
		p.found.secrets, p.found.resources, p.found.preview = answer.AcceptSecrets, answer.AcceptResources, answer.SupportsPreview
	}
	return nil
}

// diffConfig calls DiffConfig as engines do where nothing changed, and where the provider has
// another version, which programs that follow updates see often.
func (p *plugin) diffConfig(request *rpc.DiffRequest, args value.Value) {
	at := func(version string) value.Value {
		v, _ := args.WithField("version", value.String(version))
		return v
	}
	ask := func(news value.Value) (answer *rpc.DiffResponse, calls []fuzz.Call) {
		r := *request
		r.Olds, r.OldInputs, r.News = at("1.0.0"), at("1.0.0"), news
		ctx, stop := context.WithTimeout(p.ctx, max(p.timeout, launchTime))
		defer stop()
		answer, err := p.client.DiffConfig(ctx, &r)
		p.log.add("DiffConfig", &r, answer, err)
		if err != nil {
			answer = &rpc.DiffResponse{} // many leave it to the engine
		}
		return answer, []fuzz.Call{{Method: "DiffConfig", Request: &r, Response: answer}}
	}

	if answer, calls := ask(at("1.0.0")); answer.Changes == rpc.DiffSome {
		p.subject.addCalls("DiffConfig", finding("some-while-equal", "DiffConfig answers DIFF_SOME, and nothing changed"), calls)
		return
	}
	if answer, calls := ask(at("1.0.1")); replaces(answer) {
		p.subject.addCalls("DiffConfig", finding("version-replaces",
			"DiffConfig asks for a replacement where only the version of the provider is another: engines then replace all of its resources"), calls)
	}
}

// cancelTime is how long a provider may take for Cancel while nothing is going on.
const cancelTime = 5 * time.Second

// cancel calls Cancel, as engines do when the user interrupts. Nothing may be called after it.
func (p *plugin) cancel() {
	if p.client == nil {
		return
	}

	limit := min(p.timeout, cancelTime)
	ctx, stop := context.WithTimeout(p.ctx, limit)
	defer stop()
	_, err := p.client.Cancel(ctx, &rpc.Empty{})
	p.log.add("Cancel", &rpc.Empty{}, &rpc.Empty{}, err)
	var failed *grpc.Error
	if errors.As(err, &failed) && failed.Code == codes.DeadlineExceeded {
		p.subject.add("Cancel", finding("hang", fmt.Sprintf("Cancel does not return within %v, although nothing is going on", limit)))
	}
}

func (p *plugin) packageName() string {
	if p.schema != nil && p.schema.Name() != "" {
		return p.schema.Name()
	}
	return p.program.name
}

// first calls a method before there is anything to test.
func first[Q, R any](p *plugin, name string, method func(context.Context, *Q) (*R, error), request *Q) (*R, error) {
	ctx, stop := context.WithTimeout(p.ctx, max(p.timeout, launchTime))
	defer stop()
	response, err := method(ctx, request)
	p.log.add(name, request, response, err)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}

	q, _ := any(request).(rpc.Message)
	r, _ := any(response).(rpc.Message)
	for _, f := range p.session.Check(q, r, provider.Differ{}) {
		p.subject.add(name, f)
	}
	return response, nil
}

// via returns a method of the provider. If the provider crashes or hangs, that is a finding, and
// the try of the law ends.
func via[Q, R any](p *plugin, name string, method func(*grpc.Client, context.Context, *Q) (*R, error)) func(context.Context, *Q) (*R, error) {
	return func(_ context.Context, request *Q) (*R, error) {
		if err := p.running(); err != nil {
			return nil, err
		}
		ctx := p.ctx
		if p.program.live && slices.Contains([]string{"Create", "Update", "Delete"}, name) {
			ctx = context.WithoutCancel(ctx) // an interrupt waits for their end
		}
		ctx, stop := context.WithTimeout(ctx, p.timeout)
		defer stop()
		sent := *request
		asEngines(&sent)
		if !p.found.secrets {
			unmark(&sent)
		}
		response, err := method(p.client.Client, ctx, &sent)
		if !p.found.secrets && err == nil && response != nil {
			mark(request, response)
		}
		p.log.add(name, request, response, err)
		p.subject.counts.add(name, request, response, err)

		q, _ := any(request).(rpc.Message)
		return response, p.lost(name, q, err)
	}
}

// asEngines sets what engines never leave out, on which some servers rely: bags that are there
// although they are empty.
func asEngines(request any) {
	set := func(bags ...*value.Value) {
		for _, bag := range bags {
			if bag.IsNull() {
				*bag = value.Object()
			}
		}
	}
	switch r := request.(type) {
	case *rpc.CheckRequest:
		set(&r.Olds, &r.News)
	case *rpc.DiffRequest:
		set(&r.Olds, &r.News, &r.OldInputs)
	case *rpc.CreateRequest:
		set(&r.Properties)
	case *rpc.ReadRequest:
		set(&r.Properties)
	case *rpc.UpdateRequest:
		set(&r.Olds, &r.News, &r.OldInputs)
	case *rpc.DeleteRequest:
		set(&r.Properties, &r.OldInputs)
	case *rpc.InvokeRequest:
		set(&r.Args)
	}
}

// running starts the provider if it does not run.
func (p *plugin) running() error {
	s := p.subject
	if p.ctx.Err() != nil || s.stopped != "" {
		return fuzz.ErrGone
	}
	if p.client != nil {
		return nil
	}

	if s.starts++; s.starts > mostStarts {
		s.stopped = fmt.Sprintf("the provider ended %d times", s.starts)
		return fuzz.ErrGone
	}
	if err := p.start(); err != nil {
		s.stopped = err.Error()
		return fmt.Errorf("%w: %w", fuzz.ErrGone, err)
	}
	return nil
}

// lost returns the error of a call. One after which nobody answers is a finding.
func (p *plugin) lost(method string, request rpc.Message, err error) error {
	var failed *grpc.Error
	if err == nil || !errors.As(err, &failed) {
		return err
	}

	var code, advice string
	switch {
	case p.ctx.Err() != nil, errors.As(err, new(*rpc.Error)): // what cannot be sent, no program sends
		return fmt.Errorf("%w: %w", fuzz.ErrGone, err)
	case failed.Code == codes.Unavailable:
		code, advice = "crash", method+" ends the provider"
	case failed.Code == codes.DeadlineExceeded:
		code, advice = "hang", fmt.Sprintf("%s does not return within %v (--timeout)", method, p.timeout)
	case failed.Code == codes.ResourceExhausted && strings.Contains(failed.Text, "larger than max"):
		code, advice = "too-large", fmt.Sprintf("the response of %s has more than %d MiB", method, mostMessage>>20)
	default:
		return err
	}
	if code != "too-large" {
		advice += p.end()
	}
	p.subject.addCalls(method, finding(code, advice), []fuzz.Call{{Method: method, Request: request, Err: err}})
	return fmt.Errorf("%w: %w", fuzz.ErrGone, err)
}

// end ends the provider, and returns what it wrote last.
func (p *plugin) end() string {
	if p.client != nil {
		_ = p.client.Close()
		p.client = nil
	}
	return p.said()
}

func (p *plugin) said() string {
	if text := p.stderr.String(); text != "" {
		return "; it wrote: " + text
	}
	return ""
}

// environment returns the variables that the provider gets: with --live all, and otherwise none
// that could hold credentials.
func (p *plugin) environment(live bool) []string {
	if live {
		return nil
	}

	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "TMPDIR=" + p.home}
	for _, name := range p.env {
		if text, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+text)
		}
	}
	return env
}

func reasons(failures []rpc.CheckFailure) string {
	all := make([]string, 0, mostReasons)
	for _, f := range failures[:min(len(failures), mostReasons)] {
		all = append(all, strings.TrimPrefix(f.Property+": "+f.Reason, ": "))
	}
	return strings.Join(all, "; ")
}

// variables is the legacy form of the arguments of Configure.
func variables(name string, args value.Value) map[string]string {
	all := map[string]string{}
	for key, v := range args.Members() {
		text, ok := v.AsString()
		if !ok {
			text = string(plainJSON(v))
		}
		all[name+":config:"+key] = text
	}
	return all
}

// tail keeps the end of what a provider writes.
type tail struct{ kept []byte }

const mostTail = 2 << 10

// Write keeps the last bytes. Launch calls it once at a time, and not after Close.
func (t *tail) Write(text []byte) (int, error) {
	n := len(text)
	if len(text) > mostTail {
		text = text[len(text)-mostTail:]
	}
	t.kept = append(t.kept, text...)
	if over := len(t.kept) - mostTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return n, nil
}

func (t *tail) String() string { return strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "?")) }

var _ io.Writer = (*tail)(nil)
