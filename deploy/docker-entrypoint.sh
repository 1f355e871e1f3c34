#!/bin/sh
# Runs Vaultdoor as the owner of the vault, whoever starts it: the container, or "docker exec" and
# "docker compose run" with a command such as "token create laptop".
set -eu
program=/opt/vaultdoor/dist/vaultdoor.js

if [ "$(id -u)" != 0 ]; then # Started with --user: it is that user already.
  exec node "$program" "$@"
fi

case "$PUID:$PGID" in
  *[!0-9:]* | :* | *:)
    echo 'PUID and PGID must be numbers: those that "id -u" and "id -g" print on the host.' >&2
    exit 2
    ;;
esac
if [ "$(stat -c %u:%g "$XDG_STATE_HOME")" != "$PUID:$PGID" ]; then
  chown -R "$PUID:$PGID" "$XDG_STATE_HOME"
fi
exec setpriv --reuid "$PUID" --regid "$PGID" --clear-groups --inh-caps=-all --no-new-privs \
  node "$program" "$@"
