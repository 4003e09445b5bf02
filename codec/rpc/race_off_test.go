//go:build !race

package rpc_test

const raced = false
