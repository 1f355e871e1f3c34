// Setting up a server.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { soundHome } from '../broken-environments.mjs';
import {
  callTool,
  check,
  repository,
  run,
  startProgram,
  systemProgram,
  until,
} from '../outside-programs.mjs';
import { askAddress, askServer, askVault, enter, filesIn, piped, secret, typed } from './typed.mjs';

/** A server with a token, where no systemd runs. */
export async function server() {
  const place = await soundHome('setup-server');
  const before = filesIn(place.home);
  const words = ['setup', '--server', '--port', String(place.port)];
  const questions = [askVault, askAddress, askServer];
  for (let at = 0; at < questions.length; at++) {
    const answers = questions
      .slice(0, at + 1)
      .map(([text, answer], i) => [text, i === at ? 'Ctrl-C' : answer]);
    const ended = await typed(place, words, answers);
    const tokens = await piped(place, 'token', 'list', '--vault', place.vault);
    const isSame = filesIn(place.home) === before && tokens.stderr.includes('There are no tokens');
    check(
      `--server: Ctrl-C at question ${at + 1} leaves everything`,
      ended.code === 130 && isSame,
      ended,
    );
  }
  const first = await typed(place, words, [
    ...questions.slice(0, 2),
    [askServer[0], 's'],
    [/Do this\?[\s\S]*Do this\?/, enter],
  ]);
  const [url] = /able to read 44 notes at (http:\S+\/mcp)\n/.exec(first.text)?.slice(1) ?? [];
  const [token = ''] = /vd_[\w-]{43}/.exec(first.text) ?? [];
  check(
    '--server: the first call with the token',
    first.code === 0 && url !== undefined && token !== '',
    first,
  );
  const parts = [
    ...(process.getuid() === 0 ? [/^! You are root/m] : []),
    /^- writes \S+server\.env: the settings of the server$/m,
    /^- writes \S+vaultdoor\.service: the service with which systemd starts it$/m,
    /^- makes the token "setup" for apps$/m,
    /^Do this\? \(s shows the text of the files\) \[Y\/n\/s\] s$/m,
    /VAULT_PATH=/,
    /\[Unit\]/,
    /A trial start worked/,
    /It does not run now .*; start it with:\n/,
    /Which notes apps read is kept for 30 days/,
  ].map((part) => first.text.search(part));
  check(
    '--server: warns, says what is done, shows the files on request, then what it tried',
    parts.every((at, i) => at > (parts[i - 1] ?? -1)),
    { parts, text: first.text },
  );
  const env = join(place.home, '.config', 'vaultdoor', 'server.env');
  check('--server: nobody else may read the settings', (statSync(env).mode & 0o777) === 0o600, env);
  const unit = join(place.home, '.config', 'systemd', 'user', 'vaultdoor.service');
  await systemProgram('systemd-analyze', 'systemd');
  const verified = await run('systemd-analyze', ['verify', '--user', unit], {
    env: { ...place.env, XDG_RUNTIME_DIR: place.home },
  });
  check(
    '--server: systemd understands the unit',
    verified.code === 0 && verified.stderr === '',
    verified,
  );
  const [, serve = ''] = /^ {2}vaultdoor (serve .+)$/m.exec(first.text) ?? [];
  const running = startProgram(place.words(...serve.split(' ')), place.env);
  await until(
    () => running.seen.stdout.includes('/mcp'),
    () => running.seen.stderr,
  );
  const refused = await callTool(`http://127.0.0.1:${place.port}/mcp`, 'list_notes', {});
  check(
    '--server: the printed command starts it, and asks for the token',
    refused.includes('token'),
    refused,
  );
  const taken = await typed(place, words);
  check(
    '--server: its own server, started by hand, is told before the questions',
    taken.code === 6 &&
      /that setup has made runs at port \d+ already/.test(taken.text) &&
      !taken.text.includes('Which'),
    taken,
  );
  await running.stop();

  writeFileSync(
    env,
    `VAULTDOOR_NOTIFY=https://ntfy.example/${secret}\n${readFileSync(env, 'utf8')}`,
  );
  const written = filesIn(place.home);
  const again = await typed(place, words, [askVault, ['Who reaches', enter]]);
  check(
    '--server again: nothing is written, and the first call is made',
    again.text.includes('set up like this already') &&
      again.text.includes('able to read 44 notes') &&
      filesIn(place.home) === written,
    again,
  );
  const tokens = await piped(place, 'token', 'list', '--vault', place.vault);
  check(
    '--server again: no token is left from the check',
    !tokens.stdout.includes('setup-check'),
    tokens,
  );

  const byHand = startProgram(place.words(...serve.split(' ')), place.env);
  await until(
    () => byHand.seen.stdout.includes('/mcp'),
    () => byHand.seen.stderr,
  );
  const undone = await typed(place, ['setup', '--server', '--undo'], [askServer]);
  check(
    '--server --undo: says that a server which was started by hand still answers',
    undone.text.includes(`A server still answers at http://127.0.0.1:${place.port}.`) &&
      undone.text.includes('The service is removed.') &&
      !/stop/.test(undone.text),
    undone,
  );
  await byHand.stop();
  const rest = readFileSync(env, 'utf8');
  check(
    '--server --undo: the unit is gone, and what others wrote stays',
    !existsSync(unit) && rest === `VAULTDOOR_NOTIFY=https://ntfy.example/${secret}\n`,
    rest,
  );
  check(
    '--server --undo: shows no secret',
    undone.code === 0 && !undone.text.includes(secret),
    undone,
  );
  const left = await piped(place, 'token', 'list', '--vault', place.vault);
  check('--server --undo: the token is revoked', left.stderr.includes('There are no tokens'), left);
  const nothing = await piped(place, 'setup', '--server', '--undo');
  check(
    '--server --undo again: there is nothing',
    nothing.stdout.includes('nothing to take back'),
    nothing,
  );

  const elsewhere = await piped(place, 'setup', '--server', '--yes', '--address', '192.0.2.77');
  check(
    '--server: an address of another machine',
    elsewhere.code === 6 && elsewhere.stderr.includes('has no address "192.0.2.77"'),
    elsewhere,
  );
  const inside = await piped(place, 'setup', '--server', '--address', 'https://localhost:8443');
  check(
    '--server: an address that nobody outside reaches',
    inside.code === 0 && inside.stdout.includes('Nobody outside reaches https://localhost:8443'),
    inside,
  );
  const plain = await piped(
    place,
    'setup',
    '--server',
    '--yes',
    '--address',
    'http://vault.example.com',
  );
  check(
    '--server: an address without TLS',
    plain.code === 2 && plain.stderr.includes('https://'),
    plain,
  );
}

/** A server at which clients sign in. */
export async function signIn() {
  const place = await soundHome('setup-sign-in');
  const before = filesIn(place.home);
  const words = ['setup', '--server', '--port', String(place.port)];
  const start = [askVault, ['Who reaches', 'https://vault.example.com']];
  const passphrase = 'four words of nine';
  const stopped = await typed(place, words, [
    ...start,
    ['Choose it now?', enter],
    ['New passphrase (at least 12 characters', 'Ctrl-C'],
  ]);
  check(
    'sign-in: Ctrl-C at the passphrase leaves everything',
    stopped.code === 130 && filesIn(place.home) === before,
    stopped,
  );
  const ended = await typed(place, words, [
    ...start,
    ['Choose it now?', enter],
    ['New passphrase (at least 12 characters', 'short'],
    ['must have at least', passphrase],
    ['The same again:', passphrase],
    askServer,
  ]);
  const says = [
    `able to read 44 notes at http://127.0.0.1:${place.port}/mcp`,
    '  https://vault.example.com/mcp',
    'https://vault.example.com/owner',
    'vaultdoor doctor --public-url',
  ];
  check(
    'sign-in: asks for a better passphrase, and the documents are answered',
    ended.code === 0 && says.every((text) => ended.text.includes(text)),
    ended,
  );
  check('sign-in: the passphrase is not shown', !ended.text.includes(passphrase), ended);
  const owner = await piped(place, 'owner', 'show');
  check('sign-in: there is an owner', owner.stdout.includes('The passphrase was set'), owner);
  const undone = await piped(place, 'setup', '--server', '--undo', '--yes');
  check(
    'sign-in: undo',
    undone.code === 0 && filesIn(place.home) === before && !undone.stdout.includes('still answers'),
    undone,
  );
  await piped(place, 'owner', 'reset');
  const third = [
    askVault,
    ['Who reaches', '3'],
    ['Which https address', 'network'],
    ['not begin with https://', 'https://home.example.org'],
  ];
  const code = await typed(place, words, [...third, ['Choose it now?', 'n'], askServer]);
  check(
    'sign-in: the server makes the code when it starts, so setup prints none',
    code.text.includes('When the server starts, it prints a code.') &&
      code.text.includes('https://home.example.org/owner/set-up') &&
      !/^ +\w{4}(-\w{4}){4}$/m.test(code.text),
    code,
  );
  const shipped = readFileSync(join(repository, 'deploy', 'Caddyfile'), 'utf8');
  const block = shipped
    .slice(shipped.indexOf('\nvault.example.com {'))
    .replace('vault.example.com', 'home.example.org')
    .replace('127.0.0.1:1065', `127.0.0.1:${place.port}`);
  const wide = block
    .split('\n')
    .filter((line) => line.replaceAll('\t', ' '.repeat(8)).length > 109);
  check(
    'sign-in: no line of the block breaks in a terminal of 110 columns',
    wide.length === 0,
    wide,
  );
  // The terminal shows tabs as spaces.
  const bare = (text) => text.replaceAll(/\s+/g, '');
  check(
    'sign-in: prints the block for Caddy with the name and the port',
    bare(code.text).includes(bare(block)),
    code,
  );
}

/**
 * A real systemd of the user, which runs in a mount namespace: without `/run/systemd/system` it would
 * not start, as on every machine that another program has booted.
 */
export async function service() {
  const place = await soundHome('setup-service');
  const systemd = await systemProgram('/lib/systemd/systemd', 'systemd');
  const runtime = join(place.home, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  place.env = { ...place.env, XDG_RUNTIME_DIR: runtime };
  const boot = `mount -t tmpfs run /run && mkdir -p /run/systemd/system && exec ${systemd} --user`;
  const manager = startProgram(['unshare', '--mount', 'sh', '-c', boot], place.env);
  const isUp = async () =>
    (await run('systemctl', ['--user', 'show-environment'], place)).code === 0;
  const isReady = await until(isUp, () => manager.seen.stderr, 5).then(
    () => true,
    () => false,
  );
  if (!isReady) {
    process.stdout.write(
      `NOT TESTED: setup --server with systemd: it does not start here.\n${manager.seen.stderr}`,
    );
    return;
  }
  const words = ['setup', '--server', '--port', String(place.port)];
  const isActive = async () =>
    (await run('systemctl', ['--user', 'is-active', 'vaultdoor'], place)).stdout.trim();
  const first = await typed(place, words, [askVault, askAddress, askServer]);
  const [token = ''] = /vd_[\w-]{43}/.exec(first.text) ?? [];
  check(
    'systemd: the service is started and called',
    first.code === 0 && first.text.includes('can read 44 notes') && (await isActive()) === 'active',
    first,
  );
  check('systemd: there is a link to the console', /http:\/\/\S+\/c\/\S+/.test(first.text), first);
  const again = await typed(place, words, [askVault, ['Who reaches', enter]]);
  check(
    'systemd: run again, it is called again',
    again.code === 0 && again.text.includes('can read 44 notes'),
    again,
  );
  const moved = await piped(place, 'setup', '--server', '--yes', '--allow', 'read');
  const call = (name, args) =>
    fetch(`http://127.0.0.1:${place.port}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    }).then((answer) => answer.text());
  const tried = await call('create_note', { name: 'New', content: 'x' });
  check(
    'systemd: --allow read restarts it, and the token stays',
    moved.code === 0 &&
      !existsSync(join(place.vault, 'New.md')) &&
      (await call('list_notes', {})).includes('44'),
    tried,
  );
  const address = ['--address', 'https://vault.example.com'];
  const open = await piped(place, 'setup', '--server', '--yes', ...address);
  const [, shown = ''] = /with this code .*\n\n {2}(\S+)\n/.exec(open.stdout) ?? [];
  const fields = { code: shown, passphrase: 'four words of nine', again: 'four words of nine' };
  const answer = await run('curl', [
    ...['-s', '-i', '-H', 'Host: vault.example.com', '-H', 'Origin: https://vault.example.com'],
    ...Object.entries(fields).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`]),
    `http://127.0.0.1:${place.port}/owner/set-up`,
  ]);
  check(
    'systemd: with signing in, setup prints the code that the server takes',
    shown !== '' && / 303 /.test(answer.stdout.split('\n')[0]),
    { open, answer },
  );
  const undone = await typed(place, ['setup', '--server', '--undo'], [askServer]);
  const links = join(place.home, '.config', 'systemd', 'user', 'default.target.wants');
  check(
    'systemd: undo stops it and leaves nothing',
    undone.code === 0 &&
      undone.text.includes('The service is stopped and removed.') &&
      !undone.text.includes('still answers') &&
      (await isActive()) === 'inactive' &&
      !existsSync(join(links, 'vaultdoor.service')),
    undone,
  );
  await manager.stop();
}
