import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import {
  halfWrittenClientFile,
  noRipgrep,
  noSqlite,
  otherUsersHome,
  portTaken,
  readOnlyHome,
  smallDisk,
  soundHome,
  vaultOnFuse,
  watchLimitReached,
  wrongClock,
} from '../broken-environments.mjs';
import { canMount, check } from '../outside-programs.mjs';
import { openTerminal } from '../terminal.mjs';
import { call, examine, ownFolder } from './examine.mjs';

const dayMs = 24 * 60 * 60_000;

/** The environments of broken-environments.mjs. */
export const broken = [
  async () => {
    const e = await readOnlyHome();
    await examine('read-only home', e, {
      line: ['BAD', 'state', /cannot be made.*XDG_STATE_HOME/s],
    });
    await examine('read-only home', e, { line: ['BAD', 'cache', /XDG_CACHE_HOME/] });
    await e.end();
  },
  async () => {
    const e = await noRipgrep();
    await examine('no ripgrep', e, {
      line: ['warn', 'ripgrep', /everything else does.*apt install/s],
    });
    const rg = join(e.env.PATH, 'rg');
    writeFileSync(rg, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    await examine('a ripgrep that fails', e, { line: ['BAD', 'ripgrep', /does not run/] });
  },
  async () => {
    const e = await noSqlite();
    const isBuiltin = Number(process.versions.node.split('.')[0]) > 22;
    const line = isBuiltin
      ? ['ok', 'SQLite', /node:sqlite/]
      : ['BAD', 'SQLite', /cannot be loaded/];
    await examine('no SQLite', e, { line });
  },
  async () => {
    const e = await watchLimitReached();
    await examine('watch limit', e, { line: ['warn', 'watches', /max_user_watches=/] });
    const few = await watchLimitReached({ watches: 10 });
    await examine('too few watches', few, {
      line: ['warn', 'watches', /of 10 watches.*still to be watched: 17/],
    });
    const none = await watchLimitReached({ watches: 1000, instances: 0 });
    await examine('no watchers', none, { line: ['warn', 'watchers', /max_user_instances=/] });
  },
  async () => {
    const e = await wrongClock(-400 * dayMs);
    await examine('a clock that is behind', e, { line: ['BAD', 'clock', /before this program/] });
    const tomorrow = await soundHome('future');
    const at = new Date(Date.now() + dayMs);
    utimesSync(join(tomorrow.vault, 'Notes', 'Swifts.md'), at, at);
    await examine('a note of tomorrow', tomorrow, {
      line: ['warn', 'clock', /has 1 file with a time/],
    });
    const ahead = await wrongClock(10 * dayMs);
    await call(ahead, 'append', 'Swifts', 'planted', '--vault', ahead.vault);
    const { NODE_OPTIONS: _, ...env } = ahead.env;
    const line = ['warn', 'history clock', /in the future/];
    await examine('a change of the future', { ...ahead, env }, { line });
  },
  async () => {
    const e = await portTaken();
    await examine('port taken', e, { line: ['BAD', 'port', /--port \d+/] });
    await e.end();
  },
  async () => {
    const e = await halfWrittenClientFile();
    await examine('half-written file', e, {
      line: ['BAD', 'claude-desktop', /not valid JSON \(line 6\)/],
    });
  },
  async () => {
    const e = await smallDisk();
    await examine('a full disk', e, { line: ['BAD', 'disk', /Only \d MB/] });
  },
];

/** Vaults that cannot be used, or not well. */
export const vaults = [
  async () => {
    const e = await soundHome('vaults');
    const nowhere = join(e.home, 'nowhere');
    const given = (vault) => ['--vault', vault];
    await examine('no such folder', e, {
      args: given(nowhere),
      line: ['BAD', 'vault', /does not exist/],
    });
    const file = join(e.vault, 'Notes', 'Swifts.md');
    await examine('a file', e, { args: given(file), line: ['BAD', 'vault', /not a folder/] });
    const two = { ...e, env: { ...e.env, VAULT_PATH: e.home, OBSIDIAN_VAULT_PATH: e.vault } };
    await examine('two variables', two, { line: ['BAD', 'vault', /lead to different folders/] });
    const inside = { ...e, env: { ...e.env, XDG_STATE_HOME: e.vault } };
    await examine('state in the vault', inside, {
      line: ['BAD', 'vault', /would write into the vault/],
    });
    renameSync(e.vault, join(e.home, 'moved'));
    await examine('moved in secret', e, { line: ['warn', 'vault', /does not exist any more/] });
    rmSync(join(e.home, '.config'), { recursive: true });
    await examine('no vault', e, { line: ['warn', 'vault', /None is named.*vaultdoor setup/s] });
  },
  async () => {
    const e = await otherUsersHome('rights');
    chmodSync(join(e.vault, 'Notes', 'Swifts.md'), 0);
    await examine('an unreadable note', e, { line: ['BAD', 'files', /Swifts\.md.*chmod/s] });
    chmodSync(join(e.vault, 'Notes', 'Swifts.md'), 0o644);
    chmodSync(join(e.vault, 'Notes'), 0o555);
    await examine('a folder without the right to write', e, {
      line: ['BAD', 'writing', /1 folder of 17/],
    });
    chmodSync(join(e.vault, 'Notes'), 0o755);
    chmodSync(e.vault, 0);
    await examine('a vault of another user', e, {
      line: ['BAD', 'vault', /may not be read|permission/],
    });
    chmodSync(e.vault, 0o755);
    const state = join(e.home, '.local', 'state', 'vaultdoor');
    mkdirSync(state, { recursive: true });
    spawnSync('chown', ['-R', '--reference', e.vault, join(e.home, '.local')]);
    chmodSync(state, 0o755);
    await examine('an open state folder', e, { line: ['warn', 'state', /chmod 700/] });
  },
  async () => {
    const e = await otherUsersHome('run-as-root-once');
    await call(e, 'append', 'Swifts', 'planted', '--vault', e.vault);
    await call(e, 'search', 'swifts', '--vault', e.vault);
    for (const [kind, name] of [
      ['state', 'history'],
      ['cache', 'index'],
    ]) {
      const file = join(ownFolder(e, kind), name === 'index' ? 'index.db' : 'state.db');
      const { uid, mode } = lstatSync(file);
      chownSync(file, process.getuid(), 0);
      chmodSync(file, process.getuid() === 0 ? 0o600 : 0);
      await examine('a file of another user', e, {
        line: ['BAD', name, /cannot be opened.*same user/s],
      });
      chownSync(file, uid, uid);
      chmodSync(file, mode);
    }
  },
  async () => {
    const e = await soundHome('cloud');
    writeFileSync(join(e.vault, '.Far.md.icloud'), 'placeholder');
    await examine('a note in the cloud', e, {
      line: ['warn', 'cloud', /has 1 file in the cloud only/],
    });
  },
  async () => {
    if (!canMount('the doctor and a vault on a mount')) return;
    const e = await vaultOnFuse();
    const args = ['--vault', e.vault];
    const mounted = { ...e, home: join(e.home, '.config') }; // The drive keeps a cache in the home.
    await examine('a FUSE mount', mounted, {
      args,
      line: ['warn', 'drive', /fuse\.rclone.*every 5 seconds/s],
    });
    const folded = await vaultOnFuse({ ignoresCase: true });
    await examine(
      'a drive that ignores case',
      { ...folded, home: join(folded.home, '.config') },
      {
        args: ['--vault', folded.vault],
        line: ['warn', 'drive', /does not tell a\.md from A\.md/],
      },
    );
    await folded.end();
    e.drive.child.kill('SIGSTOP');
    const line = ['BAD', 'vault', /has not answered in \d+ seconds/];
    const terminal = await openTerminal(e.words('doctor', ...args), { env: e.env });
    const [shown] = await Promise.all([
      terminal.shows('Looking at the vault …'),
      examine('a drive that does not answer', mounted, { args, line }),
    ]);
    check('a drive that does not answer: progress', (await terminal.ended(30)) === 6, shown);
    const after = await terminal.history();
    check('no progress is left on the screen', !after.includes('Looking at'), after);
    await terminal.close();
    e.drive.child.kill('SIGCONT');
    await e.end();
  },
];
