import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { portTaken, soundHome, wrongClock } from '../broken-environments.mjs';
import { check } from '../outside-programs.mjs';
import { call, examine, overwrite, ownFolder } from './examine.mjs';

const dayMs = 24 * 60 * 60_000;

/** Index and history, as crashes, other versions and failing disks leave them. */
export const stores = [
  async () => {
    const e = await soundHome('index');
    await call(e, 'search', 'swifts', '--vault', e.vault);
    const index = join(ownFolder(e, 'cache'), 'index.db');
    writeFileSync(join(e.vault, 'More.md'), 'planted\n');
    await examine('an index that is behind', e, {
      line: ['ok', 'index', /44 notes.*the vault 45/],
    });
    overwrite(index, 60, Buffer.from([0, 0, 0, 3]));
    await examine('an index of another version', e, {
      line: ['ok', 'index', /another version \(schema 3\)/],
    });
    overwrite(index, 0, Buffer.alloc(4096, 1));
    await examine('a damaged index', e, { line: ['warn', 'index', /damaged.*loses nothing/] });
  },
  async () => {
    const e = await soundHome('history');
    for (let i = 0; i < 3; i++)
      await call(e, 'append', 'Swifts', `planted ${i}`, '--vault', e.vault);
    const state = join(ownFolder(e, 'state'), 'state.db');
    const database = new DatabaseSync(state);
    database.exec("UPDATE change SET state = 'committed' WHERE id = 3");
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    for (const end of ['-wal', '-shm']) rmSync(state + end, { force: true });
    await examine('an interrupted change', e, {
      line: ['warn', 'journal', /Interrupted changes of .*: 1\b/],
    });
    overwrite(state, 60, Buffer.from([0, 0, 0, 99]));
    await examine('a newer history', e, { line: ['BAD', 'history', /A newer Vaultdoor/] });
    overwrite(state, 60, Buffer.from([0, 0, 0, 0]));
    await examine('another database', e, {
      line: ['BAD', 'history', /not a history of Vaultdoor/],
    });
    overwrite(state, 60, Buffer.from([0, 0, 0, 2]));
    overwrite(state, 4096 * 2, Buffer.alloc(4096 * 4, 7));
    await examine('a damaged history', e, { line: ['BAD', 'history', /damaged/] });
    writeFileSync(state, 'no database at all, planted '.repeat(99));
    await examine('no history at all', e, { line: ['BAD', 'history', /damaged/] });
  },
];

/** Clients whose entries lead nowhere, servers of another version, files of signing in. */
export const others = [
  async () => {
    const e = await soundHome('clients');
    const file = join(e.home, '.cursor', 'mcp.json');
    mkdirSync(join(e.home, '.cursor'));
    const line = (text) => ['BAD', 'cursor', text];
    await call(e, 'install', 'cursor', '--write', '--vault', e.vault);
    const written = readFileSync(file, 'utf8');
    const { command, args, env } = JSON.parse(written).mcpServers.vaultdoor;
    const write = (entry) =>
      writeFileSync(file, JSON.stringify({ mcpServers: { 'planted-name': entry } }));
    await examine('an entry that is right', e, {
      line: ['ok', 'cursor', /opens ".*Notes" and may change notes/],
    });
    write({ command: '/planted/node', args, env });
    await examine('no such Node', e, {
      line: line(/does not exist: \/planted\/node.*install cursor/s),
    });
    write({ command, args: ['/planted/vaultdoor.js', 'stdio'], env });
    await examine('no such script', e, { line: line(/planted\/vaultdoor\.js/) });
    write({ command, args });
    await examine('an entry without a vault', e, { line: line(/names no vault/) });
    write({ command, args, env: { OBSIDIAN_VAULT_PATH: join(e.home, 'old', 'Notes') } });
    await examine('a vault that was moved', e, {
      line: line(/A vault was found that may be meant.*--name planted-name --vault/s),
    });
    write({ command, args, env: { OBSIDIAN_VAULT_PATH: join(e.home, 'old', 'planted') } });
    await examine('a vault that is gone', e, {
      line: line(/Was it moved\?.*its options stay: .*--name planted-name --vault \/new\/path/s),
    });
    writeFileSync(file, '{"mcpServers": [');
    await examine('a half-written file', e, {
      line: line(/line 1, at its end\)\.\s+Repair it in an editor\. Then/),
    });
    writeFileSync(`${file}.vaultdoor-backup`, '{}');
    await examine('with a backup', e, {
      line: line(/mcp\.json\.vaultdoor-backup" in\s+its\s+place: so the file\s+was\s+on 20/),
    });
  },
  async () => {
    const e = await soundHome('server');
    const answer = JSON.stringify({ status: 'ok', version: '0.0.1' });
    const older = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(answer);
    });
    await new Promise((resolve) => older.listen(e.port, '127.0.0.1', resolve));
    await examine('an older server', e, { line: ['warn', 'port', /Vaultdoor 0\.0\.1 listens/] });
    older.closeAllConnections();
    older.close();
    const at = ['--public-url', 'https://planted.invalid'];
    await examine('no such address', e, {
      args: at,
      line: ['BAD', 'connection', /cannot be reached/],
    });
    const away = await call(e, 'doctor', '--port', String(e.port), ...at);
    check(
      'an address for signing in, and no owner: warn owner',
      /^warn +owner .*nobody can sign in.*owner set/ms.test(away.stdout),
      away,
    );
  },
  async () => {
    const e = await portTaken();
    const settings = join(e.home, '.config', 'vaultdoor');
    mkdirSync(settings);
    const lines = ['# Written by "vaultdoor setup --server"', `PORT="${e.port}"`, '# end', ''];
    writeFileSync(join(settings, 'server.env'), lines.join('\n'));
    await examine(
      'the port of the server that setup has made',
      { ...e, port: undefined },
      {
        line: ['BAD', 'port', new RegExp(`listens at port ${e.port}`)],
      },
    );
    await e.end();
  },
  async () => {
    const e = await soundHome('sign-in');
    const long = ['--expires', '1', '--vault', e.vault];
    const past = await wrongClock(-30 * dayMs);
    const { env } = past;
    await call({ ...e, env: { ...env, HOME: e.home } }, 'token', 'create', 'planted', ...long);
    await examine('a token that has ended', e, { line: ['warn', 'tokens', /of which 1 ended/] });
    const state = join(e.home, '.local', 'state', 'vaultdoor');
    for (const [file, name] of [
      [join(ownFolder(e, 'state'), 'tokens.json'), 'tokens'],
      [join(state, 'owner.json'), 'owner'],
      [join(state, 'oauth.json'), 'connections'],
    ]) {
      const before = existsSync(file) ? readFileSync(file) : undefined;
      writeFileSync(file, '{"planted');
      await examine('a damaged file', e, { line: ['BAD', name, /cannot be read/] });
      if (before === undefined) rmSync(file);
      else writeFileSync(file, before);
    }
  },
];
