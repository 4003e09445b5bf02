package resource

import (
	"context"
	"errors"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Config is what [Configure] returns.
type Config interface {
	configType() any
	configure(ctx context.Context, values value.Value) error
}

// Configure returns a Config that passes the configuration to a function, as a struct: with
// defaults and environment variables by the tags, checked, and with secrets in clear. In a
// preview of a configuration that is not known yet the function is not called, and neither are
// those that need it. An engine may configure a provider again.
func Configure[C any](f func(ctx context.Context, config C) error) Config { return configFunc[C](f) }

type configFunc[C any] func(context.Context, C) error

func (f configFunc[C]) configType() any { return new(C) }

func (f configFunc[C]) configure(ctx context.Context, values value.Value) error {
	config := new(C)
	if _, err := bind.Decode(values, config, bind.Options{AllowExtra: true}); err != nil {
		return refusedBy(err)
	}
	return f(ctx, *config)
}

// configuration is what Configure was called with.
type configuration struct {
	values value.Value
	ready  bool
}

// ready returns an error if functions cannot be called yet.
func (p *Provider) ready() error {
	if config := p.configured.Load(); p.pkg.Config != nil && (config == nil || !config.ready) {
		return &protocol.Refusal{Text: "resource: the provider is not configured", NotYet: true}
	}
	return nil
}

// CheckConfig checks the configuration.
func (p *Provider) CheckConfig(ctx context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	if p.pkg.Config == nil {
		return p.Unimplemented.CheckConfig(ctx, r)
	}
	return run(ctx, p, r.URN, 0, func(context.Context, *call) (*rpc.CheckResponse, error) {
		inputs := p.configInputs()
		config, err := inputs.ParseConfig(r.News)
		if err == nil {
			config, err = inputs.WithDefaults(config, p.pkg.Env)
		}
		if err == nil {
			err = inputs.Check(config)
		}
		return response(inputs.MarkSecrets(r.News), rpc.CheckFailuresOf(r.News, err)), nil
	}, p.configInputs().MarkSecrets, r.News)
}

// DiffConfig says what a change of the configuration means, by the schema.
func (p *Provider) DiffConfig(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return run(ctx, p, r.URN, 0, func(context.Context, *call) (*rpc.DiffResponse, error) {
		var d provider.Differ
		if config := p.Schema().Provider(); config != nil {
			var err error
			if d, err = provider.FromSchema(config); err != nil {
				return nil, err
			}
		}
		return d.Answer(r)
	}, p.configInputs().MarkSecrets, r.News, r.Olds, r.OldInputs)
}

// Configure passes the configuration to the Config of the package.
func (p *Provider) Configure(ctx context.Context, r *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	if p.pkg.Config != nil {
		config, err := p.configuration(r)
		if err != nil {
			return nil, err
		}
		_, err = run(ctx, p, "", 0, func(ctx context.Context, _ *call) (*rpc.Empty, error) {
			return &rpc.Empty{}, p.configureWith(ctx, config)
		}, p.configInputs().MarkSecrets, config)
		if err != nil {
			return nil, err
		}
	}
	return &rpc.ConfigureResponse{
		AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, SupportsPreview: true,
		SupportsAutonamingConfiguration: true,
	}, nil
}

// configuration returns that of a request, with defaults.
func (p *Provider) configuration(r *rpc.ConfigureRequest) (value.Value, error) {
	inputs := p.configInputs()
	config, err := r.Args, error(nil)
	if config.IsNull() {
		config, err = r.PropertiesWithStrings(inputs.Strings()...)
	}
	if err == nil {
		config, err = inputs.ParseConfig(config)
	}
	if err == nil {
		config, err = inputs.WithDefaults(config, p.pkg.Env)
	}
	return config, refusedBy(err)
}

func (p *Provider) configureWith(ctx context.Context, config value.Value) error {
	if config.ContainsUnknown() {
		p.configured.Store(&configuration{values: config})
		return nil
	}

	inputs := p.configInputs()
	if missing := p.missing(inputs, config); len(missing) > 0 {
		return &protocol.MissingKeys{Keys: missing}
	}
	if err := inputs.Check(config); err != nil {
		return refusedBy(err)
	}
	if err := p.pkg.Config.configure(ctx, config); err != nil {
		return err
	}
	p.configured.Store(&configuration{config, true})
	return nil
}

// missing returns what is required, and neither given nor in the environment.
func (p *Provider) missing(inputs *schema.Type, config value.Value) []rpc.MissingKey {
	var keys []rpc.MissingKey
	for _, name := range p.required {
		if !config.Field(name).IsNull() {
			continue
		}
		property, _ := inputs.Property(name)
		description, _ := property.Document().Field("description").AsString()
		keys = append(keys, rpc.MissingKey{Name: p.Schema().Name() + ":" + name, Description: scan.Line(description)})
	}
	return keys
}

// refusedBy returns an error of bind as that of a request.
func refusedBy(err error) error {
	var e *bind.Error
	if errors.As(err, &e) {
		return refused("%v", err)
	}
	return err
}
