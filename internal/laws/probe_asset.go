package laws

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// contentsOf are ways to look into assets and archives that read nothing outside of
// the scene: none at all, a file system with the scene's text in it, an opener that
// answers with that text, one that fails, and small limits.
func (s *scene) contentsOf() []asset.Contents {
	files := asset.FS(fstest.MapFS{"a.txt": {Data: []byte(s.text)}, "dir/b": {Data: []byte(s.text)}})
	answers := func(_ context.Context, _ string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(s.text)), nil
	}
	fails := func(context.Context, string) (io.ReadCloser, error) { return nil, errors.New("no network here") }
	all := []asset.Contents{
		{Files: files, URIs: answers},
		{},
		{Files: files, URIs: fails, Limits: asset.Limits{Entries: s.index, Bytes: int64(s.index), Depth: 1, Spool: 1, Parallel: 2}},
	}

	if s.big {
		return all[:1]
	}

	return all
}

// blobs gives a probe what the scene has in the way of assets and archives, and
// archives with entries that are hard to name, if the scene is not about secrets in
// the clear.
func (s *scene) blobs(f func(c asset.Contents, v value.Value)) {
	var some []value.Value

	for _, v := range s.parts {
		if k := v.Kind(); k == value.KindAsset || k == value.KindArchive {
			some = append(some, v)
		}
	}

	hidden := value.Secret(value.TextAsset(s.bared()).Value())
	some = append(some, hidden, value.Null(), value.FileAsset("a.txt").Value(), value.FileArchive("dir").Value(), value.URIArchive("https://example.com/a.zip").Value())

	archive, err := value.LiteralArchive(
		value.Member{Key: s.bared(), Value: hidden.DropSecret()}, value.Member{Key: "u", Value: value.URIAsset("https://example.com/a").Value()},
	)
	s.say(err)

	some = append(some, value.Secret(archive.Value()))

	for _, c := range s.contentsOf() {
		for _, v := range some[:min(len(some), s.most(12))] {
			f(c, v)
		}
	}
}

// eachListOfEntries lists what is in them.
func (s *scene) eachListOfEntries(f func(l asset.List)) {
	f(asset.List{})
	s.blobs(func(c asset.Contents, v value.Value) {
		l, err := c.List(context.Background(), v)
		s.say(err)
		f(l)
	})
}

// eachPackedEntry looks at their entries.
func (s *scene) eachPackedEntry(f func(e asset.Entry)) {
	f(asset.Entry{})
	s.blobs(func(c asset.Contents, v value.Value) {
		for e, err := range c.Entries(context.Background(), v) {
			s.say(err)
			f(e)
		}
	})
}

// eachBlob opens assets, and closes them.
func (s *scene) eachBlob(f func(b *asset.Blob)) {
	f(&asset.Blob{})
	s.blobs(func(c asset.Contents, v value.Value) {
		b, err := c.Open(context.Background(), v)
		s.say(err)

		if err == nil {
			f(b)
			s.say(b.Close())
		}
	})
}

func assetProbes() []probe {
	return slices.Concat(assetMakerProbes(), contentsProbes(), entryContentProbes())
}

// assetMakerProbes are about what reads nothing yet.
func assetMakerProbes() []probe {
	ctx := context.Background()

	return []probe{
		{"value/asset.Dir", "", func(s *scene) {
			_, err := asset.Contents{Files: asset.Dir("\x00")}.Hash(ctx, value.Secret(value.FileAsset(s.text).Value()))
			s.say(err)
		}},
		{"value/asset.DirWithin", "", func(s *scene) {
			_, err := asset.Contents{Files: asset.DirWithin("", "\x00")}.Hash(ctx, value.Secret(value.FileArchive(s.text).Value()))
			s.say(err)
		}},
		{"value/asset.FS", "", func(*scene) { _ = asset.FS(nil) }},
		{"value/asset.FormatOf", "", func(s *scene) { s.say(asset.FormatOf(s.text)) }},
		{"value/asset.Format.String", "", func(s *scene) { s.say(asset.Format(s.index).String(), asset.Format(200)) }}, //nolint:gosec // any number
	}
}

// contentsProbes read.
func contentsProbes() []probe {
	ctx := context.Background()

	return []probe{
		{"value/asset.Contents.Open", "", func(s *scene) { s.eachBlob(func(b *asset.Blob) { everyVerb(s, b) }) }},
		{"value/asset.Contents.OpenEntry", "", func(s *scene) {
			s.blobs(func(c asset.Contents, v value.Value) {
				for _, name := range []string{"a", "", "dir/b", ".."} {
					b, err := c.OpenEntry(ctx, v, name)
					s.say(b, err)

					if err == nil {
						s.say(b.Close())
					}
				}
			})
		}},
		{"value/asset.Contents.Hash", accessor, func(s *scene) { s.blobs(func(c asset.Contents, v value.Value) { s.say(c.Hash(ctx, v)) }) }},
		{"value/asset.Contents.HashAll", "", func(s *scene) {
			for _, c := range s.contentsOf() {
				for _, v := range []value.Value{s.v, s.w, value.Secret(s.w)} {
					filled, err := c.HashAll(ctx, v)
					s.say(filled, err)
				}
			}
		}},
		{"value/asset.Contents.Write", "", func(s *scene) {
			s.blobs(func(c asset.Contents, v value.Value) {
				s.say(c.Write(ctx, io.Discard, v, asset.TAR), c.Write(ctx, io.Discard, v, asset.Format(s.index&3)), c.Write(ctx, nil, v, 0)) //nolint:gosec // 0 to 3
			})
		}},
		{"value/asset.Contents.Entries", "", func(s *scene) { s.eachPackedEntry(func(e asset.Entry) { everyVerb(s, e) }) }},
		{"value/asset.Contents.List", "", func(s *scene) { s.eachListOfEntries(func(l asset.List) { everyVerb(s, l) }) }},
	}
}

// entryContentProbes are about what was read.
func entryContentProbes() []probe {
	ctx := context.Background()

	return []probe{
		{"value/asset.Blob.Read", accessor, func(s *scene) { s.eachBlob(func(b *asset.Blob) { s.say(io.ReadAll(b)) }) }},
		{"value/asset.Blob.Close", "", func(s *scene) { s.eachBlob(func(b *asset.Blob) { s.say(b.Close(), b.Close()) }) }},
		{"value/asset.Blob.Size", "", func(s *scene) {
			s.eachBlob(func(b *asset.Blob) {
				_, known := b.Size()
				s.say(known)
			})
		}},
		{"value/asset.Entry.Name", accessor, func(s *scene) { s.eachPackedEntry(func(e asset.Entry) { s.say(e.Name()) }) }},
		{"value/asset.Entry.Size", "", func(s *scene) { s.eachPackedEntry(func(e asset.Entry) { _ = e.Size() }) }},
		{"value/asset.Entry.Read", accessor, func(s *scene) { s.eachPackedEntry(func(e asset.Entry) { s.say(io.ReadAll(e)) }) }},
		{"value/asset.Entry.String", "", func(s *scene) { s.eachPackedEntry(func(e asset.Entry) { s.say(e.String()) }) }},
		{"value/asset.Entry.Format", "", func(s *scene) { s.eachPackedEntry(func(e asset.Entry) { everyVerb(s, e) }) }},
		{"value/asset.List.All", accessor, func(s *scene) {
			s.eachListOfEntries(func(l asset.List) {
				for name, hash := range l.All() {
					s.say(name, hash)
				}
			})
		}},
		{"value/asset.List.Len", "", func(s *scene) { s.eachListOfEntries(func(l asset.List) { s.say(l.Len()) }) }},
		{"value/asset.List.String", "", func(s *scene) { s.eachListOfEntries(func(l asset.List) { s.say(l.String()) }) }},
		{"value/asset.List.Format", "", func(s *scene) { s.eachListOfEntries(func(l asset.List) { everyVerb(s, l) }) }},
		{"value/asset.Error.Error", "", func(s *scene) {
			s.say((&asset.Error{}).Error())
			s.blobs(func(c asset.Contents, v value.Value) {
				_, err := c.Hash(ctx, v)
				s.say(err)
			})
		}},
		{"value/asset.Error.Unwrap", "", func(s *scene) { s.say(errors.Is(&asset.Error{}, asset.ErrRead)) }},
	}
}
