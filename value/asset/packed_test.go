package asset_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"strings"
)

// packed is one entry of an archive file that a test makes: a plain file, unless it
// has a type (TAR) or a mode (ZIP).
type packed struct {
	name, content string
	link          string
	flag          byte
}

func tarBytes(entries ...packed) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(e.content)), Linkname: e.link}
		if e.flag != 0 {
			h.Typeflag = e.flag
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			h = &tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: e.name, PAXRecords: map[string]string{"comment": "x"}}
		}
		must(w.WriteHeader(h))
		_, err := io.WriteString(w, e.content)
		must(err)
	}
	must(w.Close())
	return b.Bytes()
}

func gzipBytes(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	must(err)
	must(w.Close())
	return b.Bytes()
}

func zipBytes(entries ...packed) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.flag != 0 {
			h.ExternalAttrs = unixMode(e.flag)<<16 | 0o644<<16
			h.CreatorVersion = 3 << 8
		}
		to, err := w.CreateHeader(h)
		must(err)
		if !strings.HasSuffix(e.name, "/") {
			_, err = io.WriteString(to, e.content+e.link)
			must(err)
		}
	}
	must(w.Close())
	return b.Bytes()
}

// unixMode is the type of a file as Unix writes it.
func unixMode(flag byte) uint32 {
	switch flag {
	case tar.TypeSymlink:
		return 0o120000
	case tar.TypeChar:
		return 0o020000
	case tar.TypeBlock:
		return 0o060000
	case tar.TypeFifo:
		return 0o010000
	}
	return 0o100000
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
