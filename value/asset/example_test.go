package asset_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing/fstest"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// project is a directory as users have it.
func project() fstest.MapFS {
	return fstest.MapFS{
		"dist/index.js":     {Data: []byte("exports.handler = main")},
		"dist/lib/greet.js": {Data: []byte("exports.greet = 1")},
		"README":            {Data: []byte("hello")},
	}
}

func literal(members ...value.Member) value.Value {
	a, err := value.LiteralArchive(members...)
	if err != nil {
		panic(err)
	}
	return a
}

// A provider gets code as an archive, and uploads it as a ZIP.
func ExampleContents() {
	c := asset.Contents{Files: asset.FS(project())}
	code := value.FileArchive("dist")

	hash, err := c.Hash(context.Background(), code)
	if err != nil {
		fmt.Println(err)
		return
	}
	var upload bytes.Buffer
	if err := c.Write(context.Background(), &upload, code, asset.ZIP); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(hash[:7], upload.Len() > 0)
	// Output: a114309 true
}

// An engine fills in the hashes that a program left out.
func ExampleContents_HashAll() {
	c := asset.Contents{Files: asset.FS(project())}
	bag := value.Object(
		value.Member{Key: "code", Value: value.FileArchive("dist")},
		value.Member{Key: "notes", Value: value.Secret(value.FileAsset("README"))},
	)
	bag, err := c.HashAll(context.Background(), bag)
	fmt.Println(bag, err)

	_, err = c.HashAll(context.Background(), value.Array(value.Null(), value.FileAsset("missing")))
	fmt.Println(err)
	// Output:
	// {code: archive(file:a114309), notes: [secret]} <nil>
	// asset: hash all: [1]: missing: not found: file does not exist
}

func ExampleContents_Entries() {
	c := asset.Contents{Files: asset.FS(project())}
	code := literal(
		value.Member{Key: "app", Value: value.FileArchive("dist")},
		value.Member{Key: "version.txt", Value: value.TextAsset("7")},
	)
	for entry, err := range c.Entries(context.Background(), code) {
		if err != nil {
			fmt.Println(err)
			return
		}
		content, err := io.ReadAll(entry)
		fmt.Println(entry.Name(), entry.Size(), string(content), err)
	}
	// Output:
	// app/index.js 22 exports.handler = main <nil>
	// app/lib/greet.js 17 exports.greet = 1 <nil>
	// version.txt 1 7 <nil>
}

func ExampleEntry() {
	secret := value.Secret(literal(value.Member{Key: "id_rsa", Value: value.TextAsset("key")}))
	for entry := range (asset.Contents{}).Entries(context.Background(), secret) {
		fmt.Println(entry, entry.Name())
	}
	// Output: [secret] (3 bytes) id_rsa
}

func ExampleContents_OpenEntry() {
	c := asset.Contents{Files: asset.FS(project())}
	entry, err := c.OpenEntry(context.Background(), value.FileArchive("dist"), "lib/greet.js")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = entry.Close() }()
	content, err := io.ReadAll(entry)
	fmt.Println(string(content), err)
	// Output: exports.greet = 1 <nil>
}

func ExampleBlob() {
	c := asset.Contents{Files: asset.FS(project())}
	blob, err := c.Open(context.Background(), value.FileAsset("README"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = blob.Close() }()
	size, known := blob.Size()
	content, err := io.ReadAll(blob)
	fmt.Println(size, known, string(content), err)
	// Output: 5 true hello <nil>
}

// Nothing outside of the directory is read.
func ExampleFiles() {
	c := asset.Contents{Files: asset.Dir(os.TempDir())}
	_, err := c.Hash(context.Background(), value.FileAsset("../etc/passwd"))
	fmt.Println(err, errors.Is(err, asset.ErrOutside))
	// Output: asset: hash: ../etc/passwd: outside the given directory true
}

// URIs are opened by the caller.
func ExampleOpener() {
	c := asset.Contents{URIs: func(_ context.Context, uri string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("from " + uri)), nil
	}}
	blob, err := c.Open(context.Background(), value.URIAsset("https://example.com/a"))
	if err != nil {
		fmt.Println(err)
		return
	}
	content, err := io.ReadAll(blob)
	fmt.Println(string(content), err, blob.Close())
	// Output: from https://example.com/a <nil> <nil>
}

func ExampleLimits() {
	c := asset.Contents{Files: asset.FS(project()), Limits: asset.Limits{Entries: 1}}
	_, err := c.Hash(context.Background(), value.FileArchive("dist"))
	fmt.Println(err)
	// Output: asset: hash: dist: limit exceeded: expected at most 1 (entries)
}

func ExampleFormat() {
	f, ok := asset.FormatOf("lambda.tar.gz")
	fmt.Println(f, ok)
	_, ok = asset.FormatOf("Lambda.ZIP")
	fmt.Println(ok)
	// Output:
	// tgz true
	// false
}

func ExampleError() {
	_, err := asset.Contents{}.Hash(context.Background(), value.FileAsset("a.txt"))
	var e *asset.Error
	if errors.As(err, &e) {
		fmt.Println(e.Op, e.File, errors.Is(err, asset.ErrFiles))
	}
	fmt.Println(err)
	// Output:
	// hash a.txt true
	// asset: hash: a.txt: no files given
}

func ExampleContents_List() {
	c := asset.Contents{Files: asset.FS(project())}
	l, err := c.List(context.Background(), value.FileArchive("dist"))
	for name, hash := range l.Members() {
		fmt.Println(name, hash)
	}
	fmt.Println(err)
	// Output:
	// index.js "4a9b95f520b8adacf6ed23b2a4eff2a9490d65bffb823ca4666aaea1e5a1159c"
	// lib/greet.js "1b4789efba23b596b769b06d1b27535f1c8b95597c4f2ae313133a288ee0a994"
	// <nil>
}
