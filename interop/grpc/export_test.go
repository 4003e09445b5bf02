package grpc

// Watch and ServeBy are for tests.
var (
	Watch   = watch
	ServeBy = serve
)
