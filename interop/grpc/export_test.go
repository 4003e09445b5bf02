package grpc

// Watch is for tests.
var Watch = watch
