#!/usr/bin/env bash
# Audits of tables that engines hold: PostgreSQL, Spark and SQLFrame, against the same tables as frames.
#
# Debian's PostgreSQL and Java 17 are installed where they are missing, and the wheel with what it needs in an
# environment of its own. A cluster is started on loopback in a temporary folder; every tests/gates/engines_*.py gets
# its URL, and a script that starts, stops and kills it. Takes about five minutes on two free cores.
set -euo pipefail
cd "$(dirname "$0")/../.."

source tests/gates/prepare.bash

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)
wanted=()
[[ -n $bin ]] || wanted+=(postgresql)
command -v java >/dev/null || wanted+=(openjdk-17-jre-headless)
install_packages "${wanted[@]}"
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
java -version 2>&1 | head -1

python3 -m venv "$work/venv"
timeout 300 "$work/venv/bin/python" -m pip install -qq --no-compile -c constraints.txt \
    "$wheel[engines,spark,sqlframe,pdf]" 'psycopg[binary]' pytest

port=$((20000 + RANDOM % 20000))
cat >"$work/server" <<SERVER
#!/usr/bin/env bash
# server start | stop | kill
as_postgres() { if [[ \$(id -u) == 0 ]]; then (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups "\$@"); else "\$@"; fi; }
case \$1 in
make) as_postgres "$bin/initdb" -D "$work/data" -U auditor -A trust -E UTF8 --locale=C.UTF-8 ;;
start) as_postgres "$bin/pg_ctl" -D "$work/data" -w -o "-h 127.0.0.1 -p $port -k ''" -l "$work/data/log" start ;;
stop) as_postgres "$bin/pg_ctl" -D "$work/data" -m immediate stop ;;
kill) kill -9 "\$(head -1 "$work/data/postmaster.pid")" ;;
esac >/dev/null
SERVER
finish() {
    [[ -f $work/data/postmaster.pid ]] && bash "$work/server" stop
    rm -rf "$work"
}
trap finish EXIT

chmod 755 "$work"
[[ $(id -u) != 0 ]] || install -d -o postgres -g postgres "$work/data"
bash "$work/server" make
bash "$work/server" start

ran=()
for program in tests/gates/engines_*.py; do
    began=$SECONDS
    echo "--- $program"
    timeout -k 15 500 "$work/venv/bin/python" "$program" "postgresql://auditor@127.0.0.1:$port/postgres" "$work/server"
    ran+=("$(printf '%4d s  %s' $((SECONDS - began)) "$program")")
done
printf '%s\n' "what ran over engines:" "${ran[@]}"
