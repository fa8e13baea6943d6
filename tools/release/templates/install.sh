#!/bin/sh
# Installs memctl {{.Version}} below ~/.local, or below another folder:
#
#   sh install.sh --prefix DIR
#
# It downloads an archive, compares its SHA-256 with the one below, and copies the program,
# its manual page and its completions. It needs no root, and it changes nothing else.
# MEMCTL_DOWNLOADS names another place for the archives.

set -eu

version='{{.Version}}'
downloads=${MEMCTL_DOWNLOADS:-'{{.Downloads}}'}
prefix=${HOME:-}/.local

fail() {
	printf 'install.sh: %s\n' "$1" >&2
	exit 1
}

usage() {
	printf 'usage: install.sh [--prefix DIR]\n\nInstalls memctl %s below DIR: ~/.local if none is given.\n' "$version"
}

download() {
	if command -v curl >/dev/null 2>&1; then
		curl -fsSL -o "$2" "$1"
	elif command -v wget >/dev/null 2>&1; then
		wget -q -O "$2" "$1"
	else
		fail 'curl or wget is needed'
	fi
}

sha256() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum <"$1"
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 <"$1"
	else
		fail 'sha256sum or shasum is needed to check the download'
	fi
}

# put copies a file in one step: a memctl that runs is not disturbed.
put() {
	mkdir -p "${2%/*}"
	cp "$1" "$2.new"
	chmod "$3" "$2.new"
	mv -f "$2.new" "$2"
	printf '  %s\n' "$2"
}

# The shell reads all of it before it runs any: a download that breaks off does nothing.
main() {
	while [ $# -gt 0 ]; do
		case $1 in
		--prefix)
			[ $# -gt 1 ] || fail '--prefix needs a folder'
			prefix=$2
			shift 2
			;;
		--prefix=*)
			prefix=${1#--prefix=}
			shift
			;;
		-h | --help)
			usage
			exit 0
			;;
		*)
			usage >&2
			exit 2
			;;
		esac
	done

	case $prefix in
	/.local) fail 'HOME is not set: use --prefix DIR' ;;
	/*) ;;
	*) prefix=$PWD/$prefix ;;
	esac

	system=$(uname -sm)
	case $system in
	'Linux x86_64' | 'Linux amd64') platform=linux_amd64 ;;
	'Linux aarch64' | 'Linux arm64') platform=linux_arm64 ;;
	'Darwin x86_64') platform=darwin_amd64 ;;
	'Darwin arm64') platform=darwin_arm64 ;;
	MINGW* | MSYS* | CYGWIN*) fail "on Windows, use Scoop or winget, or unpack the .zip of $downloads" ;;
	*) fail "there is no memctl for $system" ;;
	esac

	expected=
	case $platform in
{{- range .Archives}}{{if ne .OS "windows"}}
{{.OS}}_{{.Arch}}) expected={{.SHA256}} ;;
{{- end}}{{end}}
	esac
	[ -n "$expected" ] || fail "there is no memctl for $system"

	folder=memctl_${version}_$platform
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM

	printf 'memctl %s for %s\n' "$version" "$system"
	printf 'downloading %s\n' "$downloads/$folder.tar.gz"
	download "$downloads/$folder.tar.gz" "$work/archive" || fail 'the download failed; nothing was installed'
	actual=$(sha256 "$work/archive")
	actual=${actual%% *}
	[ "$actual" = "$expected" ] || fail "the archive's SHA-256 is $actual, but must be $expected; nothing was installed"
	printf 'its SHA-256 is as expected\n'
	tar -xzf "$work/archive" -C "$work"

	printf 'installing\n'
	from=$work/$folder
	put "$from/man/memctl.1" "$prefix/share/man/man1/memctl.1" 644
	put "$from/completions/memctl.bash" "$prefix/share/bash-completion/completions/memctl" 644
	put "$from/completions/_memctl" "$prefix/share/zsh/site-functions/_memctl" 644
	put "$from/completions/memctl.fish" "$prefix/share/fish/vendor_completions.d/memctl.fish" 644
	put "$from/LICENSE" "$prefix/share/doc/memctl/LICENSE" 644
	put "$from/THIRD_PARTY_LICENSES.txt" "$prefix/share/doc/memctl/THIRD_PARTY_LICENSES.txt" 644
{{- range .Programs}}
	put "$from/{{.}}" "$prefix/bin/{{.}}" 755
{{- end}}

	case :$PATH: in
	*:"$prefix/bin":*) ;;
	*)
		# shellcheck disable=SC2016 # $PATH is for the reader's shell
		printf '\n%s is not on your PATH. Add this line to the profile of your shell:\n  export PATH="%s:$PATH"\n' "$prefix/bin" "$prefix/bin"
		;;
	esac
	printf '\nNext, in a project: memctl setup. To remove memctl, delete the files above.\n'
}

main "$@"
