// Setup where something is broken.
import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import {
  halfWrittenClientFile,
  noRipgrep,
  portTaken,
  readOnlyHome,
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
  const alone = await typed(half, ['setup'], [askVault]);
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
