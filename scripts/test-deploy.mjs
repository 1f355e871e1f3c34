// Tests the files of deploy/ with the programs that they are for: systemd checks the units, Caddy
// runs in front of the server with our Caddyfile, rclone mounts with the options of our unit, and the
// steps of the Dockerfile are followed in folders, where its entrypoint and its health check then run.
// Docker itself is not used, because the machines that run this have no Docker daemon.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import process from 'node:process';
import { tryImage } from './deploy/try-image.mjs';
import {
  callTool,
  canMount,
  check,
  exampleVault,
  repository,
  run,
  serveWords,
  startProgram,
  startServer,
  systemProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';
import { freePorts } from './sign-in/caddy.mjs';

const { home, env } = temporaryHome('deploy');
const deploy = (file) => join(repository, 'deploy', file);
const program = join(repository, 'dist', 'vaultdoor.js');
const caddyStorage = join(home, 'caddy');
const caddyRoot = join(caddyStorage, 'caddy', 'pki', 'authorities', 'local', 'root.crt');

await systemProgram('systemd-analyze', 'systemd');
// A unit is checked with the program that it starts.
await systemProgram('rclone');
for (const [unit, ...whose] of [
  ['vaultdoor.service'],
  ['rclone-vault.service'],
  ['vaultdoor-daemon.service', '--user'],
]) {
  const verified = await run('systemd-analyze', ['verify', ...whose, deploy(unit)], {
    env: { ...env, XDG_RUNTIME_DIR: home },
  });
  const isClean = verified.code === 0 && verified.stdout + verified.stderr === '';
  check(`systemd-analyze verify ${unit}`, isClean, verified);
}
const limits = ['security', '--offline=true', '--threshold=20', '--no-pager'];
const review = await run('systemd-analyze', [...limits, deploy('vaultdoor.service')]);
const [level] = /Overall exposure level.*/.exec(review.stdout) ?? [];
check(`systemd-analyze security: ${level}`, review.code === 0 && level !== undefined, review);

await tryEnvironment();
await tryCaddy();
if (canMount('the options of the rclone unit')) await tryMount();
await tryImage({ home, env });

/** Starts a server with the shipped settings and calls it with curl; the answers must be events. */
async function tryEnvironment() {
  await systemProgram('curl');
  const file = readFileSync(deploy('vaultdoor.env'), 'utf8');
  const shipped = Object.fromEntries(
    Array.from(file.matchAll(/^(\w+)=(.*)$/gm), ([, ...pair]) => pair),
  );
  const isClosed = shipped.HOST === '0.0.0.0' && shipped.VAULTDOOR_AUTH === 'token';
  check('vaultdoor.env: HOST=0.0.0.0 VAULTDOOR_AUTH=token', isClosed, shipped);
  const here = { VAULT_PATH: exampleVault(join(home, 'claude')), PORT: '0' };
  const server = await startServer([process.execPath, program, 'serve'], {
    ...shipped,
    ...env,
    ...here,
    VAULTDOOR_AUTH: 'none', // The second of its three choices.
  });
  const isSaid = server.seen.stdout.includes('NO TOKEN IS CHECKED');
  check('the start says that no token is checked', isSaid, server.seen);
  const urls = server.seen.stdout.match(/http:\/\/\S+\/mcp$/gm);
  const url = urls?.find((address) => !address.includes('127.0.0.1'));
  const params = { name: 'vault_search', arguments: { query: 'swifts' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const json = ['-H', 'Content-Type: application/json', '-d', body];
  const answer = await run('curl', ['-s', url ?? 'http://no-address-but-loopback/', ...json]);
  const isEvent = /^event: message\n(id: .*\n)?data: \{.*Swifts\.md.*\}\n\n$/m.test(answer.stdout);
  check(`curl from the network (${url})`, isEvent, answer);
  check('the server with the shipped settings ends', (await server.stop()) === 0, server.seen);
}

async function tryCaddy() {
  await systemProgram('caddy');
  const vault = exampleVault(join(home, 'vault'));
  const create = [program, 'token', 'create', 'caddy', '--vault', vault, '--json'];
  const [token] = /vd_[\w-]{43}/.exec((await run(process.execPath, create, { env })).stdout) ?? [];
  const site = `https://localhost:${await freePorts(1)}`;
  const authorization = { authorization: `Bearer ${token}` };

  const alone = await startServer(serveWords('--vault', vault), env);
  await behindCaddy(alone.port, site, async (call) => {
    const refused = await call({ method: 'tools/list' }, authorization);
    const isAdvised = refused.status === 403 && refused.text.includes('--public-url');
    check('Caddy, without --public-url: refused with the advice', isAdvised, refused);
  });
  await alone.stop();

  const server = await startServer(serveWords('--vault', vault, '--public-url', site), env);
  await behindCaddy(server.port, site, async (call) => {
    const without = await call({ method: 'tools/list' });
    check('Caddy, no token: 401', without.status === 401, without);
    const list = await call({ method: 'tools/list' }, authorization);
    check('Caddy, with a token', list.status === 200 && list.text.includes('note_read'), list);
    const elsewhere = await call({ method: 'tools/list' }, authorization, '/other');
    check('Caddy: nothing but MCP and signing in', elsewhere.status === 404, elsewhere);
    const health = await call(undefined, {}, '/health');
    check('Caddy: /health', health.status === 200 && health.text.includes('"ok"'), health);
    const doctor = [program, 'doctor', '--public-url', site];
    const trusting = { ...env, NODE_EXTRA_CA_CERTS: caddyRoot };
    const early = await run(process.execPath, doctor, { env: trusting });
    const isTold = early.code === 6 && early.stdout.includes('has no owner yet');
    check('Caddy: the doctor says that there is no owner', isTold, early);
    const input = 'four words of nine\nfour words of nine\n';
    await run(process.execPath, [program, 'owner', 'set'], { env, input });
    const said = await run(process.execPath, doctor, { env: trusting });
    check('Caddy: the doctor finds nothing wrong', said.code === 0, said);
  });
  await server.stop();

  const script = join(repository, 'scripts', 'run-ts.mjs');
  const fixtures = join(repository, 'test', 'conformance', 'serve-fixtures.ts');
  const slow = await startServer([process.execPath, script, fixtures, site], env);
  await behindCaddy(slow.port, site, async (call) => {
    const params = { name: 'test_tool_with_progress', _meta: { progressToken: 'p' } };
    const { pieces, status } = await call({ method: 'tools/call', params });
    const first = pieces.findIndex((piece) => piece.includes('notifications/progress'));
    const last = pieces.findIndex((piece) => piece.includes('"result"'));
    const isStreamed = status === 200 && first !== -1 && first < last;
    check('Caddy: progress arrives before the call ends', isStreamed, pieces);
  });
  await slow.stop();
}

/** Runs Caddy with our Caddyfile, changed to this site and port, as long as `use` runs. */
async function behindCaddy(port, site, use) {
  const options = `{\n\tadmin off\n\tauto_https disable_redirects\n\tlocal_certs\n\tskip_install_trust\n}\n`;
  const file = readFileSync(deploy('Caddyfile'), 'utf8')
    .replace(/^vault\.example\.com /m, `${site} `)
    .replaceAll('127.0.0.1:1065', `127.0.0.1:${port}`);
  writeFileSync(join(home, 'Caddyfile'), options + file);
  const words = ['caddy', 'run', '--config', join(home, 'Caddyfile'), '--adapter', 'caddyfile'];
  const caddy = startProgram(words, { ...env, XDG_DATA_HOME: caddyStorage });
  const isUp = async () =>
    existsSync(caddyRoot) && (await post(site, caddyRoot).catch(() => false));
  await until(isUp, () => caddy.seen.stderr);
  await use((message, headers, path = '/mcp') => post(site + path, caddyRoot, message, headers));
  await caddy.stop();
}

/**
 * Sends a call (or a GET, if there is none). Returns the answer, with its pieces as they arrived.
 */
function post(url, root, message, headers = {}) {
  return new Promise((resolve, reject) => {
    const accept = 'application/json, text/event-stream';
    const all = { accept, 'content-type': 'application/json', ...headers };
    const method = message === undefined ? 'GET' : 'POST';
    const sent = request(url, { method, headers: all, ca: readFileSync(root) }, (answer) => {
      const pieces = [];
      answer.setEncoding('utf8').on('data', (piece) => pieces.push(piece));
      answer.on('end', () => {
        resolve({ status: answer.statusCode, pieces, text: pieces.join('') });
      });
    });
    sent.on('error', reject);
    sent.end(message && JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
  });
}

async function tryMount() {
  await systemProgram('fusermount3', 'fuse3');
  const unit = readFileSync(deploy('rclone-vault.service'), 'utf8').replaceAll('\\\n', ' ');
  const [, start = ''] = /^ExecStart=.*? \/mnt\/vault (.*)$/m.exec(unit) ?? [];
  const [remote, mount] = [join(home, 'remote'), join(home, 'mount')];
  exampleVault(join(remote, 'claude'));
  mkdirSync(mount);
  const words = ['rclone', 'mount', remote, mount, ...start.trim().split(/\s+/)];
  const rclone = startProgram(words, env);
  // Unmounts when this process ends, before the temporary folder around the mount is removed.
  process.prependListener('exit', () => spawnSync('fusermount3', ['-uzq', mount]));
  await until(
    () => existsSync(join(mount, 'claude')),
    () => rclone.seen.stderr,
  );
  check('rclone mounts with the options of the unit', start.includes('--poll-interval'), start);

  const server = await startServer(serveWords('--vault', join(mount, 'claude')), env);
  const uploaded = join(remote, 'claude', 'New.md');
  for (const [name, args, has] of [
    ['note_upsert', { path: 'New.md', content: 'By mount.' }, '"created":true'],
    ['note_upsert', { path: 'New.md', content: 'And more.' }, '"created":false'],
    ['note_delete', { path: 'Notes/Swifts.md' }, '"deleted":true'],
    ['vault_search', { query: 'And more' }, 'New.md'],
  ]) {
    const answer = await callTool(server.url, name, args);
    check(`on the mount: ${name}`, answer.includes(has), answer);
  }
  const arrived = () => existsSync(uploaded) && readFileSync(uploaded, 'utf8');
  const whole = 'By mount.\n\nAnd more.';
  await until(
    () => arrived() === whole && !existsSync(join(remote, 'claude', 'Notes', 'Swifts.md')),
    () => server.seen.stderr + arrived(),
  );
  check('what was written to the mount arrives', true);

  await rclone.stop();
  const health = async () => (await fetch(new URL('/health', server.url))).text();
  await until(
    async () => (await health()).includes('vault_not_found'),
    () => server.seen.stderr,
  );
  check('without its mount the vault is vault_not_found', existsSync(uploaded), await health());
  check('the server on a mount ends', (await server.stop()) === 0, server.seen);
}
