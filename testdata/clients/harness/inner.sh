#!/bin/bash
# inner.sh PROMPT, inside the namespaces: configures the client, has memctl install itself, starts
# the model and runs the client once.
# shellcheck disable=SC2034 # client.sh uses APP
PORT=8787 APP=$APPS/$CLIENT
. "$HERE/$CLIENT/client.sh"
envrun() {
	/usr/bin/env -i HOME=/home/dev PATH="$EXTRA_PATH:$CLIENT_PATH:/usr/bin:/bin:/usr/sbin:/sbin" TMPDIR="$OUT/tmp" LANG=C.UTF-8 TERM=dumb \
		SHELL=/bin/bash USER=dev NO_PROXY=127.0.0.1 no_proxy=127.0.0.1 "${CLIENT_ENV[@]}" "$@"
}
listening() { for _ in $(seq 300); do (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return; sleep 0.1; done; }

env -i PATH=/usr/bin:/bin STUB_TTL=600 python3 "$HERE/stub.py" $PORT "$HERE/$CLIENT/script.json" "$OUT/log" /home/dev/proj >"$OUT/stub.txt" 2>&1 &
listening $PORT
cd /home/dev/proj || exit 9
client_config
if [ "$SCOPE" = extension ]; then
	client_extension >"$OUT/install.txt" 2>&1 || { cat "$OUT/install.txt"; exit 1; }
else
	# --permissions asks the person on the terminal itself.
	yes | envrun script -qec "memctl install --client ${REGISTER:-$CLIENT} --scope $SCOPE --permissions" /dev/null 2>&1 | tr -d '\r' >"$OUT/install.txt"
	grep '^installed' "$OUT/install.txt" >/dev/null || { cat "$OUT/install.txt"; exit 1; }
	grep '^installed' "$OUT/install.txt"
fi
declare -F client_start >/dev/null && client_start
client_command "$1"
start=$(date +%s%N)
envrun timeout -k 5 120 "${CMD[@]}" >"$OUT/stdout.txt" 2>"$OUT/stderr.txt" </dev/null
echo "the client ended with status $? after $((($(date +%s%N) - start) / 1000000)) ms"
sleep "${LINGER:-0}"
envrun memctl doctor >"$OUT/doctor.txt" 2>&1
[ "$SCOPE" = extension ] || envrun memctl uninstall --client "${REGISTER:-$CLIENT}" --scope "$SCOPE" >"$OUT/uninstall.txt" 2>&1 || cat "$OUT/uninstall.txt"
grep -l memctl $(sed -n 's/^installed in //p' "$OUT/install.txt") >"$OUT/left.txt" 2>/dev/null
