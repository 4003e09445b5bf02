package protocol

import (
	"errors"

	"github.com/propalg/propalg/codec/rpc"
)

// InitFailed returns what an error says of a resource that is there but does not work, or
// nil.
func InitFailed(err error) *rpc.ErrorResourceInitFailed {
	var failed interface {
		error
		InitFailed() *rpc.ErrorResourceInitFailed
	}
	if !errors.As(err, &failed) {
		return nil
	}

	return failed.InitFailed()
}
