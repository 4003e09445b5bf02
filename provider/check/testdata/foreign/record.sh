#!/usr/bin/env bash
# Records the log of one provider: record.sh notes|shelf FOLDER, with the folder of
# pulumi, pulumi-language-yaml and pulumi-resource-notes or pulumi-resource-shelf. The log
# of all calls is printed; README.md says what is kept of it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
name=$1 bin=$(cd "$2" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/program" "$dir/notes" "$dir/home" "$dir/state"
cd "$dir/program"
export PATH="$bin:$PATH" PULUMI_HOME="$dir/home" PULUMI_BACKEND_URL="file://$dir/state"
export PULUMI_CONFIG_PASSPHRASE=x PULUMI_SKIP_UPDATE_CHECK=true
export PULUMI_DEBUG_GRPC="$dir/log.json" NOTES="$dir/notes"
prog() {
	printf 'name: shop\nruntime: yaml\nplugins:\n  providers:\n    - name: %s\n      path: %s\n%s\n' "$name" "$bin" "$1" >Pulumi.yaml
}
run() { timeout 100 pulumi "$@" >&2; }
source "$here/$name/program.sh"
cat "$dir/log.json"
