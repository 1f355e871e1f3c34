// Programs that stand in for those that a page names and that cannot be run here. Each checks its
// arguments, and does what the page says it does.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from '../outside-programs.mjs';
import { startSshServer } from '../ssh-server.mjs';

const client = fileURLToPath(new URL('claude-code.mjs', import.meta.url));

/**
 * Writes the programs into a folder, which comes first in the reader's PATH:
 *
 * - `npm`: `ci` only checks that it could run, because the packages are there already; so does
 *   `run build` where the program is built already (`isBuilt`); `link` makes plain `vaultdoor` work.
 *   Every other command is the real npm's.
 * - `claude`, which really connects to the server that it is told of (`claude-code.mjs`).
 * - `my-script`, which readers have to imagine.
 */
export async function makeStandIns({ programs, clone, isBuilt }) {
  mkdirSync(programs, { recursive: true });
  const npm = (await run('sh', ['-c', 'command -v npm'])).stdout.trim();
  const built = isBuilt ? `"run build") [ -f dist/vaultdoor.js ]; exit ;;` : '';
  program(
    join(programs, 'npm'),
    `case "$*" in
  ci) [ -f package-lock.json ] && [ -d node_modules ]; exit ;;
  link) [ -f dist/vaultdoor.js ] && cp ${join(programs, 'linked')} ${join(programs, 'vaultdoor')}; exit ;;
  ${built}
esac
exec ${npm} "$@"`,
  );
  program(join(programs, 'linked'), `exec node ${join(clone, 'dist', 'vaultdoor.js')} "$@"`);
  program(join(programs, 'claude'), `exec node ${client} "$@"`);
  program(join(programs, 'my-script'), 'exec vaultdoor append Swifts "Written by a script."');
}

/**
 * Starts a real sshd, and writes `ssh` and `scp` that lead "me@server" to it: the sshd has only the
 * account that this runs as.
 */
export async function makeSsh({ programs, home }) {
  const server = await startSshServer(join(home, '.ssh-server'), {
    HOME: home,
    PATH: process.env.PATH,
  });
  const [folder] = server.env.PATH.split(':');
  program(
    join(programs, 'ssh'),
    `for word; do
  shift
  if [ "$word" = me@server ]; then set -- "$@" vault; found=1; else set -- "$@" "$word"; fi
done
[ "$found" = 1 ] || { echo "ssh: not to me@server: $*" >&2; exit 1; }
exec ${folder}/ssh "$@"`,
  );
  program(
    join(programs, 'scp'),
    `[ $# -eq 2 ] && case $2 in me@server:*) exec cp "$1" "${home}/\${2#me@server:}" ;; esac
echo "scp: wrong arguments: $*" >&2; exit 1`,
  );
  return server;
}

function program(file, text) {
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}
