//go:build !unix

package asset

import "os"

const openFlags = os.O_RDONLY
