import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { eras } from '../contract/sdk-client.ts';
import { startSdkClient } from '../contract/stdio-door.ts';
import { firstRows } from '../support/counts.ts';
import { StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const uriOf = (path: string): string =>
  `vault:///${path.split('/').map(encodeURIComponent).join('/')}`;

const files = {
  'Sub folder/Ночь.md': '# Ночь\n\n#quiet\n',
  'Plain.md': '# One\n\n## Two\n',
  'Plan.canvas': '{"nodes":[]}',
};

describe.each(firstRows(1, eras))('notes as resources in the era of %s', (era) => {
  it('are listed, have a template, and can be read', async () => {
    const client = await startSdkClient({ folder: tempFolder(files) }, { era });
    const { resources } = await client.listResources();
    const uris = resources.map((resource) => resource.uri);
    expect(uris).toEqual(expect.arrayContaining([uriOf('Sub folder/Ночь.md'), uriOf('Plain.md')]));
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'vault:///{path}' }]);
    for (const uri of [
      uriOf('Sub folder/Ночь.md'),
      uriOf('Sub folder/Ночь.md').replace('r/', 'r%2F'),
    ]) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ text: '# Ночь\n\n#quiet\n', mimeType: 'text/markdown' }]);
    }
    for (const uri of [
      uriOf('Nothing.md'),
      uriOf('../out.md'),
      uriOf('.obsidian/app.json'),
      'file:///etc/passwd',
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toThrow();
    }
    await client.close();
  });

  it('are completed: names, tags, headings and paths', async () => {
    const client = await startSdkClient({ folder: tempFolder(files) }, { era });
    const complete = async (
      ref: object,
      name: string,
      value: string,
      given = {},
    ): Promise<string[]> => {
      const request = { ref, argument: { name, value }, context: { arguments: given } };
      return (await client.complete(request as Parameters<Client['complete']>[0])).completion
        .values;
    };
    const note = { type: 'ref/prompt', name: 'note' };
    expect(await complete(note, 'name', 'пл')).toEqual([]);
    expect(await complete(note, 'name', 'plai')).toEqual(['Plain']);
    expect(await complete(note, 'section', 'T', { name: 'Plain' })).toEqual([
      expect.stringMatching(/Two$/),
    ]);
    expect(await complete({ type: 'ref/prompt', name: 'tagged' }, 'tag', 'qu')).toEqual(['quiet']);
    const paths = await complete({ type: 'ref/resource', uri: 'vault:///{path}' }, 'path', 'Sub');
    expect(paths).toEqual(['Sub folder/Ночь.md']);
    await client.close();
  });

  it('tell their subscribers when a person changes them on disk', async () => {
    const folder = tempFolder(files);
    const client = await startSdkClient({ folder }, { era });
    await client.listResources(); // The index is there: what comes now is news.
    const updates: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri);
    });
    const uri = uriOf('Plain.md');
    const listening =
      era === '2025-11-25'
        ? await client.subscribeResource({ uri }).then(() => undefined)
        : await client.listen({ resourceSubscriptions: [uri] });
    writeFileSync(join(folder, 'Plan.canvas'), '{"nodes":[],"edges":[]}');
    writeFileSync(join(folder, 'Plain.md'), '# One\n\nby hand\n');
    await vi.waitFor(() => expect(updates).toContain(uri), { timeout: 20_000, interval: 50 });
    const heard = updates.length;
    rmSync(join(folder, 'Plain.md'));
    await vi.waitFor(() => expect(updates.length).toBeGreaterThan(heard), {
      timeout: 20_000,
      interval: 50,
    });
    expect(new Set(updates)).toEqual(new Set([uri]));
    if (listening === undefined) await client.unsubscribeResource({ uri });
    else await listening.close();
    await client.close();
  });
});

it('the list holds the 200 latest', async () => {
  const many = Object.fromEntries(
    Array.from({ length: limits.resourcesMax + 20 }, (_, n) => [`n${n}.md`, '']),
  );
  const client = await startSdkClient({ folder: tempFolder(many) }, { era: '2025-11-25' });
  expect((await client.listResources()).resources).toHaveLength(200);
  await client.close();
});

it('a read of nothing has the code of its era', async () => {
  const program = new StdioProcess({ folder: tempFolder() });
  await program.initialize();
  const uri = uriOf('Nothing.md');
  expect(await program.request('resources/read', { uri })).toMatchObject({
    error: { code: -32002 },
  });
  await program.end();
});

it('prompts are listed and filled in', async () => {
  const client = await startSdkClient({ folder: tempFolder(files) }, { era: '2025-11-25' });
  const { prompts } = await client.listPrompts();
  expect(prompts.map((prompt) => prompt.name)).toEqual(
    expect.arrayContaining(['context', 'note', 'tagged']),
  );
  const note = await client.getPrompt({ name: 'note', arguments: { name: 'Plain' } });
  expect(JSON.stringify(note.messages)).toContain('## Two');
  const tagged = await client.getPrompt({ name: 'tagged', arguments: { tag: 'quiet' } });
  expect(JSON.stringify(tagged.messages)).toContain('Ночь');
  await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow();
  await expect(client.getPrompt({ name: 'note' })).rejects.toThrow();
  await client.close();
});
