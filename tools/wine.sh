#!/bin/sh
# wine.sh WINE PROGRAM ARGUMENTS...: runs a program of Windows. The first one starts
# Wine's server, which would keep an inherited stdout open and "go test" waiting.
out=$(mktemp) || exit
"$@" >"$out" 2>&1
status=$?
cat "$out"
rm "$out"
exit $status
