import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listenForVault } from '../../src/cli/vaults/server-files.ts';
import { openPostgres } from '../../src/postgres/connection/postgres.ts';
import { sql } from '../../src/postgres/connection/sql.ts';
import { addVaultWithState } from '../../src/postgres/state/copy-state.ts';
import { openStateFile } from '../../src/sqlite/state/copy-state.ts';
import { clusterDatabase } from '../support/cluster-database.ts';
import { clusterUser } from '../support/cluster-user.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { failureOf } from '../support/failure-of.ts';
import { bareEnv } from '../support/run-cli.ts';

const database = clusterDatabase();
const user = (files: Readonly<Record<string, string>> = {}) => clusterUser(database, files);

// On a busy machine this takes longer than a test may.
beforeAll(async () => {
  await import('../../src/cli/cluster/cluster-command.ts');
  await import('../../src/cli/call/run-command.ts');
});

interface Status {
  readonly vaults: readonly { readonly name: string }[];
}

describe('vaultdoor cluster import and export', () => {
  it.each([
    { after: 'mended', outcome: 'added' },
    { after: 'cut', outcome: 'not known' },
  ] as const)(
    'keeps an import whose last answer was lost ($outcome)',
    async ({ after, outcome }) => {
      const { run, folder, inState } = user({ 'v/A.md': 'first\n' });
      expect(await run(`append A second --vault ${join(folder, 'v')}`)).toMatchObject({ code: 0 });
      const proxy = await startCutProxy(database.server().url);
      const postgres = await openPostgres(proxy.url);
      const source = await openStateFile(inState('state.db'));
      let isUndone = false;
      const adding = addVaultWithState(
        postgres,
        { name: `lost ${after}`, path: `lost ${after}` },
        {
          source,
          beforeLast: async () => proxy.cutAtAnswer(after),
          afterUndone: async () => {
            isUndone = true;
          },
        },
      );
      if (outcome === 'added') await adding;
      else expect((await failureOf(adding)).message).toContain('it is not known');
      expect(isUndone).toBe(false);
      const row = await database.postgres().get(sql`
      SELECT (SELECT count(*) FROM change WHERE change.vault = vault.id) AS changes,
        (SELECT count(*) > 0 FROM content WHERE content.vault = vault.id) AS contents
      FROM vault WHERE name = ${`lost ${after}`}`);
      expect(row).toEqual({ changes: 1, contents: true });
      source.close();
      await postgres.close();
    },
  );

  it('leaves nothing of an import that PostgreSQL refused', async () => {
    const { run, json, folder } = user({ 'v/A.md': 'first\n' });
    const on = `--vault ${join(folder, 'v')}`;
    expect(await run(`append A second ${on}`)).toMatchObject({ code: 0 });
    await json('cluster add taken taken');
    const taken = await run(`cluster import ${on} --name taken`);
    expect(taken.code).not.toBe(0);
    expect(taken.stderr).toContain('There is a vault "taken" already; choose another name.');
    expect(await run(`read A ${on}`)).toMatchObject({ code: 0 });
    const rows = await database
      .postgres()
      .all(sql`SELECT vault FROM content WHERE vault NOT IN (SELECT id FROM vault)`);
    expect(rows).toEqual([]);
  });

  it('does not export over another history', async () => {
    const { run, json, folder } = user({ 'v/A.md': 'first\n' });
    const on = `--vault ${join(folder, 'v')}`;
    expect(await run(`append A second ${on}`)).toMatchObject({ code: 0 });
    await json('cluster add other other');
    const { code, stderr } = await run(`cluster export ${on} --name other`);
    expect({ code, stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('has a history of its own'),
    });
    expect(await json<object>(`history ${on}`)).toMatchObject({ items: [{ id: 1 }] });
    expect((await json<Status>('cluster status')).vaults.map(({ name }) => name)).toContain(
      'other',
    );
  });

  it('does not import a vault that a server has open', async () => {
    const { run, folder } = user({ 'v/A.md': 'first\n' });
    const path = join(folder, 'v');
    const env = { ...bareEnv(), XDG_STATE_HOME: join(folder, 'state') };
    const server = await listenForVault({ name: 'v', path }, env, (socket) => socket.end());
    const refused = await run(`cluster import --vault ${path} --name served`);
    expect({ code: refused.code, stderr: refused.stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('A server of this vault is running'),
    });
    await server.close();
    const { stdout, code } = await run(`cluster import --vault ${path} --name served`);
    expect({ stdout, code }).toMatchObject({ code: 0, stdout: expect.stringContaining('end it') });
  });

  it('exports a long history without counting each content', async () => {
    const { run, folder } = user({ 'v/A.md': 'first\n' });
    const on = `--vault ${join(folder, 'v')}`;
    expect(await run(`append A second ${on}`)).toMatchObject({ code: 0 });
    expect(await run(`cluster import ${on} --name long`)).toMatchObject({ code: 0 });
    const postgres = database.postgres();
    await postgres.script([
      sql`CREATE FUNCTION refuse_count() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN RAISE EXCEPTION ''counted''; END'`,
      sql`CREATE TRIGGER counts BEFORE UPDATE OF history_bytes ON vault
          FOR EACH ROW EXECUTE FUNCTION refuse_count()`,
    ]);
    try {
      expect(await run(`cluster export ${on}`)).toMatchObject({ code: 0 });
    } finally {
      await postgres.script([sql`DROP TRIGGER counts ON vault`, sql`DROP FUNCTION refuse_count()`]);
    }
  });

  it('takes the mark of an interrupted import or export away', async () => {
    const { run, folder, inState } = user({ 'v/A.md': 'first\n' });
    const on = `--vault ${join(folder, 'v')}`;
    expect(await run(`append A second ${on}`)).toMatchObject({ code: 0 });
    const mark = join(inState('state.db'), '..', 'in-cluster.json');
    writeFileSync(mark, JSON.stringify({ vault: 'interrupted' }));
    expect((await run(`append A third ${on}`)).code).toBe(5);
    const away = await run(`cluster export ${on} --cluster postgres://u:p@127.0.0.1:9/x`);
    expect(away.code).toBe(6);
    expect((await run(`append A third ${on}`)).code).toBe(5);
    const { stdout, code } = await run(`cluster export ${on}`);
    expect({ stdout, code }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('There is no vault "interrupted" in the cluster'),
    });
    expect(await run(`append A third ${on}`)).toMatchObject({ code: 0 });
  });
});
