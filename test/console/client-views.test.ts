import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import { readPageFiles } from '../../src/cli/servers/page-files.ts';
import { type Era, eras } from '../contract/sdk-client.ts';
import { bundle } from '../support/run-cli.ts';
import { stdioEnv } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const views = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/** The SDK's client of the built program over stdio. */
async function connect(era: Era, { capabilities = {}, program = bundle, folder = '' }) {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities,
      ...(era === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: era } } }),
    },
  );
  onTestFinished(() => client.close());
  const env = stdioEnv({ folder });
  const args = [program, 'stdio', '--tools', 'notes,agent'];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }),
  );
  return client;
}

/** The program as the bundle for Claude Desktop has it: without the files of the console. */
function withoutViews(): string {
  const folder = tempFolder();
  const program = join(folder, 'dist', 'vaultdoor.js');
  mkdirSync(dirname(program));
  for (const name of ['vaultdoor.js', 'package.json']) {
    copyFileSync(join(dirname(bundle), name), join(folder, 'dist', name));
  }
  symlinkSync(join(dirname(bundle), '..', 'node_modules'), join(folder, 'node_modules'));
  return program;
}

it.each(eras)(
  'a client of %s that shows views gets them, others the same as before',
  async (era) => {
    const folder = tempFolder({ 'A.md': 'one\n' });
    const [shows, plain, bare] = await Promise.all([
      connect(era, { folder, capabilities: views }),
      connect(era, { folder }),
      connect(era, { folder, capabilities: views, program: withoutViews() }),
    ]);
    const [{ tools }, others, without] = await Promise.all([
      shows.listTools(),
      plain.listTools(),
      bare.listTools(),
    ]);
    const stripped = tools.map(({ _meta, ...tool }) => tool);
    expect(tools.filter(({ _meta }) => _meta !== undefined)).toHaveLength(5);
    expect(JSON.stringify(stripped)).toBe(JSON.stringify(others.tools));
    expect(JSON.stringify(without.tools)).toBe(JSON.stringify(others.tools));
    for (const name of ['changes', 'find']) {
      const { contents } = await shows.readResource({ uri: `ui://vaultdoor/${name}` });
      const [page] = contents;
      const html = page !== undefined && 'text' in page ? page.text : '';
      expect([html.slice(0, 15), html.slice(-8)]).toEqual(['<!doctype html>', '</html>\n']);
      // All that it needs is inside.
      expect(/<(script|link|img|iframe)\b[^>]*(src|href)=/.test(html)).toBe(false);
      expect(html.includes("default-src 'none'; script-src 'sha256-")).toBe(true);
    }
    await expect(plain.readResource({ uri: 'ui://vaultdoor/find' })).rejects.toThrow();
    const listed = await shows.listResources();
    expect(listed.resources.map(({ uri }) => uri)).toEqual(['vault:///A.md']);
    const call = { name: 'search_notes', arguments: { query: 'one' } };
    const answer = await shows.callTool(call);
    expect(answer).not.toHaveProperty('structuredContent');
    expect(answer.content).toHaveLength(1);
  },
);

it('the page of the console does not serve them', async () => {
  const files = await readPageFiles(bundle);
  expect([...(files?.keys() ?? [])].filter((name) => name.includes('/'))).toEqual([]);
});
