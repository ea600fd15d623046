#!/bin/sh
# The program of the container: `clutch` runs the site, `clutch doctor` and the like run one of its commands, always as
# PUID:PGID and never as root. Started as another account (`user:` in compose.yaml), it stays that one.
set -eu

command="${1:-}"
case "$command" in
  '') program=src/server/main.ts ;;
  backup | doctor | grant-admin | import | move-database | move-media | reset-password | reset-second-factor | restore | restore-drill | send-backup | worker)
    program="src/server/command/$command.ts" && shift ;;
  *) echo "There is no command '$command': backup, doctor, grant-admin, import, move-database, move-media, reset-password, reset-second-factor, restore, restore-drill, send-backup or worker." >&2
    exit 2 ;;
esac
set -- node "/app/$program" "$@"
# The first process of a container hears only the signals that it listens to, and Node listens late.
if [ $$ = 1 ]; then set -- tini -- "$@"; fi

[ "$(id -u)" = 0 ] || exec "$@"

case "$PUID:$PGID" in
  *[!0-9:]* | :* | *: | 0:* | *:0)
    echo "PUID and PGID must be numbers above 0, but are '$PUID' and '$PGID'." >&2 && exit 1 ;;
esac
# A new volume is root's, and another PUID may have been there before: the folder itself comes last.
if [ "$(stat -c %u:%g "$DATA_DIR")" != "$PUID:$PGID" ]; then chown -R "$PUID:$PGID" "$DATA_DIR"; fi
# Groups that the engine added, such as the one of /dev/dri, stay.
groups="$(id -G | tr ' ' '\n' | grep -vx 0 | paste -sd , -)"
if [ -n "$groups" ]; then set -- --groups "$groups" "$@"; else set -- --clear-groups "$@"; fi
exec setpriv --reuid "$PUID" --regid "$PGID" --no-new-privs "$@"
