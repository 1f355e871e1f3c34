import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import {
  check,
  exampleVault,
  installed,
  newerNode,
  repository,
  run,
  startServer,
} from '../outside-programs.mjs';
import { npmEnvironment } from '../release/npm-environment.mjs';
import { freePorts } from '../sign-in/caddy.mjs';
import { followDockerfile } from './follow-dockerfile.mjs';

const isRoot = process.getuid?.() === 0;
const publicUrl = 'https://vault.example.com';

/**
 * Checks deploy/Dockerfile and docker-compose.yml as far as that goes without Docker: a linter reads the
 * Dockerfile, its steps are followed in folders, and in the result its entrypoint starts the server as the
 * user of the image, with the settings of both files, while its health check asks it.
 */
export async function tryImage({ home, env: bare }) {
  await lint();
  const env = await npmEnvironment({ home, env: bare });
  chmodSync(home, 0o755); // Other users start programs in there.
  const folder = join(home, 'image');
  mkdirSync(folder);
  const node = await newerNode('24.21.0');
  const image = await followDockerfile({ home: folder, node, env }).catch((error) => error);
  check('the steps of the Dockerfile', !(image instanceof Error), String(image));
  if (image instanceof Error) return;
  const names = readdirSync(image.root, { recursive: true });
  const strange =
    /(^|\/)(npm|npx|yarn|corepack|_cacache|\.npm|\.npmrc|src|test|package-lock\.json)$/;
  const tools = names.filter((name) => strange.test(name) && !/sqlite|node-addon-api/.test(name));
  check('no npm, cache or source is left in the image', tools.length === 0, tools);
  check(`the image does not run as root: ${image.USER}`, /^[1-9]\d*:/.test(image.USER), image);
  const entrypoint = join(image.root, 'entrypoint');
  const [word] = image.ENTRYPOINT;
  const script = readFileSync(join(image.root, 'usr/local/bin', word), 'utf8');
  writeFileSync(entrypoint, script.replaceAll('/opt/', `${image.root}/opt/`), { mode: 0o755 });
  const container = { image, entrypoint, bare };
  await tryServer(container);
  await tryUsers(container);
}

async function lint() {
  const modules = await installed('dockerfile-utils', '0.16.3');
  const { validate } = await import(
    pathToFileURL(join(modules, 'dockerfile-utils', 'lib', 'main.js')).href
  ).then((module) => module.default ?? module);
  const problems = validate(readFileSync(join(repository, 'deploy', 'Dockerfile'), 'utf8'));
  check('dockerfile-utils finds nothing wrong', problems.length === 0, problems);
}

/** The command line that starts a program as a user of the container. */
function asUser(user, words) {
  if (!isRoot || user === undefined) return words;
  const [uid, gid] = user.split(':');
  return ['setpriv', '--reuid', uid, '--regid', gid, '--clear-groups', ...words];
}

/** The environment in the container, with a state and a vault of this user. */
function environment({ image, bare }, { name, user, ...more }) {
  const state = join(image.root, `state-${name}`);
  const vault = exampleVault(join(image.root, `vault-${name}`));
  mkdirSync(state);
  chmodSync(state, statSync(join(image.root, 'state')).mode);
  if (isRoot) own(vault, user.split(':').map(Number));
  const inside = Object.entries(image.ENV).map(([key, value]) => [
    key,
    value.replace(/^\/state/, state).replace(/^\/vault$/, vault),
  ]);
  const PATH = `${join(image.root, 'usr/local/bin')}:${bare.PATH}`;
  return { ...Object.fromEntries(inside), PATH, ...more };
}

function own(folder, [uid, gid]) {
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true }))
    chownSync(join(folder, name), uid, gid);
}

async function tryServer(container) {
  const { image, entrypoint } = container;
  const compose = parse(readFileSync(join(repository, 'deploy', 'docker-compose.yml'), 'utf8'));
  const { user, environment: given, cap_add: added } = compose.services.vaultdoor;
  const isPlain = user === image.USER && added === undefined && given.PUID === undefined;
  check('docker-compose.yml: the user of the image, and no rights', isPlain, compose);
  const PORT = String(...(await freePorts(1)));
  const env = environment(container, {
    name: 'server',
    user,
    PORT,
    ...given,
    VAULTDOOR_PUBLIC_URL: publicUrl,
  });
  const server = await startServer(asUser(user, [entrypoint, ...image.CMD]), env);
  const log = () => server.seen.stdout;
  const expected = {
    'the set-up code': /\/owner\/set-up\n\n {2}[\w-]+\n/,
    'where to enter it': new RegExp(`\\n {2}${publicUrl}/owner/set-up\\b`),
    "the console's link for elsewhere": new RegExp(`\\n {2}${publicUrl}/c/enter#k=[\\w-]{43}\\n`),
    "the console's link for the host": new RegExp(`\\n {2}http://localhost:${PORT}/c/enter#k=`),
    'the name of the host': new RegExp(`\\n {2}http://nas\\.local:${PORT}/mcp\\n`),
  };
  for (const [what, form] of Object.entries(expected)) {
    check(`the container's log has ${what}`, form.test(log()), log());
  }
  check('the log names no address that leads nowhere', !/0\.0\.0\.0/.test(log()), log());
  const uid = statSync(join(env.XDG_STATE_HOME, 'vaultdoor')).uid;
  check(`the server runs as ${uid}`, uid === (isRoot ? 1000 : process.getuid()), uid);
  const [, ...words] = image.HEALTHCHECK;
  const health = () => run(join(image.root, 'usr/local/bin/node'), words, { env });
  const well = await health();
  check('the health check passes', well.code === 0, well);
  check('the server in the container ends', (await server.stop()) === 0, server.seen);
  const gone = await health();
  check('the health check fails when the server is gone', gone.code === 1, gone);
}

/** The users as which a container can be started. */
async function tryUsers(container) {
  const start = async (name, { user, ...more }) => {
    const env = environment(container, { name, user: '4321:4321', ...more });
    const words = asUser(user, [container.entrypoint, 'token', 'create', 'laptop', '--json']);
    const [file, ...args] = words;
    const said = await run(file, args, { env });
    const made = join(env.XDG_STATE_HOME, 'vaultdoor');
    return { ...said, uid: existsSync(made) ? statSync(made).uid : undefined };
  };
  const owner = isRoot ? 4321 : process.getuid();
  const other = await start('other', { user: '4321:4321' });
  check('any user can be chosen', other.code === 0 && other.uid === owner, other);
  if (!isRoot) return;
  const lowered = await start('lowered', { PUID: '4321', PGID: '4321' });
  check('root becomes PUID', lowered.code === 0 && lowered.uid === owner, lowered);
  for (const [name, set, says] of [
    ['words', { PUID: 'me', PGID: '4321' }, 'PUID and PGID'],
    ['root', {}, 'does not run as root'],
    ['mixed', { user: '1000:1000', PUID: '4321', PGID: '4321' }, "user: '4321:4321'"],
  ]) {
    const said = await start(name, set);
    const isRefused = said.code === 2 && said.stderr.includes(says) && said.uid === undefined;
    check(`refused: ${JSON.stringify(set)}`, isRefused, said);
  }
}
