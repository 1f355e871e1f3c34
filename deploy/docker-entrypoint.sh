#!/bin/sh
# Runs Vaultdoor as the owner of the vault. This is the container's entrypoint; "docker exec" and
# "docker compose run" use it too, for commands such as "token create laptop" and "owner code".
#
# The container runs as one user from its start ("user:" in docker-compose.yml, or --user). Where a
# container can only be started as root, PUID and PGID name the owner of the vault, and root's rights
# are given up before Vaultdoor starts.
set -eu
program=/opt/vaultdoor/dist/vaultdoor.js

if [ "$(id -u)" != 0 ]; then
  if [ "${PUID:-$(id -u)}" != "$(id -u)" ]; then
    echo "PUID is $PUID, but the container runs as user $(id -u). Write \"user: '$PUID:${PGID:-$PUID}'\" into docker-compose.yml, or start it with --user $PUID:${PGID:-$PUID}, and leave PUID and PGID out." >&2
    exit 2
  fi
  exec node "$program" "$@"
fi

case "${PUID:-}:${PGID:-}" in
  *[!0-9:]* | :* | *:)
    echo 'Vaultdoor does not run as root. Start the container with --user, or set PUID and PGID to the numbers that "id -u" and "id -g" print on the host for the owner of the vault.' >&2
    exit 2
    ;;
esac
if [ "$(stat -c %u:%g "$XDG_STATE_HOME")" != "$PUID:$PGID" ]; then
  chown -R "$PUID:$PGID" "$XDG_STATE_HOME"
fi
exec setpriv --reuid "$PUID" --regid "$PGID" --clear-groups --inh-caps=-all --no-new-privs \
  node "$program" "$@"
