//go:build !amd64 && !arm64

package peers_test

func hyperpbDecoders(bool) []decoder { return nil }

func sonicReaders() []jsonReader { return nil }
