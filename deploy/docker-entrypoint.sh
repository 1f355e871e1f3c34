#!/bin/sh
# Runs Vaultdoor as the owner of the vault. This is the container's entrypoint; "docker exec" and
# "docker compose run" use it too, for commands such as "token create laptop" and "owner code".
set -eu
program=/opt/vaultdoor/dist/vaultdoor.js

if [ "$(id -u)" != 0 ]; then # The container was started with --user, so this is already the right user.
  exec node "$program" "$@"
fi

case "$PUID:$PGID" in
  *[!0-9:]* | :* | *:)
    echo 'PUID and PGID must be numbers. Use those that "id -u" and "id -g" print on the host.' >&2
    exit 2
    ;;
esac
if [ "$(stat -c %u:%g "$XDG_STATE_HOME")" != "$PUID:$PGID" ]; then
  chown -R "$PUID:$PGID" "$XDG_STATE_HOME"
fi
exec setpriv --reuid "$PUID" --regid "$PGID" --clear-groups --inh-caps=-all --no-new-privs \
  node "$program" "$@"
