// Setup where something is broken.
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import {
  halfWrittenClientFile,
  noRipgrep,
  portTaken,
  readOnlyHome,
  soundHome,
  vaultOnFuse,
  watchLimitReached,
  wrongClock,
} from '../broken-environments.mjs';
import { canMount, check } from '../outside-programs.mjs';
import {
  askApps,
  askRight,
  askVault,
  askWrite,
  filesIn,
  piped,
  typed,
  withClients,
} from './typed.mjs';

/** Where something is broken. */
export async function broken() {
  const home = await readOnlyHome();
  const claude = join(home.home, '.config', 'Claude');
  mkdirSync(claude);
  if (process.getuid() === 0) chownSync(claude, 65_534, 65_534);
  chmodSync(claude, 0o555);
  const before = filesIn(home.home);
  const refused = await typed(home, ['setup'], [askVault, askRight, askWrite]);
  const isTold =
    /may not|permission|not writable/i.test(refused.text) &&
    refused.text.includes('claude_desktop_config.json');
  check(
    'read-only home: says which file cannot be written',
    refused.code !== 0 && refused.code !== 'hangs' && isTold,
    refused,
  );
  const noServer = await piped(
    home,
    'setup',
    '--server',
    '--yes',
    '--address',
    'network',
    '--port',
    String(home.port),
  );
  check(
    'read-only home: no server, and why',
    noServer.code !== 0 && noServer.stderr.startsWith('vaultdoor: '),
    noServer,
  );
  check('read-only home: every file is as it was', filesIn(home.home) === before, noServer);
  await home.end();

  for (const [name, make] of [
    ['no ripgrep', noRipgrep],
    ['watch limit reached', watchLimitReached],
    ['a clock that is a year ahead', () => wrongClock(365 * 86_400_000)],
    ['a clock that is ten years behind', () => wrongClock(-3_650 * 86_400_000)],
    ...(canMount('setup with a vault on a FUSE mount')
      ? [['a vault on a FUSE mount', vaultOnFuse]]
      : []),
  ]) {
    const place = withClients(await make());
    const ended = await typed(
      place,
      ['setup', '--vault', place.vault],
      [askApps, askRight, askWrite],
    );
    check(
      `${name}: the apps read the notes`,
      ended.code === 0 && ended.text.includes('Claude Desktop and Cursor can read 44 notes'),
      ended,
    );
    const words = ['--vault', place.vault, '--address', 'network', '--port', String(place.port)];
    const served = await piped(place, 'setup', '--server', '--yes', ...words);
    check(
      `${name}: a server`,
      served.code === 0 && served.stdout.includes('able to read 44 notes'),
      served,
    );
    await place.end();
  }

  for (const [name, env, reason] of [
    [
      'a hook for Node that is gone',
      { NODE_OPTIONS: '--require /gone/hook.cjs' },
      "'/gone/hook.cjs'",
    ],
    ['a second vault in the entry', { VAULT_PATH: '/usr' }, 'lead to different folders'],
  ]) {
    const place = withClients(await soundHome('setup-first-call'));
    await piped(place, 'setup', '--yes', '--client', 'claude-desktop');
    const config = JSON.parse(readFileSync(place.claude, 'utf8'));
    Object.assign(config.mcpServers.vaultdoor.env, env);
    writeFileSync(place.claude, JSON.stringify(config));
    const asIs = filesIn(place.home);
    const read = ['What may Claude Desktop do?', '3'];
    const failed = await typed(
      place,
      ['setup', '--client', 'claude-desktop'],
      [askVault, read, askWrite, ['Take the change back? [y/N]', 'y']],
    );
    const says = [
      'Claude Desktop cannot read "Notes" yet: ',
      reason,
      `The command that failed is in ${place.claude}.`,
      'To find out more: vaultdoor doctor --vault',
      'Every file is as it was.',
    ];
    check(
      `the first call fails (${name}): says what failed, where, what to do, and takes it back`,
      failed.code === 6 && says.every((text) => failed.text.includes(text)),
      failed,
    );
    check(
      `the first call fails (${name}): the files are as they were`,
      filesIn(place.home) === asIs,
      failed,
    );
    const script = await piped(place, 'setup', '--yes', '--client', 'claude-desktop');
    check(
      `the first call fails (${name}): a script gets the exit code 6 and the reason`,
      script.code === 6 && script.stdout.includes(reason),
      script,
    );
    await place.end();
  }

  const taken = await portTaken();
  const start = filesIn(taken.home);
  const words = ['setup', '--server', '--address', 'this-machine', '--port', String(taken.port)];
  const port = await typed(taken, words);
  check(
    'port taken: says so before anything is written',
    port.code === 6 && /is in use/.test(port.text) && filesIn(taken.home) === start,
    port,
  );
  await taken.end();

  const half = await halfWrittenClientFile();
  const same = filesIn(half.home);
  const alone = await typed(half, ['setup']);
  check(
    'half-written file: is named and left alone',
    alone.code === 2 && alone.text.includes('is not valid JSON') && filesIn(half.home) === same,
    alone,
  );
  mkdirSync(join(half.home, '.cursor'));
  const other = await typed(half, ['setup'], [askVault, askRight, askWrite]);
  check(
    'half-written file: the other app is set up',
    other.code === 0 &&
      other.text.includes('Claude Desktop is left out') &&
      other.text.includes('Cursor can read 44 notes'),
    other,
  );
  check(
    'half-written file: stays as it is',
    !readFileSync(half.file, 'utf8').includes('vaultdoor'),
    other,
  );
}
