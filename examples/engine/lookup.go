package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// lookup finds the plugin that an engine starts, in folders with one folder for each plugin.
func lookup(folders []string, name, version string) (program string, err error) {
	var installed []engine.Plugin
	programs := map[string]string{} // by version
	for _, folder := range folders {
		entries, _ := os.ReadDir(folder) // what cannot be read has no plugins
		for _, e := range entries {
			have, ok := strings.CutPrefix(e.Name(), "resource-"+name+"-")
			file := filepath.Join(folder, e.Name(), "pulumi-resource-"+name)
			if stat, err := os.Stat(file); ok && err == nil && stat.Mode().IsRegular() {
				installed, programs[have] = append(installed, engine.Plugin{Name: name, Version: have}), file
			}
		}
	}
	found, err := engine.Lookup(installed, name, version)
	if err != nil {
		return "", fmt.Errorf("no provider %s of version %q: %w", name, version, err)
	}
	return programs[found.Version], nil
}

// providers starts providers when they are needed.
type providers struct {
	folders  []string
	packages map[string]pkg
	running  map[string]*grpc.Plugin
}

// of is the provider of a package: looked up, started, and configured.
func (p *providers) of(ctx context.Context, name string) (*grpc.Plugin, error) {
	if started := p.running[name]; started != nil {
		return started, nil
	}
	program, err := lookup(p.folders, name, p.packages[name].Version)
	if err != nil {
		return nil, err
	}
	started, err := grpc.Launch(ctx, program, grpc.LaunchOptions{Stderr: os.Stderr})
	if err != nil {
		return nil, err
	}
	if err := configure(ctx, started, p.packages[name].Config.object()); err != nil {
		return nil, errors.Join(fmt.Errorf("package %s: %w", name, err), started.Close())
	}
	p.running[name] = started
	return started, nil
}

// configure says who we are, has the configuration checked, and hands it over.
func configure(ctx context.Context, p *grpc.Plugin, config value.Value) error {
	_, err := p.Handshake(ctx, &rpc.ProviderHandshakeRequest{})
	if err != nil {
		return err
	}
	checked, err := p.CheckConfig(ctx, &rpc.CheckRequest{Olds: value.Object(), News: config})
	if err != nil {
		return err
	}
	if err := refusal(checked); err != nil {
		return err
	}
	_, err = p.Configure(ctx, &rpc.ConfigureRequest{Args: checked.Inputs, AcceptSecrets: true, AcceptResources: true, SendsOldInputs: true})
	return err
}

func (p *providers) close() {
	for _, started := range p.running {
		_, _ = started.Cancel(context.Background(), &rpc.Empty{}) // a courtesy: it is ended anyway
		_ = started.Close()
	}
}
