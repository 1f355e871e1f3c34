import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/postgres/connection/sql.ts';
import { claimVault } from '../../src/postgres/nodes/claim-vault.ts';
import { joinNodes } from '../../src/postgres/nodes/node-lease.ts';
import { openPostgresState } from '../../src/postgres/state/postgres-state-store.ts';
import { clusterDatabase } from '../support/cluster-database.ts';
import { clusterUser } from '../support/cluster-user.ts';
import { tempFolder } from '../support/temp-folder.ts';

const database = clusterDatabase();
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

// On a busy machine this takes longer than a test may.
beforeAll(async () => {
  await import('../../src/cli/cluster/cluster-command.ts');
  await import('../../src/cli/call/run-command.ts');
});

const user = (files: Readonly<Record<string, string>> = {}) => clusterUser(database, files);

const alive = (node: string) =>
  joinNodes({
    postgres: database.postgres(),
    node,
    address: `http://${node}:1066`,
    version: '1.2.3',
    steady: { nowMs: () => performance.now() },
    leaseMs: 600_000,
  });

interface Status {
  readonly nodes: readonly { node: string; alive: boolean; drains: boolean; vaults: number }[];
  readonly vaults: readonly { id: number; name: string; owner: string | null; epoch: number }[];
}

describe('vaultdoor cluster', () => {
  it('makes tables and a secret, once', async () => {
    const { run, folder } = user();
    const secret = join(folder, 'secret');
    const first = await run(`cluster init --cluster-secret-file ${secret}`);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain(`Made the secret "${secret}"`);
    const text = readFileSync(secret, 'utf8');
    expect(text).toMatch(/^[\w-]{43}\n$/);
    const again = await run(`cluster init --cluster-secret-file ${secret}`);
    expect(again.stdout).toContain('left as it is');
    expect(readFileSync(secret, 'utf8')).toBe(text);
    expect((await run('cluster migrate')).stdout).toContain('up to date');
  });

  it('takes the address of PostgreSQL from a file, and never repeats it', async () => {
    const { run, folder } = user({ url: 'postgres://u:hidden@127.0.0.1:9/x\n', bad: 'hidden' });
    const away = await run(`cluster status --cluster-url-file ${join(folder, 'url')}`);
    expect(away.code).toBe(6);
    const bad = await run(`cluster status --cluster-url-file ${join(folder, 'bad')}`);
    expect(bad.code).toBe(2);
    expect(`${away.stderr}${bad.stderr}`).not.toContain('hidden');
  });

  it('adds vaults, shows who owns them, moves them and drains nodes', async () => {
    const { run, json } = user();
    const [one, two] = [await alive('one'), await alive('two')];
    const { id } = await json<{ id: number }>('cluster add wörk team/notes');
    const twice = await run('cluster add wörk other');
    expect({ code: twice.code, says: twice.stderr }).toMatchObject({
      code: 4,
      says: expect.stringContaining('already'),
    });
    for (const path of ['../out', '.', './work', '/']) {
      expect((await run(`cluster add out ${path}`)).code).toBe(2);
    }
    for (const path of ['team/notes', 'team//notes/', 'team', 'team/notes/inner']) {
      const { code, stderr } = await run(`cluster add nested ${path}`);
      expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('wörk') });
    }
    await claimVault(database.postgres(), { vault: id, ...one });
    const owner = async () =>
      (await json<Status>('cluster status')).vaults.find((vault) => vault.id === id)?.owner;
    expect(await owner()).toBe('one');
    const text = (await run('cluster status')).stdout;
    expect(text).toMatch(/one +runs +http:\/\/one:1066 +Vaultdoor 1.2.3 +owns 1 vault +0 awake/);
    expect(text).toMatch(/wörk +team\/notes +one +0 changes/);

    expect((await run('cluster move wörk three')).code).toBe(3);
    expect((await run('cluster move wörk two')).code).toBe(0);
    expect(await owner()).toBeNull();
    expect(await claimVault(database.postgres(), { vault: id, ...two })).toMatchObject({
      epoch: 2,
    });
    expect((await run('cluster drain two')).stdout).toContain('given away 1 vault');
    expect(await owner()).toBeNull();
    const { nodes } = await json<Status>('cluster status');
    expect(nodes.find(({ node }) => node === 'two')).toMatchObject({ drains: true, vaults: 0 });

    expect((await run('cluster restored')).stderr).toContain('Nodes are running (one, two)');
    await one.leave();
    await two.leave();
  });

  it('copies a history to the cluster and back, with numbers, contents and undo', async () => {
    const { run, json, folder } = user({ 'v/A.md': 'first\n', 'v/B.md': 'see [[A]]\n' });
    const vault = join(folder, 'v');
    const on = `--vault ${vault}`;
    for (const line of [`append A second ${on}`, `rename A C ${on}`, `delete B ${on}`]) {
      expect(await run(line)).toMatchObject({ code: 0 });
    }
    const before = await json<object>(`history ${on}`);

    const { changes } = await json<{ changes: number }>(`cluster import ${on} --name copied`);
    expect(changes).toBe(3);
    const refused = await run(`read C ${on}`);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('in a cluster now, under the name "copied"');
    expect((await run(`cluster import ${on} --name twice`)).code).toBe(4);
    const row = await database
      .postgres()
      .get<{ id: number; last_change: number; history_bytes: number; counted: number }>(
        sql`SELECT id, last_change, history_bytes,
              (SELECT sum(length(bytes)) FROM content WHERE content.vault = vault.id) AS counted
            FROM vault WHERE name = 'copied'`,
      );
    expect(row).toMatchObject({ last_change: 3, history_bytes: row?.counted });
    const state = openPostgresState(database.postgres(), { vault: row?.id ?? 0, epoch: 0 });
    const { items } = await state.changes({}, { limit: 10, offset: 0 });
    expect(items.map(({ id }) => id)).toEqual([3, 2, 1]);

    expect(await run(`cluster export ${on}`)).toMatchObject({ code: 0 });
    expect(await json<object>(`history ${on}`)).toEqual(before);
    for (const id of [3, 2, 1]) expect(await run(`undo ${id} ${on}`)).toMatchObject({ code: 0 });
    expect(readFileSync(join(vault, 'A.md'), 'utf8')).toBe('first\n');
    expect(readFileSync(join(vault, 'B.md'), 'utf8')).toBe('see [[A]]\n');
    const last = await json<{ items: readonly { id: number }[] }>(`history ${on}`);
    expect(last.items[0]?.id).toBe(6);
    const names = (await json<Status>('cluster status')).vaults.map(({ name }) => name);
    expect(names).not.toContain('copied');
  });

  it('keeps tokens and the owner of all nodes, when the commands name it', async () => {
    const { run, json } = user();
    await json('cluster add limited limited');
    const made = await json<{ id: string; vaults: readonly string[] }>(
      'token create tablet --vault limited',
    );
    expect(made.vaults).toEqual(['limited']);
    expect((await run('token list')).stdout).toContain('the whole vault (limited)');
    expect((await run('token create phone --vault no-such')).code).toBe(3);
    const rows = await database.postgres().all(sql`SELECT id FROM token WHERE id = ${made.id}`);
    expect(rows).toHaveLength(1);
    expect((await run('token revoke tablet')).code).toBe(0);
    expect((await run('connections list --json')).stdout).toContain('"connections": []');
    expect((await run('owner show --json')).code).toBe(0);
    expect((await run(`client list --cluster ${database.server().url} --json`)).code).toBe(0);
  });

  it('lets programs without it only read the vaults beside its gates', async () => {
    const { run, folder } = user({ 'v/A.md': 'first\n' });
    const on = `--vault ${join(folder, 'v')}`;
    expect((await run(`append A second ${on}`)).code).toBe(0);
    mkdirSync(join(folder, '.vaultdoor', 'gates'), { recursive: true });
    writeFileSync(join(folder, '.vaultdoor', 'address'), 'http://10.0.0.3:1066\n');
    expect(await run(`read A ${on}`)).toMatchObject({ code: 0 });
    expect(await run(`search second ${on}`)).toMatchObject({ code: 0 });
    expect(await run(`history ${on}`)).toMatchObject({ code: 0 });
    for (const line of [`append A third ${on}`, `delete A ${on}`, `undo 1 ${on}`]) {
      const { code, stderr } = await run(line);
      expect(code).toBe(5);
      expect(stderr).toContain('use http://10.0.0.3:1066');
    }
    expect(readFileSync(join(folder, 'v', 'A.md'), 'utf8')).toBe('first\nsecond\n');
  });

  it('measures a file system through two mounts, alone or together with another program', async () => {
    const { run, json, folder } = user({ 'root/v/A.md': 'a' });
    const [root, also] = [join(folder, 'root'), join(folder, 'also')];
    symlinkSync(root, also);
    const check = `cluster check --vaults-root ${root}`;
    const { isGood, settleMs } = await json<{ isGood: boolean; settleMs: number }>(
      `${check} --also-at ${also}`,
    );
    expect(isGood).toBe(true);
    expect(settleMs).toBeGreaterThan(0);
    const answers = await Promise.all([run(check), run(check.replace(root, also))]);
    for (const { stdout, code } of answers) {
      expect(code).toBe(0);
      expect(stdout).toContain(': good');
    }
    const other = await run(`${check} --also-at ${tempFolder()}`);
    expect(other.stderr).toContain('does not show what is in the folder');
  });

  it('settles what was open in a backup as the files show', async () => {
    const { run, json, folder } = user({ 'v/Made.md': 'new', 'v/Not made.md': 'old' });
    const postgres = database.postgres();
    await postgres.all(sql`UPDATE node SET expires = clock_timestamp()`);
    const { id } = await json<{ id: number }>('cluster add restored v');
    const change = (number: number, path: string) => sql`
      INSERT INTO change (vault, id, state, time, first_time, fold, deletes, door, tool, args, undoes,
        kept, steps)
      VALUES (${id}, ${number}, 'marked', 1, 1, 0, 0, 'cli', 'update', '{}', '[]', '[]',
        ${JSON.stringify([{ do: 'write', path, before: hash('old'), after: hash('new') }])})`;
    await postgres.script([change(1, 'Made.md'), change(2, 'Not made.md')]);
    const { stdout } = await run(`cluster restored --vaults-root ${folder}`);
    expect(stdout).toContain('1 had been made and 1 had not');
    const rows = await postgres.all(sql`SELECT id, state FROM change WHERE vault = ${id}`);
    expect(rows).toEqual([{ id: 1, state: 'done' }]);
    const { vaults } = await json<Status>('cluster status');
    expect(vaults.find((vault) => vault.id === id)?.epoch).toBe(1_000);
  });

  it('leaves a change open after a restore while its note is in a gate', async () => {
    const { run, json, folder } = user({ 'gated/B.md': 'b' });
    const postgres = database.postgres();
    await postgres.all(sql`UPDATE node SET expires = clock_timestamp()`);
    const { id } = await json<{ id: number }>('cluster add gated gated');
    const steps = [{ do: 'move', path: 'A.md', to: 'C.md', version: hash('a'), token: 'moved' }];
    await postgres.all(sql`
      INSERT INTO change (vault, id, state, time, first_time, fold, deletes, door, tool, args, undoes,
        kept, steps)
      VALUES (${id}, 1, 'single', 1, 1, 0, 0, 'cli', 'move', '{}', '[]', '[]',
        ${JSON.stringify(steps)})`);
    const gate = join(folder, '.vaultdoor', 'gates', `${id}`, 'e17');
    mkdirSync(gate, { recursive: true });
    writeFileSync(join(gate, 'moved'), 'a');
    writeFileSync(join(gate, 'other'), 'nobody knows me');
    const { stdout } = await run(`cluster restored --vaults-root ${folder}`);
    expect(stdout).toContain('because files of them are in a gate: 1 change.');
    expect(stdout).toContain(`perhaps the only copy of a note: ${join(gate, 'other')}`);
    expect(stdout).not.toContain(join(gate, 'moved'));
    const rows = await postgres.all(sql`SELECT id, state FROM change WHERE vault = ${id}`);
    expect(rows).toEqual([{ id: 1, state: 'single' }]);
  });
});
