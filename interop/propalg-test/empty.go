package main

import "google.golang.org/grpc/mem"

// empty is a codec that reads nothing and writes messages without fields.
type empty struct{}

func (empty) Marshal(any) (mem.BufferSlice, error) { return nil, nil }
func (empty) Unmarshal(mem.BufferSlice, any) error { return nil }
func (empty) Name() string                         { return "proto" }
