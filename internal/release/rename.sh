#!/bin/sh
# Gives the module another path, in all go.mod files and imports of this tree:
#
#	sh internal/release/rename.sh example.org/x/cbkit
set -eu
path=${1:?the new path of the module}
cd "$(git rev-parse --show-toplevel)"
git ls-files -z '*.go' | xargs -0 sed -i -E \
	-e "s#([\"\`])cbkit/#\1$path/#g" \
	-e "s#\[cbkit/#[$path/#g" \
	-e "s#^(import)?([[:space:]]*([[:alnum:]_.]+ )?)\"cbkit\"\$#\1\2\"$path\"#"
git ls-files -z go.mod '*/go.mod' | xargs -0 sed -i -E "s#^(module |replace |[[:space:]]+)cbkit(/| |\$)#\1$path\2#"
go mod edit -module "$path"
gofmt -w $(git ls-files '*.go')
