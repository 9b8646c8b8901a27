#!/bin/sh
# Gathers the notices of what is linked statically, in a folder for each: the Swift packages, libyaml within Yams, Swift's
# runtime and Foundation, and by `make release` hiredis. notices.sh CHECKOUTS FOLDER
set -eu
find "$1" -mindepth 2 -maxdepth 2 \( -name 'LICENSE*' -o -name 'NOTICE*' \) | while read -r notice; do
    install -D -m 0644 -t "$2/$(basename "$(dirname "$notice")")" "$notice"
done
install -D -m 0644 -t "$2/libyaml" /usr/share/doc/libyaml-0-2/copyright
install -D -m 0644 -t "$2/hiredis" /usr/share/doc/libhiredis-dev/copyright
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
install -D -m 0644 -t "$2/swift" "$toolchain/share/swift/LICENSE.txt"
