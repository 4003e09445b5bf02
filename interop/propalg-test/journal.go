package main

import (
	"context"

	"github.com/propalg/propalg/codec/rpc"
)

type journal struct{}

type creating = func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error)
type deleting = func(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error)

func (*journal) creates(f creating) creating { return f }
func (*journal) deletes(f deleting) deleting { return f }
