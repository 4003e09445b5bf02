#!/usr/bin/env bash
# Builds every native fuzz target of the repository as a program for libFuzzer, for
# ClusterFuzzLite, for OSS-Fuzz and for .clusterfuzzlite/run: the folder OUT gets, for each,
#
#	PACKAGE_FuzzName                  the program
#	PACKAGE_FuzzName_seed_corpus.zip  its seeds
#	PACKAGE_files                     the files that its targets read
#	PACKAGE_FuzzName.options          which names the dictionary, but for laws
#
# and targets.txt, with the name of the program, the folder of the package and that of the
# target in each line.
#
# One program is built for a package and linked once for each of its targets: it is the
# target that its name ends with. External test packages cannot be imported, so an
# overlay shows their files as those of a package in a folder that is not there, and
# those of tests inside a package as part of it.
#
# TARGETS, a regular expression, chooses programs by name.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
root=$PWD
: "${OUT:?the folder for the programs}" "${CXX:=clang++}" "${CXXFLAGS:=}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOFLAGS="-mod=readonly -buildvcs=false" GOWORK=off CGO_ENABLED=1 CC="${CC:-clang}"

# The packages of this repository are instrumented, not those they import: unlike go's
# fuzzing libFuzzer hears of every comparison, a call of C and for strings two copies,
# which made slow laws ten times slower.
instrument='-gcflags=github.com/propalg/propalg/...=-d=libfuzzer'

# targets_of IMPORT TARGET...: the driver's file for the targets of a package.
targets_of() {
	printf 'package main\n\nimport (\n\t"testing"\n\n\ttargetsof "%s/libfuzzer"\n)\n\n' "$1"
	printf 'func targets() map[string]func(*testing.F) {\n\treturn map[string]func(*testing.F){\n'
	local target
	for target in "${@:2}"; do printf '\t\t"%s": targetsof.%s,\n' "$target" "$target"; done
	printf '\t}\n}\n'
}

# overlay PREFIX FILE...: FILE... of the package in the working folder as PREFIX/FILE.
overlay() {
	local file
	for file in "${@:2}"; do
		printf ',"%s/%s_.go": "%s"' "$1" "${file%.go}" "$PWD/$file"
	done
}

# package: the one in the working folder.
package() {
	local import name inside outside targets target
	read -r import outside <<<"$(go list -f '{{.ImportPath}} {{join .XTestGoFiles " "}}' .)"
	read -ra inside <<<"$(go list -f '{{join .TestGoFiles " "}}' .)"
	read -ra outside <<<"$outside"
	[ "${#outside[@]}" -gt 0 ] || return 0
	name=${import#github.com/propalg/propalg/}
	name=${name//\//_}
	mapfile -t targets < <(sed -n "s/^func \(Fuzz[A-Za-z0-9]*\)(f \*testing\.F).*/${name}_\1/p" "${outside[@]}" | grep -E "${TARGETS:-.}" | sed 's/.*_//')
	[ "${#targets[@]}" -gt 0 ] || return 0

	echo "$name: ${#targets[@]} targets"
	targets_of "$import" "${targets[@]}" >"$work/$name.go"
	{
		printf '{"Replace": {"%s": "%s"' "$root/.clusterfuzzlite/driver/targets.go" "$work/$name.go"
		overlay "$PWD/libfuzzer" "${outside[@]}"
		overlay "$PWD" "${inside[@]}"
		echo '}}'
	} >"$work/$name.json"
	go build -buildmode=c-archive -tags libfuzzer -trimpath -ldflags=-w "$instrument" -overlay "$work/$name.json" -o "$work/$name.a" github.com/propalg/propalg/.clusterfuzzlite/driver
	# shellcheck disable=SC2086 # flags are words
	"$CXX" $CXXFLAGS $LIB_FUZZING_ENGINE "$work/$name.a" -o "$work/$name"

	rm -rf "$OUT/${name}_files"
	[ ! -d testdata ] || { mkdir "$OUT/${name}_files" && cp -r testdata "$OUT/${name}_files/"; }
	for target in "${targets[@]}"; do
		ln -f "$work/$name" "$OUT/${name}_$target" 2>/dev/null || cp "$work/$name" "$OUT/${name}_$target"
		"$OUT/${name}_$target" -import "$work/none" "$work/seeds/$target" >/dev/null
		(cd "$work/seeds/$target" && zip -q -r - .) >"$OUT/${name}_${target}_seed_corpus.zip"
		# A law draws from its input, in which words mean nothing.
		[[ $target == *Law* ]] || printf '[libfuzzer]\ndict = propalg.dict\n' >"$OUT/${name}_$target.options"
		echo "${name}_$target ${PWD#"$root/"} $target" >>"$OUT/targets.txt"
	done
}

cp .clusterfuzzlite/propalg.dict "$OUT/"
: >"$OUT/targets.txt"
while read -r folder; do
	cd "$root/$folder"
	package
done < <(grep -rlE --include='*_test.go' '^func Fuzz\w+\(f \*testing\.F\)' . | xargs -n 1 dirname | sort -u)
