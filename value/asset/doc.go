// Package asset reads the contents of assets and archives: it opens, lists, writes and
// hashes them. It is the only package of the library that does I/O, and does it only in
// these calls; equality and diff of values never do.
//
//	c := asset.Contents{Files: asset.Dir("/srv/app")}
//	hash, err := c.Hash(ctx, value.FileArchive("dist"))
//	…
//	bag, err = c.HashAll(ctx, bag)       // all hashes that are missing
//	…
//	err = c.Write(ctx, w, code, asset.ZIP)
//	…
//	for entry, err := range c.Entries(ctx, code) {
//
// # Hashes
//
// Hashes are those of Pulumi's SDK: for an asset the SHA-256 of its bytes; for an archive
// whose path, or whose URI's path, ends as [FormatOf] says, the SHA-256 of the file's
// bytes; for any other archive that of a TAR of its entries, as [Contents.Write] makes
// it. The order of entries is
//   - in a literal archive by name, bytewise; the entries of a nested archive are at the
//     place of that archive's name, below that name. Of entries with the same name only
//     the first is written
//   - in a directory by name; the entries of a nested directory are at the place of its
//     name. Links to files are files; links to directories, everything called ".pulumi"
//     and directories as such are left out. A directory that is itself given by a link
//     is empty, as for Pulumi (unless it is the directory of [Dir], or the path is
//     absolute and ends in a slash)
//   - in an archive file the order of the file
//
// Names in the outermost literal archive are kept as they are given ("./a"), all others
// are cleaned ("a"). Where the SDK panics, hangs, or hashes unsafe or broken archives,
// there is an error here; see "Errors".
//
// # Nothing outside is read
//
// [Dir] and [DirWithin] hold files by an [os.Root]: no path and no link leads out, even if
// links are changed at that moment. Links that stay inside are followed, absolute ones
// too. URIs are opened by the caller's [Opener], never by this package; file: URIs are
// paths, and opened through Files.
//
// # Changes are noticed
//
// If the size, time or identity of a file changes while it is read, or the file
// disappears, the error wraps [ErrChanged] and names it; so it does if names are added to
// or removed from a directory. A file that was written less than 20 ms ago is read only
// after these 20 ms, since a second write could have the same time until then. What is
// not noticed: writes whose time is set back, writes through memory maps that the system
// has not recorded, and a second write within the second on file systems that count in
// seconds. Of an [FS] only sizes and times are compared.
//
// # Cost
//
// Files are streams, never whole in memory: some 300 KB for each file that is read, and
// some 50 bytes for each entry of an archive, to find duplicate names. A ZIP takes memory
// of up to 7 times the size of its list of entries. A ZIP from an opener, or from an FS
// whose files do not implement [io.ReaderAt], is copied to a temporary file if it has 1
// MiB or more, and so is an entry of unknown size; Limits.Spool bounds these files.
// [Limits] bound everything. The zero Limits are meant to be safe for untrusted archives.
//
// # Errors
//
// Each is an [*Error] that names file and entry, and wraps a sentinel:
//   - [ErrArchive]: names of entries that are absolute, lead out of the archive, here or on
//     Windows, or hold a NUL; those that Windows takes for a device or a stream of a file
//     ("aux.txt", "dir/COM1", "a:b"), on every system, so that an archive means the same
//     everywhere; in archive files also those that are not UTF-8 or longer than 4,096
//     bytes; and empty names ("", "."), except for archives. Files in a directory may
//     have any name
//   - [ErrArchive]: two entries with one name in one archive file, since readers differ
//     in which of them they take. Names are compared by their bytes: those that differ
//     only in case or in Unicode normalization ("a" and "A") are different, and on a file
//     system that folds names one of them would replace the other
//   - [ErrArchive]: links, devices, pipes and encrypted files in archive files
//   - [ErrKind]: devices and pipes in a directory
//   - [ErrMissing]: links to nothing; [ErrOutside]: links that lead out
//   - [ErrArchive]: broken archive files: checksums, sizes, the end of a TAR or of its
//     compression, a wrong count of entries
//   - [ErrLimit]: more than [Limits] allow
//
// [Contents.Hash], and [Contents.Write] into the same format, take an archive file as
// bytes, and look at none of its entries.
//
// # Secrets
//
// Errors about a value that is secret, or inside a secret, name no file, URI or entry,
// and the text of an [Entry] has no name. What [Contents.List] returns is a secret too.
package asset
