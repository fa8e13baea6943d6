#!/bin/bash
# e2e.sh FOLDER_WITH_MEMCTL [CLIENT...]: a session in each real client, one after another, with
# memctl registered by "memctl install --client". A scripted model on loopback answers (stub.py);
# check.py says which of memctl's jobs were done. Exit status: how many clients failed.
#
#   MEMCTL_CLIENTS  where the clients are installed from npm (default /var/tmp/memctl-clients)
#   SCOPE           project (default) or user; extension: not "memctl install", but what "make release" made
#                   for codex, gemini, qwen and copilot
#   DIST            the folder of the release, for SCOPE=extension (default dist)
#   OUT             where the runs are kept (default: a temporary folder, removed at the end)
#
# It needs Linux, root (a network of its own with loopback only; /root and /home are hidden), npm,
# python3 and git.
set -u
HERE=$(dirname "$(realpath "$0")"); BIN=$(realpath "$1"); shift
STORE=$HERE/../../stores/parcel
export APPS=${MEMCTL_CLIENTS:-/var/tmp/memctl-clients} SCOPE=${SCOPE:-project}
DIST=$(realpath -m "${DIST:-dist}")
if [ "$SCOPE" = extension ]; then [ $# -gt 0 ] || set -- codex gemini qwen copilot; fi
[ $# -gt 0 ] || set -- codex gemini opencode qwen copilot

skip() { echo "skipped: $*"; exit 0; }
[ "$(uname)" = Linux ] || skip "the clients run in namespaces of Linux"
[ "$(id -u)" = 0 ] && unshare -n -m -p --fork true 2>/dev/null || skip "namespaces need root"
for tool in python3 git; do command -v $tool >/dev/null || skip "$tool is not installed"; done

if [ -z "${OUT:-}" ]; then OUT=$(mktemp -d /tmp/memctl-clients-XXXXXX); trap 'rm -rf "$OUT"' EXIT; fi
mkdir -p "$OUT"; OUT=$(realpath "$OUT")
rm -rf "$OUT/harness"; cp -r "$HERE" "$OUT/harness"; mkdir -p "$OUT/bin"; cp "$BIN/memctl" "$OUT/bin/" # the folders may be hidden later
if [ "$SCOPE" = extension ]; then mkdir -p "$OUT/extensions"; cp -r "$DIST/codex" "$DIST/gemini" "$DIST/qwen" "$DIST/copilot" "$OUT/extensions/"; fi
export EXTENSIONS=$OUT/extensions

session() { # CLIENT
	local run=$OUT/$1
	rm -rf "$run"; mkdir -p "$run/log" "$run/tmp" "$run/home" "$run/project/.claude"
	cp -r "$STORE" "$run/project/.claude/memory"; rm -rf "$run/project/.claude/memory/observations"
	echo hello >"$run/project/a.txt"; echo "# Rules" >"$run/project/AGENTS.md"
	git -C "$run/project" init -q .
	for setting in "observations.enabled true" "retrieval.match_strategy hybrid" "triage.strategy keywords" "retrieval.start_tokens 800"; do
		(cd "$run/project" && HOME=$run/home "$OUT/bin/memctl" config set $setting >/dev/null)
	done
	local harness=$OUT/harness
	CLIENT=$1 HERE=$harness EXTRA_PATH=$OUT/bin BIND_HOME=$run/home BIND_PROJ=$run/project OUT=$run \
		"$harness/iso.sh" /bin/bash "$harness/inner.sh" \
		"the migration died with a lock timeout; how many partitions has the kafka topic tracking.events.v1?"
	"$OUT/harness/check.py" "$run" "$run/project"
}

failed=0
for client; do
	echo "== $client"
	if ! APP=$APPS/$client "$HERE/setup.sh" "$client" >"$OUT/$client-setup.log" 2>&1; then
		echo "skipped: npm cannot install it: $(grep -m1 'npm error\|command not found' "$OUT/$client-setup.log" || tail -1 "$OUT/$client-setup.log")"
		continue
	fi
	session "$client" || failed=$((failed + 1))
done
exit $failed
