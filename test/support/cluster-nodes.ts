import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { sql } from '../../src/postgres/connection/sql.ts';
import { type ClusterDatabase, clusterDatabase } from './cluster-database.ts';
import { freePort } from './free-port.ts';
import { HttpProcess } from './http-process.ts';
import { tempFolder } from './temp-folder.ts';

/** The built program as one node of a cluster. */
export interface ClusterProcess {
  readonly name: string;
  readonly program: HttpProcess;
  /** The address of its cluster port. */
  readonly clusterUrl: string;
  /** A new MCP client of it, with a token where one is needed. */
  connect(token?: string): Promise<Client>;
  /** Sends a signal to its process. */
  kill(signal: NodeJS.Signals): void;
}

/** A cluster: a PostgreSQL, a folder of vaults, and as many nodes as a test starts. */
export interface TestCluster extends ClusterDatabase {
  /** The folder of the vaults; it is that of the running test. */
  readonly root: string;
  /** Adds a vault with these files, for any node or for the one that is wished; answers its folder. */
  addVault(
    name: string,
    files?: Readonly<Record<string, string>>,
    wished?: string,
  ): Promise<string>;
  start(name: string, how?: NodeHow): Promise<ClusterProcess>;
}

interface NodeHow {
  readonly leaseMs?: number;
  readonly graceMs?: number;
  readonly args?: readonly string[];
  /** The address of PostgreSQL, if it is reached through something else. */
  readonly url?: string;
}

/** The secret that all nodes of a test share. */
export const clusterSecret = 'a secret of the cluster that has enough characters';

/** Makes clusters for the tests of one file. They share a PostgreSQL, and each has its own vaults. */
export function clusterNodes(): () => Promise<TestCluster> {
  const database = clusterDatabase();
  return async () => {
    await database
      .postgres()
      .script([
        sql`UPDATE node SET expires = clock_timestamp()`,
        sql`DELETE FROM token_vault`,
        sql`DELETE FROM question`,
        sql`DELETE FROM proposal`,
        sql`DELETE FROM vault`,
      ]);
    const root = tempFolder();
    const secretFile = join(root, 'cluster-secret');
    writeFileSync(secretFile, `${clusterSecret}\n`, { mode: 0o600 });
    return {
      ...database,
      root,
      async addVault(name, files = {}, wished) {
        const folder = join(root, name);
        mkdirSync(folder);
        for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
        await database
          .postgres()
          .all(
            sql`INSERT INTO vault (name, path, wished) VALUES (${name}, ${folder}, ${wished ?? null})`,
          );
        return folder;
      },
      async start(name, how = {}) {
        const clusterUrl = `http://127.0.0.1:${await freePort()}`;
        const program = await HttpProcess.start({
          folder: root,
          args: [
            ...['--cluster', how.url ?? database.server().url],
            ...['--vaults-root', root, '--node-address', clusterUrl, '--node', name],
            ...['--cluster-secret-file', secretFile, '--tools', 'notes'],
            ...(how.args ?? []),
          ],
          env: {
            VAULTDOOR_CLUSTER_LEASE_MS: `${how.leaseMs ?? 10_000}`,
            ...(how.graceMs === undefined ? {} : { VAULTDOOR_CLUSTER_GRACE_MS: `${how.graceMs}` }),
          },
        });
        return {
          name,
          program,
          clusterUrl,
          kill: (signal) => void program.child.kill(signal),
          async connect(token) {
            const client = new Client({ name: 'test', version: '1' });
            const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
            const options = { requestInit: { headers } };
            await client.connect(new StreamableHTTPClientTransport(new URL(program.url), options));
            onTestFinished(() => client.close().catch(() => undefined));
            return client;
          },
        };
      },
    };
  };
}

/** What a tool answers as text; throws on a failure. */
export async function say(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } });
  const text = (content as { readonly text?: string }[])
    .map((piece) => piece.text ?? '')
    .join('\n');
  if (isError === true) throw new Error(text);
  return text;
}
