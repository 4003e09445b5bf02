// Package asset reads what assets and archives hold: it opens, lists, writes and
// hashes them. It is the one package of the core that does I/O, and does it only
// when it is called: equality and diff of values never do.
//
//	c := asset.Contents{Files: asset.Dir("/srv/app")}
//	hash, err := c.Hash(ctx, value.FileArchive("dist").Value())
//	…
//	bag, err = c.HashAll(ctx, bag)       // all hashes that are not there yet
//	…
//	err = c.Write(ctx, w, code, asset.ZIP)
//	…
//	for entry, err := range c.Entries(ctx, code) {
//
// # Hashes
//
// Hashes are those of Pulumi's SDK: of an asset the SHA-256 of its bytes; of an
// archive whose path, or whose URI's path, ends as [FormatOf] says, that of the file's
// bytes; of any other archive that of a TAR of its entries, as [Contents.Write]
// makes it. Entries stand in this order:
//   - in a literal archive by name, bytewise; what is in an archive in it
//     stands where that archive's name does, below that name. A name that comes
//     twice is written the first time only
//   - in a directory by name, and what is in a directory in it where that
//     directory's name does. Links to files are files, links to directories and
//     all that is called ".pulumi" are left out, and so are directories as such.
//     A directory that is itself given by a link is empty, as Pulumi has it
//     (unless it is the directory of [Dir], or the path is absolute and ends in a
//     slash)
//   - in an archive file as they stand there
//
// Names are those of the entries; but only in the outermost literal archive as they
// were given ("./a"), elsewhere cleaned ("a"). Where the SDK panics, hangs, or hashes
// what is no good, there is an error here; see "What it refuses".
//
// # Nothing outside is read
//
// [Dir] and [DirWithin] hold files by an [os.Root]: no path and no link leads out,
// also when somebody changes links at that moment. Links that stay inside are
// followed, absolute ones too. URIs go to the caller's [Opener], and to no network of
// our own; file: URIs are paths, and go to Files.
//
// # Nothing changes unseen
//
// A file that has another size, time or identity after it was read than before, or
// is no longer there, is an error that wraps [ErrChanged] and names it, and so is a
// directory in which names came or went in the meantime. A file that was written in the
// last 20 ms is read that much later, since until then a second write could have the
// same time. What cannot be seen: writes whose time somebody sets back, writes
// through memory maps that the system has not noted, and a second write within the
// second on file systems that count in seconds. Of an [FS] only sizes and times are
// compared.
//
// # Cost
//
// Streams, never whole files in memory: some 300 KB for each file that is read,
// and some 50 bytes for each entry of an archive, for its name not to come twice. A ZIP
// costs up to 7 times its list of entries; from an opener, or from an FS whose files
// are no [io.ReaderAt], it goes through a temporary file (from 1 MiB on), as does an
// entry of unknown size, up to Limits.Spool. [Limits] bound all of it. The zero Limits
// are meant to be safe for archives of strangers.
//
// # What it refuses
//
// Each with an [*Error] that names file and entry, and wraps a sentinel:
//   - names of entries that are absolute, or climb out of the archive, here or on
//     Windows, or hold a NUL ([ErrName]); those that Windows takes for a device or a
//     stream of a file ("aux.txt", "dir/COM1", "a:b"), on every system, so that an
//     archive means the same everywhere; in archive files also those that are no
//     UTF-8 or longer than 4,096 bytes, and in all but names of archives those that
//     name nothing ("", "."). The files of a directory have the names that they have
//   - two entries of one name in one archive file ([ErrDuplicate]): readers differ
//     in which of them they take. Names are compared by their bytes: those that
//     differ in case or in Unicode normalization only ("a" and "A") are two, and on a
//     file system that folds names one of them would replace the other
//   - links, devices, pipes and encrypted files in archive files ([ErrEntry]); what
//     is no plain file in a directory ([ErrKind]); links that lead nowhere
//     ([ErrMissing]) or out ([ErrOutside])
//   - archive files that are not whole: checksums, sizes, the end of a TAR or of
//     its compression, a count of entries that is not theirs ([ErrCorrupt])
//   - more than [Limits] allow ([ErrLimit])
//
// [Contents.Hash], and [Contents.Write] into the same format, take an archive file as
// the bytes it is, and look at no entry.
//
// # Secrets
//
// Of a value that is secret, or in a secret, no error names a file, a URI or an
// entry, and no text of an [Entry], [List] or [Change] has names or hashes.
package asset
