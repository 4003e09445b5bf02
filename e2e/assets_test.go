package e2e_test

import "testing"

// TestAssets changes assets and archives in what they hold alone, or in where
// they lie alone, which is not a change.
func TestAssets(t *testing.T) {
	s := newStack(t)
	s.write("doc.txt", "one")
	s.write("site/index.html", "<p>one")
	s.write("site/sub/a.txt", "a")
	with := func(properties string) string { return resources(record("a", "name: alpha, "+properties)) }
	file := with(`document: {"fn::fileAsset": ./doc.txt}, bundle: {"fn::fileArchive": ./site}`)
	s.play(step{name: "create", program: file, want: `create a`})
	s.write("doc.txt", "two")
	s.play(step{name: "contents of the asset", program: file, want: `update a: update document`})
	s.write("site/sub/a.txt", "b")
	s.play(step{name: "contents of the archive", program: file, want: `update a: update bundle`})
	s.write("site/sub/b.txt", "b")
	s.write("other.txt", "two")
	s.play(
		step{name: "one more file", program: file, want: `update a: update bundle`},
		step{name: "elsewhere, the same", program: with(`document: {"fn::fileAsset": ./other.txt}, bundle: {"fn::fileArchive": ./site}`)},
		step{name: "text, the same", program: with(`document: {"fn::stringAsset": two}, bundle: {"fn::fileArchive": ./site}`)},
		step{name: "text, another", program: with(`document: {"fn::stringAsset": three}, bundle: {"fn::fileArchive": ./site}`), want: `update a: update document`},
		step{
			name: "an archive of assets", want: `update a: update bundle`,
			program: with(`document: {"fn::stringAsset": three}, bundle: {"fn::assetArchive": {a.txt: {"fn::stringAsset": x}, dir: {"fn::fileArchive": ./site}}}`),
		},
	)
	s.write("site/index.html", "<p>two")
	s.play(
		step{
			name: "contents inside an archive of assets", want: `update a: update bundle`,
			program: with(`document: {"fn::stringAsset": three}, bundle: {"fn::assetArchive": {a.txt: {"fn::stringAsset": x}, dir: {"fn::fileArchive": ./site}}}`),
		},
		step{name: "they go", program: with(`title: x`), want: `update a: delete bundle, delete document, add title`},
	)
}
