package main

import (
	"errors"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/check"
)

// mappingKey is the ecosystem that engines ask for when they convert a program.
const mappingKey = "terraform"

// At most mostMappings of the mappings that a provider has are asked for.
const mostMappings = 8

// mappings asks for the mappings of the provider as engines do when they convert a program: for
// those that it says it has, or for one of any provider. They may be large.
func (p *plugin) mappings() error {
	large, err := grpc.Connect(p.client.Address())
	if err != nil {
		return err
	}
	defer func() { _ = large.Close() }()

	all, err := first(p, "GetMappings", large.GetMappings, &rpc.GetMappingsRequest{Key: mappingKey})
	if err != nil {
		return p.noMapping("GetMappings", err)
	}
	names := all.Providers[:min(len(all.Providers), mostMappings)]
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		if _, err := first(p, "GetMapping", large.GetMapping, &rpc.GetMappingRequest{Key: mappingKey, Provider: name}); err != nil {
			return p.noMapping("GetMapping", err)
		}
	}
	return nil
}

// noMapping adds a finding about an error, unless the provider does not implement the method.
// It returns the error of one that has ended.
func (p *plugin) noMapping(method string, err error) error {
	var failed *grpc.Error
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil
	case errors.As(err, &failed) && failed.Code == codes.Unavailable:
		return err
	}
	for r := range check.Rules() {
		if r.Code == "mapping-refused" {
			f := finding(r.Code, r.Advice+": "+err.Error())
			f.Severity = r.Severity
			p.subject.add(method, f)
		}
	}
	return nil
}
