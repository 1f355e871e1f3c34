import { describe, expect, it } from 'vitest';
import { startSdkClient } from '../contract/stdio-door.ts';
import { BridgeClient, bridgeProcess } from '../support/bridge-program.ts';
import { HttpProcess } from '../support/http-process.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The stdio bridge in front of our own server: `vaultdoor bridge` and `vaultdoor serve --bridge`.

const notes = {
  'A.md': 'text of A\n',
  'Rules.md': '---\ntags: [claude]\ndescription: Read before writing.\n---\n',
};

/** Starts the server; its bridge is at the port that is asked for, or at a free one. */
async function serve(
  folder: string,
  { port = 0, args = [], env }: { port?: number; args?: readonly string[]; env?: object } = {},
): Promise<{ readonly server: HttpProcess; readonly port: number; readonly url: string }> {
  const server = await HttpProcess.start({
    folder,
    args: ['--bridge-port', String(port), ...args],
    ...(env === undefined ? {} : { env: { ...env } }),
  });
  const [url = '', found = ''] =
    /(?<=\n {2})http:\/\/127\.0\.0\.1:(\d+)(?=\/bridge\/v1\n)/.exec(server.stdout) ?? [];
  return { server, port: Number(found), url };
}

describe('the stdio bridge in front of "serve --bridge"', () => {
  it('has the tools that "stdio" has', async () => {
    const folder = tempFolder(notes);
    const { url, server } = await serve(folder);
    const client = await BridgeClient.start({ args: ['--url', url] });
    const direct = await startSdkClient({ folder }, { era: '2025-11-25' });
    const { tools } = await direct.listTools();
    const sorted = tools
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
      .sort((a, b) => a.name.localeCompare(b.name));
    expect((await client.sdk.listTools()).tools).toEqual(sorted);
    await server.stop();
  });

  it('reads and writes notes, and is told of its context once', async () => {
    const { url, server } = await serve(tempFolder(notes));
    for (const client of [
      await BridgeClient.start({ args: ['--url', url] }),
      await BridgeClient.start({ args: ['--url', url] }, '2026-07-28'),
    ]) {
      expect(await client.said('read_note', { name: 'A' })).toMatch(/text of A\n[\s\S]*Rules/);
      expect(await client.said('read_note', { name: 'A' })).not.toContain('Rules');
    }
    const client = await BridgeClient.start({ args: ['--url', url] });
    await client.said('append_note', { name: 'A', text: 'more' });
    expect(await client.said('read_note', { name: 'A' })).toContain('more');
    expect(await client.said('read_note', { name: 'Nowhere' })).toMatch(/^failed: .*Nowhere/);
    expect(await client.said('read_note', {})).toMatch(/^failed: .*name/);
    await server.stop();
  });

  it('leaves in history who did it', async () => {
    const folder = tempFolder(notes);
    const { url, server } = await serve(folder);
    const client = await BridgeClient.start({ args: ['--url', url] });
    await client.said('append_note', { name: 'A', text: 'more' });
    await server.stop();
    const { stdout } = await runCli(['history', '--json', '--vault', folder], server.env);
    expect(stdout).toContain('"bridge"');
    expect(stdout).toContain('contract/1.0.0 vaultdoor-bridge');
  });

  it('tells its client when the server was started again with other tools', async () => {
    const folder = tempFolder(notes);
    const first = await serve(folder);
    const client = await BridgeClient.start({ args: ['--url', first.url] });
    expect(await client.names()).toContain('append_note');
    await first.server.stop();
    const again = { port: first.port, args: ['--read-only'], env: first.server.env };
    const { server } = await serve(folder, again);
    await expect.poll(() => client.told, { timeout: 20_000 }).toBe(1);
    expect(await client.names()).not.toContain('append_note');
    expect(await client.said('read_note', { name: 'A' })).toContain('text of A');
    await server.stop();
  });

  it('comes in with the right key alone', async () => {
    const env = { VAULTDOOR_BRIDGE_TOKEN: 'obsi_0123456789abcdef' };
    const { url, server } = await serve(tempFolder(notes), { env });
    const args = ['--url', url];
    const said = async (key: string): Promise<string> => {
      const client = await BridgeClient.start({ args, env: { OBSIDIAN_MCP_API_KEY: key } });
      return client.said('read_note', { name: 'A' });
    };
    expect(await said('')).toMatch(/^failed: .* answered 401: .*set OBSIDIAN_MCP_API_KEY/);
    expect(await said('obsi_fedcba9876543210')).toMatch(
      /^failed: .* answered 401: .*Check the key/,
    );
    expect(await said(env.VAULTDOOR_BRIDGE_TOKEN)).toContain('text of A');
    await server.stop();
  });

  it('does not keep its server from leaving', async () => {
    const { url, server } = await serve(tempFolder(notes));
    const program = bridgeProcess({ args: ['--url', url] });
    await program.initialize();
    await program.request('tools/list');
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(await program.end()).toEqual({ code: 0, signal: null });
  });
});
