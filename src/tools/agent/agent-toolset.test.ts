import { describe, expect, it, vi } from 'vitest';
import { agentCalls } from '../../../test/contract/agent-calls.ts';
import { save } from '../../../test/support/change-records.ts';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { undoChanges } from '../../engine/operations/history/undo-changes.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { createService } from '../service/service.ts';
import { agentToolset } from './agent-toolset.ts';
import { dayOf } from './conventions.ts';

const toolset = agentToolset({ sync: true, publish: true });
const effects = ['read', 'write', 'destroy'] as const;

/** What seed 004 names; a new tool does not come here. */
const seedTools =
  'note_read note_upsert note_delete vault_search link_add backlinks_search graph_neighbors vault_sync adr_publish';

describe('the list of tools', () => {
  it('is that of test/contract/agent-calls.ts, in that order', () => {
    expect(toolset.tools.map(({ name, effect }) => ({ tool: name, effect }))).toEqual(
      agentCalls.map(({ tool, effect }) => ({ tool, effect })),
    );
    const ofSeed = agentCalls.filter(({ isOfSeed }) => isOfSeed).map(({ tool }) => tool);
    expect(ofSeed.join(' ')).toBe(seedTools);
  });

  it('leaves out what is not set up', () => {
    const bare = agentToolset({ sync: false, publish: false }).tools.map(({ name }) => name);
    expect(bare).not.toContain('vault_sync');
    expect(bare).not.toContain('adr_publish');
    expect(bare).toHaveLength(toolset.tools.length - 2);
  });

  it('has a schema of arguments and of results for each, and says what leaves the vault', async () => {
    const { whole } = await openWrittenVault({});
    const listed = createService(whole, [toolset], nodeTimers).list(effects);
    for (const tool of listed) {
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object' });
      expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' });
    }
    expect(listed[0]?.outputSchema).toMatchObject({
      type: 'object',
      properties: { content: { type: 'string' }, exists: { type: 'boolean' } },
      required: ['content', 'exists'],
    });
    expect(listed.flatMap(({ name, openWorld }) => (openWorld ? [name] : []))).toEqual([
      'vault_sync',
      'adr_publish',
    ]);
  });

  it('shows the properties of a new note as an object that may be left out', async () => {
    const { whole } = await openWrittenVault({});
    const listed = createService(whole, [toolset], nodeTimers).list(effects);
    const { inputSchema } = listed.find(({ name }) => name === 'note_upsert') ?? {};
    expect(inputSchema).toMatchObject({
      properties: { frontmatter: { type: 'object' } },
      required: ['path', 'content'],
    });
  });
});

it('offers prompts that say to write only to those who may', async () => {
  const { whole } = await openWrittenVault({});
  const service = createService(whole, [toolset], nodeTimers);
  expect(service.prompts(['read'])).toEqual([]);
  const names = service.prompts(['read', 'write']).map(({ name }) => name);
  expect(names).toEqual(['devlog', 'adr']);
});

describe('several vaults', () => {
  it('are named in schemas and in results', async () => {
    const one = await openWrittenVault({ 'a.md': 'in one' }, { parts: { name: 'one' } });
    const two = await openWrittenVault({ 'b.md': 'in two' }, { parts: { name: 'two' } });
    const service = createService([one.whole, two.whole], [toolset], nodeTimers);
    const [read] = service.list(effects);
    expect(read?.inputSchema).toMatchObject({ properties: { vault: { type: 'string' } } });
    expect(read?.outputSchema).toMatchObject({ properties: { vault: { type: 'string' } } });
    const outcome = await service.call('note_read', { path: 'b.md' }, testCaller());
    expect(outcome).toMatchObject({
      ok: true,
      structured: { vault: 'two', content: 'in two', exists: true },
    });
    expect(await service.call('note_read', { path: 'c.md' }, testCaller())).toEqual({
      ok: true,
      value: { content: '', exists: false },
      structured: { content: '', exists: false },
      content: [{ type: 'text', text: '{"content":"","exists":false}' }],
    });
    expect(await service.call('note_delete', { path: 'b' }, testCaller())).toMatchObject({
      ok: true,
      structured: { deleted: false },
    });
    expect(await service.call('backlinks_search', { path: 'b' }, testCaller())).toMatchObject({
      error: { code: 'not_found' },
    });
  });
});

describe('a change', () => {
  it.each<[string, string, object]>([
    ['a note that was made', 'note_upsert', { path: 'new/x.md', content: 'x' }],
    ['a text that was appended', 'note_upsert', { path: 'a.md', content: 'more' }],
    ['a note that was deleted', 'note_delete', { path: 'a.md' }],
    ['a decision', 'adr_create', { title: 'T', content: 'x' }],
    ['an entry of a new devlog', 'devlog_append', { topic: 'T', entry: 'x' }],
    ['an entry of a devlog', 'devlog_append', { topic: 'old', entry: 'x' }],
    ['a link that was added', 'link_add', { from: 'a.md', to: 'b.md' }],
  ])('can be taken back by anyone who has undo: %s', async (_name, tool, args) => {
    const files = {
      'a.md': 'A\n',
      'b.md': 'B\n',
      'devlog/Old.md': '---\nupdated: 2020-01-01\n---\n# Old',
      '_index.md': '| ADR |\n|---|\n',
    };
    const agent = await openToolset(files, toolset);
    expect((await agent.call(tool, args)).ok).toBe(true);
    expect(agent.files()).not.toEqual(files);
    await agent.change(undoChanges, { last: 1 });
    expect(agent.files()).toEqual(files);
  });

  it('gives a decision the next number, also when another process takes one meanwhile', async () => {
    const agent = await openToolset({ 'adr/ADR-001-first.md': '' }, toolset);
    const { disk } = agent;
    const { list } = disk;
    const spy = vi.spyOn(disk, 'list').mockImplementation(async (folder) => {
      const entries = await list(folder);
      if (String(folder) !== 'adr' || disk.paths().length > 1) return entries;
      const path = vaultPath('adr/ADR-002-theirs.md');
      disk.replace(path, 'theirs');
      await save(agent.whole.parts.state, { path, before: undefined, after: 'theirs' });
      return entries;
    });
    const { structured } = await agent.call('adr_create', { title: 'Ours', content: 'x' });
    expect(structured).toMatchObject({ adr: 3, path: 'adr/ADR-003-ours.md' });
    spy.mockRestore();
    expect(await agent.indexFaults()).toEqual([]);
  });

  it('is recorded with its path and never with its text', async () => {
    const agent = await openToolset({}, toolset);
    await agent.call('note_upsert', { path: 'x.md', content: 'secret', frontmatter: { k: 'v' } });
    const { items } = await agent.whole.parts.state.changes({}, { limit: 1, offset: 0 });
    const [change] = items;
    expect(change).toMatchObject({ tool: 'note_upsert', args: { path: 'x.md' } });
    expect(JSON.stringify(change)).not.toContain('secret');
  });
});

describe('adr_create', () => {
  const files = { 'adr/ADR-001-a.md': 'a', 'adr/ADR-004-secret.md': 'b', 'Other.md': 'c' };
  const args = { title: 'T', content: 'x' };

  it('does not give the number of a hidden record again, and names none', async () => {
    const agent = await openToolset(files, toolset);
    const scopes = { ...allScopes, hide: ['adr/ADR-004*'] };
    const { structured, text } = await agent.call('adr_create', args, { scopes });
    expect(structured).toMatchObject({ path: 'adr/ADR-005-t.md', adr: 5 });
    expect(text).not.toContain('secret');
    expect((await agent.call('adr_create', args)).structured).toMatchObject({ adr: 6 });
  });

  it('says nothing of the folder to a client from which all of it is hidden', async () => {
    const agent = await openToolset(files, toolset);
    const scopes = { ...allScopes, hide: ['adr/**'] };
    const { ok, text } = await agent.call('adr_create', args, { scopes });
    expect(ok).toBe(false);
    expect(text).not.toMatch(/00[45]/);
  });
});

describe('devlog_append', () => {
  it.each([
    ['a heading in an entry', '## Open ends\n\nx'],
    ['a heading in a code block', '```\n## 2020-01-01\n```'],
    ['a smaller heading', '### Details'],
  ])('writes the heading of a day once, also after %s', async (_name, first) => {
    const agent = await openToolset({}, toolset);
    await agent.call('devlog_append', { topic: 'T', entry: first });
    await agent.call('devlog_append', { topic: 'T', entry: 'second' });
    const [, date] = /\n## (\d{4}-\d\d-\d\d)\n/.exec(agent.text('devlog/t.md')) ?? [];
    expect(agent.text('devlog/t.md')).toMatch(
      new RegExp(`# T\\n\\n## ${date}\\n\\n${first}\\n\\nsecond\\n$`),
    );
  });

  it('begins a new day after an old one, and where the date of today is only in a code block', async () => {
    const date = dayOf(memoryDisk({}).clock.nowMs());
    const old = `# T\n\n## 2020-01-01\n\n\`\`\`\n## ${date}\n\`\`\`\n`;
    const agent = await openToolset({ 'devlog/t.md': old }, toolset);
    await agent.call('devlog_append', { topic: 'T', entry: 'second' });
    expect(agent.text('devlog/t.md')).toBe(`${old}\n## ${date}\n\nsecond\n`);
  });
});

describe('the arguments of note_upsert', () => {
  it.each([
    ['an object', { a: 1 }, '---\na: 1\n---\nx\n'],
    ['its JSON', '{"a":1}', '---\na: 1\n---\nx\n'],
    ['nothing', null, 'x\n'],
    ['an empty object', {}, 'x\n'],
  ])('take %s as properties', async (_name, frontmatter, expected) => {
    const agent = await openToolset({}, toolset);
    expect(
      await agent.call('note_upsert', { path: 'x.md', content: 'x', frontmatter }),
    ).toMatchObject({ structured: { created: true } });
    expect(agent.text('x.md')).toBe(expected);
  });

  it.each(['text', '[1]', 5])('refuse %j as properties', async (frontmatter) => {
    const agent = await openToolset({}, toolset);
    const answer = await agent.call('note_upsert', { path: 'x.md', content: 'x', frontmatter });
    expect(answer).toMatchObject({ ok: false, code: 'invalid_input' });
    expect(answer.text).toContain('frontmatter');
  });

  it('refuse properties for what is no note', async () => {
    const agent = await openToolset({}, toolset);
    const args = { path: 'x.base', content: 'x', frontmatter: { a: 1 } };
    expect(await agent.call('note_upsert', args)).toMatchObject({ code: 'invalid_input' });
  });
});

describe('backlinks_search', () => {
  it('shows the part of a long line that has the link', async () => {
    const long = `${'x'.repeat(5_000)} [[a]] ${'y'.repeat(5_000)}`;
    const agent = await openToolset({ 'a.md': '', 'b.md': long }, toolset);
    const { structured } = await agent.call('backlinks_search', { path: 'a.md' });
    expect(structured).toMatchObject({ total: 1, truncated: false });
    const [{ text }] = (structured as { backlinks: [{ text: string }] }).backlinks;
    expect(text).toContain('[[a]]');
    expect(text.length).toBeLessThanOrEqual(502);
  });

  it('finds links in canvases and properties too, each with its line', async () => {
    const agent = await openToolset(
      {
        'a.md': '',
        'b.md': '---\nup: "[[a]]"\n---\n[[a]] and [[a|again]]\n',
        'c.canvas': '{"nodes":[\n{"id":"1","type":"file","file":"a.md"}\n]}',
      },
      toolset,
    );
    const { structured } = await agent.call('backlinks_search', { path: 'a.md' });
    const { backlinks, total } = structured as {
      total: number;
      backlinks: { path: string; line: number }[];
    };
    expect(backlinks.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'b.md:2',
      'b.md:4',
      'b.md:4',
      'c.canvas:2',
    ]);
    expect(total).toBe(4);
  });

  it('says that it left some out', async () => {
    const agent = await openToolset({ 'a.md': '', 'b.md': '[[a]]\n'.repeat(700) }, toolset);
    const { structured } = await agent.call('backlinks_search', { path: 'a.md' });
    expect(structured).toMatchObject({ total: 700, truncated: true });
  });
});

describe('graph_neighbors', () => {
  it('leaves no edge without its nodes when the answer is full', async () => {
    const links = Array.from({ length: 400 }, (_, n) => `${'long name '.repeat(10)}${n}`);
    const files = Object.fromEntries(links.map((name) => [`${name}.md`, '']));
    const all = links.map((name) => `[[${name}]]`).join('\n');
    const agent = await openToolset({ ...files, 'hub.md': all }, toolset);
    const { structured, text } = await agent.call('graph_neighbors', {
      path: 'hub.md',
      limit: 500,
    });
    const { nodes, edges, truncated } = structured as {
      nodes: { path: string }[];
      edges: { from: string; to: string }[];
      truncated: boolean;
    };
    const shown = new Set(nodes.map(({ path }) => path));
    expect(edges.every(({ from, to }) => shown.has(from) && shown.has(to))).toBe(true);
    expect(truncated).toBe(true);
    expect(text.length).toBeLessThanOrEqual(40_000);
  });
});
