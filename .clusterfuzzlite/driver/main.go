// The driver is what libFuzzer calls: it runs one target of a package. build.sh adds
// a file to it with the targets.
package main

// #include <stddef.h>
import "C"

import (
	"fmt"
	"os"
	"unsafe"

	libfuzzer "github.com/propalg/propalg/.clusterfuzzlite/engine"
)

var target *libfuzzer.Target

//export LLVMFuzzerInitialize
func LLVMFuzzerInitialize(argc *C.int, argv ***C.char) C.int {
	t, done, err := libfuzzer.Main(os.Args, targets())

	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case done:
		os.Exit(0)
	}

	target = t

	return 0
}

//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.char, size C.size_t) C.int {
	// A copy, since targets may keep what they are given. A panic is a crash to
	// libFuzzer, which then writes the input to a file.
	if err := target.Run(C.GoBytes(unsafe.Pointer(data), C.int(size))); err != nil {
		panic(err)
	}

	return 0
}

func main() {}
