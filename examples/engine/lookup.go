package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/interop/grpc"
)

// lookup finds the plugin that an engine starts, in folders with one folder for each plugin.
func lookup(folders []string, p engine.Plugin) (program string, err error) {
	var installed []engine.Plugin
	programs := map[string]string{} // by version
	for _, folder := range folders {
		entries, _ := os.ReadDir(folder) // what cannot be read has no plugins
		for _, e := range entries {
			have, ok := strings.CutPrefix(e.Name(), "resource-"+p.Name+"-")
			file := filepath.Join(folder, e.Name(), "pulumi-resource-"+p.Name)
			if stat, err := os.Stat(file); ok && err == nil && stat.Mode().IsRegular() {
				installed, programs[have] = append(installed, engine.Plugin{Name: p.Name, Version: have}), file
			}
		}
	}
	found, err := engine.Lookup(installed, p)
	if err != nil {
		return "", fmt.Errorf("no provider %s of version %q: %w", p.Name, p.Version, err)
	}
	return programs[found.Version], nil
}

// launcher returns a function that starts plugins from folders.
func launcher(folders []string) func(context.Context, engine.Plugin) (rpc.Provider, error) {
	return func(ctx context.Context, p engine.Plugin) (rpc.Provider, error) {
		program, err := lookup(folders, p)
		if err != nil {
			return nil, err
		}
		return grpc.Launch(ctx, program, grpc.LaunchOptions{Stderr: os.Stderr})
	}
}
