//go:build !amd64 && !arm64

package peers_test

// hyperpbDecoders is empty where hyperpb does not build.
func hyperpbDecoders(bool) []decoder { return nil }
