import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { soundHome } from '../broken-environments.mjs';
import { check, run, startServer, until } from '../outside-programs.mjs';
import { openTerminal } from '../terminal.mjs';
import { call, filesOf, secretsOf } from './examine.mjs';

/** Everything in order, in a terminal: an index, a history, a token, an owner, a client, a server. */
export async function tryInOrder() {
  const e = await soundHome('planted-in-order');
  mkdirSync(join(e.home, '.config', 'Claude'));
  const none = await call(e, 'doctor', '--port', String(e.port));
  check(
    'no app yet: it is something to do, and only the app that is found is named',
    none.code === 0 &&
      /^warn +apps +No app uses Vaultdoor yet\. Apps on this machine: Claude Desktop\.\n +Run "vaultdoor setup"\.$/m.test(
        none.stdout,
      ) &&
      !/cursor|Everything is in order/.test(none.stdout),
    none,
  );
  for (const args of [
    ['install', 'claude-desktop', '--write', '--vault', e.vault],
    ['append', 'Swifts', 'planted line', '--vault', e.vault],
    ['search', 'swifts', '--vault', e.vault],
  ]) {
    const answer = await call(e, ...args);
    check(`in order: ${args[0]}`, answer.code === 0, answer);
  }
  const made = await call(e, 'token', 'create', 'planted-token', '--vault', e.vault, '--json');
  const [token] = /vd_[\w-]{43}/.exec(made.stdout) ?? ['no token'];
  const [file, ...words] = e.words('owner', 'set');
  const input = 'four words of nine\nfour words of nine\n';
  await run(file, words, { env: e.env, input });
  const before = filesOf(e.home);
  const json = await call(e, 'doctor', '--json', '--port', String(e.port));
  check('in order: nothing is changed', filesOf(e.home) === before, filesOf(e.home));
  const { ok, version, groups } = JSON.parse(json.stdout);
  const states = groups.flatMap(({ checks }) => checks.map(({ state }) => state));
  const isJson = ok && version !== '' && states.length > 20 && states.every((s) => s === 'ok');
  check(`in order: --json has ${states.length} checks`, isJson, json);

  const server = await startServer(e.words('serve', '--vault', e.vault, '--port', '0'), e.env);
  const report = await call(e, 'doctor', '--report', '--port', server.port);
  const told = [...secretsOf(e), token, 'Notes"'].filter((each) => report.stdout.includes(each));
  check('in order: the report has nothing private', told.length === 0, { told, report });
  const rows = report.stdout.match(/^\| (ok|warn|BAD) \|/gm) ?? [];
  check(`in order: the report has ${rows.length} lines`, rows.length > states.length, report);

  const short = await openTerminal(e.words('doctor', '--port', server.port), {
    env: e.env,
    columns: 80,
    rows: 24,
  });
  await short.ended();
  const screen = await short.history();
  const fits = screen.split('\n').length <= 24 && /^ok +Vault: vault, /m.test(screen);
  check('terminal: without --all it fits on a screen', fits, screen);
  const isNamed = /^ok +Apps on this machine: claude-desktop \(may change notes\)$/m.test(screen);
  check('terminal: only apps that are found are named', isNamed, screen);
  await short.close();
  const asked = e.words('doctor', '--all', '--port', server.port);
  const terminal = await openTerminal(asked, { env: e.env, columns: 100, rows: 60 });
  check('terminal: ends with 0', (await terminal.ended()) === 0, await terminal.history());
  const seen = await terminal.history();
  const coloured = await terminal.coloured();
  for (const [name, text] of [
    ['Node', /20 or newer/],
    ['SQLite', /with full-text search/],
    ['ripgrep', /\d+\.\d+/],
    ['vault', /has 44 notes in 17 folders/],
    ['drive', /tells a\.md from A\.md/],
    ['writing', /can be changed/],
    ['state', /by you alone/],
    ['watches', /of [\d,]+ watches are in use/],
    ['index', /has 44 notes/],
    ['history', /1 change of .*no damage/],
    ['clock', /UTC/],
    ['claude-desktop', /opens ".*Notes" and may\s+change notes/],
    ['cursor', /not installed/],
    ['port', /Vaultdoor \S+ listens at port \d+, and all is well/],
    ['running', /A server of .* runs/],
    ['owner', /You have set a passphrase/],
    ['tokens', /1 token/],
  ]) {
    const row = seen.split(/\n(?=\S)/).find((line) => new RegExp(`^ok +${name} `).test(line));
    check(`terminal: ${name}`, text.test(row?.replaceAll(/\s+/g, ' ') ?? ''), seen);
  }
  // A word that is too long, such as a path, is never broken.
  const wide = seen.split('\n').filter((line) => line.length > 100 && / /.test(line.trim()));
  check('terminal: no line is wider than the terminal', wide.length === 0, wide);
  check('terminal: the last sentence', /\nEverything is in order\.$/.test(seen), seen);
  check('terminal: in colours', coloured.includes('\u001b[32mok'), coloured);
  await terminal.close();
  const plain = await openTerminal(asked, { env: { ...e.env, NO_COLOR: '1' } });
  await plain.ended();
  const letters = await plain.coloured();
  check('terminal: NO_COLOR', !letters.includes('\u001b[3') && /^ok /m.test(letters), letters);
  await plain.close();

  // Its process is stopped, so it answers nobody and does not notice a new note.
  server.child.kill('SIGSTOP');
  writeFileSync(join(e.vault, 'New.md'), 'planted\n');
  const behind = await call(e, 'doctor', '--port', '1');
  const isTold = /^warn +index +.*44 notes.*but the vault 45/m.test(behind.stdout);
  check('a server that does not notice a note: warn index', isTold, behind);
  server.child.kill('SIGCONT');
  renameSync(e.vault, join(e.home, 'moved'));
  const away = async () => (await fetch(new URL('/health', server.url))).status === 503;
  await until(away, () => server.seen.stderr);
  const gone = await call(e, 'doctor', '--port', server.port);
  check(
    'a server without its vault: BAD port',
    /^BAD +port .*vault_not_found/m.test(gone.stdout),
    gone,
  );
  check(
    'a moved vault: BAD claude-desktop',
    /^BAD +claude-desktop .*Was it moved/m.test(gone.stdout),
    gone,
  );
  await server.stop();
}
