#!/bin/sh
# Starts the memctl for this system, which is next to this file.

here=${0%/*}
system=$(uname -sm)
case $system in
'Linux x86_64') name=memctl-linux-amd64 ;;
'Linux aarch64' | 'Linux arm64') name=memctl-linux-arm64 ;;
'Darwin x86_64') name=memctl-darwin-amd64 ;;
'Darwin arm64') name=memctl-darwin-arm64 ;;
MINGW* | MSYS* | CYGWIN*) name=memctl.exe ;;
*) name=none ;;
esac

if [ -x "$here/$name" ]; then
	export MEMCTL_LAUNCHER="$0" # doctor knows it by that
	exec "$here/$name" "$@"
fi

problem="memctl: the plugin has no program for $system; build one with Go as README.md says, and put it in place of $here/memctl"
case "$1 $2" in
'hook session-start') printf '{"systemMessage": "%s"}\n' "$(printf %s "$problem" | sed 's/[\\"]/\\&/g')" ;;
'hook '*) ;;
*)
	printf '%s\n' "$problem" >&2
	exit 1
	;;
esac
