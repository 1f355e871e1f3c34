import { describe, expect, it } from 'vitest';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { createService } from '../service/service.ts';
import { agentToolset } from './agent-toolset.ts';

const date = '2026-02-20';

/** A vault on a day, and the calls that a prompt tells to make in it. */
async function agentOn(files: Readonly<Record<string, string>>) {
  const clock = { nowMs: () => new Date(`${date}T12:00:00`).getTime() };
  const vault = await openWrittenVault(files, { parts: { clock } });
  const toolset = agentToolset({ sync: false, publish: false });
  const service = createService(vault.whole, [toolset], nodeTimers);
  const prompt = (name: string, args: Readonly<Record<string, string>>) =>
    service.prompt(name, args, testCaller());
  return {
    ...vault,
    prompt,
    /** Does what the prompt says, to the letter. */
    async follow(name: string, args: Readonly<Record<string, string>>): Promise<void> {
      const text = await prompt(name, args);
      for (const [, json = ''] of text.matchAll(/```json\n(.*?)\n```/gs)) {
        const outcome = await service.call('note_upsert', JSON.parse(json), testCaller());
        expect(outcome.ok, json).toBe(true);
      }
    },
  };
}

it.each([
  ['devlog', { topic: 'T', vault: 'two' }],
  ['adr', { title: 'T', vault: 'two' }],
])(
  'where there are several vaults, the calls of the prompt "%s" name theirs',
  async (name, args) => {
    const one = await openWrittenVault({}, { parts: { name: 'one' } });
    const two = await openWrittenVault({}, { parts: { name: 'two' } });
    const toolset = agentToolset({ sync: false, publish: false });
    const service = createService([one.whole, two.whole], [toolset], nodeTimers);
    const text = await service.prompt(name, args, testCaller());
    for (const { groups } of text.matchAll(/```json\n(?<json>.*?)\n```/gs)) {
      const args = JSON.parse(groups?.['json'] ?? '');
      expect(await service.call('note_upsert', args, testCaller())).toMatchObject({ ok: true });
    }
    expect(Object.keys(one.files())).toEqual([]);
    expect(Object.keys(two.files())).not.toEqual([]);
  },
);

describe('the prompt "devlog"', () => {
  it('makes the note of a topic, and then appends to it', async () => {
    const agent = await agentOn({});
    await agent.follow('devlog', { topic: 'Index Cache', project: 'vaultdoor', entry: 'Begun.' });
    await agent.follow('devlog', { topic: 'index cache', entry: 'Done.' });
    expect(agent.text('devlog/index-cache.md')).toBe(
      [
        '---\ntags:\n  - devlog\ntopic: index-cache\nproject: vaultdoor',
        `created: '${date}'\nupdated: '${date}'\n---`,
        `# Index Cache\n\n## ${date}\n\nBegun.\n\n## ${date}\n\nDone.\n`,
      ].join('\n'),
    );
  });

  it('finds a note whose name or folder is written in another case', async () => {
    const agent = await agentOn({ 'Devlog/Index-Cache.md': '# Index cache\n' });
    await agent.follow('devlog', { topic: 'Index cache', entry: 'More.' });
    await agent.follow('devlog', { topic: 'Other', entry: 'New.' });
    expect(Object.keys(agent.files()).sort()).toEqual(['Devlog/Index-Cache.md', 'Devlog/other.md']);
  });
});

describe('the prompt "adr"', () => {
  it('numbers decisions, and keeps their table whole', async () => {
    const agent = await agentOn({});
    await agent.follow('adr', { title: 'First one', project: 'p' });
    await agent.follow('adr', { title: 'Zweite Größe', project: 'p', status: 'Proposed' });
    expect(Object.keys(agent.files()).sort()).toEqual([
      '_index.md',
      'adr/ADR-001-first-one.md',
      'adr/ADR-002-zweite-größe.md',
    ]);
    expect(agent.text('_index.md')).toBe(
      [
        '# Decisions\n',
        '| ADR | Title | Status | Date | Project |',
        '| --- | --- | --- | --- | --- |',
        `| [[ADR-001-first-one]] | First one | accepted | ${date} | p |`,
        `| [[ADR-002-zweite-größe]] | Zweite Größe | proposed | ${date} | p |`,
      ].join('\n'),
    );
    expect(agent.text('adr/ADR-002-zweite-größe.md')).toContain(
      `---\ntags:\n  - adr\n  - proposed\nadr: 2\ndate: '${date}'\nstatus: proposed\nproject: p\nrelated: []\n---\n# ADR-002: Zweite Größe\n\n## Context\n`,
    );
  });

  it.each([
    ['empty', '', ''],
    [
      'a table that is closed',
      '| # | Title |\n|---|---|\n| 1 | A |\n',
      '| # | Title |\n|---|---|\n| 1 | A |\n',
    ],
    ['a text without a line end', 'Text', 'Text\n'],
  ])('begins a table of its own below an index that is %s', async (_name, index, start) => {
    const agent = await agentOn({ '_index.md': index });
    await agent.follow('adr', { title: 'One', project: 'p' });
    await agent.follow('adr', { title: 'Two', project: 'p' });
    const text = agent.text('_index.md');
    expect(text.startsWith(`${start}\n| `)).toBe(true);
    const rows = text.slice(start.length + 1).split('\n');
    expect(rows).toHaveLength(4);
    expect(rows.every((row) => row.startsWith('| '))).toBe(true);
  });

  it('says to fill in the project wherever it is not known', async () => {
    const agent = await agentOn({});
    const text = await agent.prompt('adr', { title: 'T' });
    const calls = text.split('```json').slice(1);
    const unknown = calls.filter((call) => /<[a-z]/.test(call));
    expect(unknown).not.toEqual([]);
    for (const each of unknown) {
      expect(each).toContain('Replace what stands in angle brackets');
    }
  });

  it.each([
    ['none', [], 'ADR-001'],
    ['gaps, which stay', ['ADR-001-a.md', 'ADR-009-b.md'], 'ADR-010'],
    ['any case and other files', ['adr-3.md', 'Notes.md', 'ADR-x.md', 'ADR-40.txt'], 'ADR-004'],
    ['a thousand', ['ADR-999-z.md'], 'ADR-1000'],
  ])('goes on from the highest number: %s', async (_name, names, next) => {
    const agent = await agentOn(Object.fromEntries(names.map((name) => [`adr/${name}`, ''])));
    expect(await agent.prompt('adr', { title: 'T' })).toContain(`"adr/${next}-t.md"`);
  });

  it.each([
    ['a status there is not', { title: 'T', status: 'rejected' }, 'accepted'],
    ['a title of signs alone', { title: '?!' }, 'letter or digit'],
    ['no title', {}, '"title"'],
  ])('refuses %s', async (_name, args, says) => {
    const agent = await agentOn({});
    await expect(agent.prompt('adr', args as Record<string, string>)).rejects.toThrow(says);
  });

  it('keeps a title of several lines on one', async () => {
    const agent = await agentOn({});
    const text = await agent.prompt('adr', { title: 'A\n\nIgnore this' });
    expect(text.split('\n')[0]).toContain('"A Ignore this"');
  });
});
