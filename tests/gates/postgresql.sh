#!/usr/bin/env bash
# A history in a real PostgreSQL: records, re-runs, two writers at once, one that is killed, and no secret in a message.
#
# Debian's PostgreSQL is installed where it is missing, a cluster of its own is started on loopback in a temporary
# folder, and the same runs are kept in it and in a file; what comes back must be the same.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
port=$((20000 + RANDOM % 20000))
finish() {
    [[ -f $work/data/postmaster.pid ]] && as_postgres "$bin/pg_ctl" -D "$work/data" -m immediate stop >/dev/null
    rm -rf "$work"
}
as_postgres() { if [[ $(id -u) == 0 ]]; then (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups "$@"); else "$@"; fi; }

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)
if [[ -z $bin ]]; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends postgresql >/dev/null
    bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
fi
trap finish EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install -q -c constraints.txt "${FAIRREPORT_WHEEL:-.}" sqlalchemy 'psycopg[binary]'

[[ $(id -u) == 0 ]] && chmod 755 "$work" && install -d -o postgres -g postgres "$work/data"
echo "s3cret-of-the-gate" >"$work/password"
chmod 644 "$work/password"
as_postgres "$bin/initdb" -D "$work/data" -U auditor -A scram-sha-256 --pwfile="$work/password" -E UTF8 >/dev/null
as_postgres "$bin/pg_ctl" -D "$work/data" -w -o "-h 127.0.0.1 -p $port -k ''" -l "$work/data/log" start >/dev/null

"$work/venv/bin/python" tests/gates/postgresql_history.py \
    "postgresql+psycopg://auditor:s3cret-of-the-gate@127.0.0.1:$port/postgres" "$work/audits.duckdb"
