# Runs a PostgreSQL in a new folder until the standard input ends, then removes it. The
# lines of the input are commands: start, stop, which is as a crash, and promote. Each is answered
# with a line: "done" and the folder, or what went wrong. BIN is the folder of initdb. With PORT, those
# are let in whom Debian's lets in, and SUDOER as the superuser. With PRIMARY, the folder of another one, it is a
# standby of that.
trap '' INT # Ctrl-C is for the test, which ends this by its end
folder=$(mktemp -d 2>/dev/null || mktemp -d /tmp/hub.XXXXXX) && cd "$folder" || exit
control() { "$BIN/pg_ctl" -D data -l log -w "$@" >>log 2>&1; }

if [ -n "$PRIMARY" ]; then
	"$BIN/pg_basebackup" -h "$PRIMARY" -U postgres -D data --write-recovery-conf --checkpoint=fast --no-sync >>log 2>&1
else
	"$BIN/initdb" -D data -U postgres -A trust -E UTF8 --locale=C --no-sync --no-instructions >>log 2>&1
fi
cat >>data/postgresql.conf <<END
listen_addresses = ''
unix_socket_directories = '$folder'
fsync = off
full_page_writes = off
shared_buffers = 32MB
max_connections = 60
END
if [ -n "$PORT" ]; then
	printf "port = %s\nlisten_addresses = '127.0.0.1'\n" "$PORT" >>data/postgresql.conf
	echo "sudo $SUDOER postgres" >data/pg_ident.conf
	cat >data/pg_hba.conf <<-END
		local all postgres peer map=sudo
		local all all peer
		host all all 127.0.0.1/32 scram-sha-256
	END
fi
while read -r command; do
	if [ "$command" = stop ]; then set -- -m immediate stop; else set -- "$command"; fi
	if control "$@"; then echo "done $folder"; else tail -n 5 log | tr '\n' ' ' && echo; fi
done
control -m immediate stop
cd / && rm -rf "$folder"
