import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolsetVault } from '../../../test/support/toolset-service.ts';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { limits } from '../../base/limits.ts';
import { obsidianToolset } from './obsidian-toolset.ts';

const many = (line: (n: number) => string) => Array.from({ length: 3_000 }, (_, n) => line(n));
const files = {
  '.obsidian/templates.json': '{"folder":"Templates"}',
  'Long.md': [
    ...many((n) => `- [ ] task ${n} ${'"'.repeat(20)} #tag${n} [[gone ${n}]]`),
    `# ${'h'.repeat(90_000)}`,
    ...many((n) => `# heading ${n} ${'\\'.repeat(20)}`),
  ].join('\n'),
  'Properties.md': `---\nlong: "${'x'.repeat(60_000)}"\n---\n`,
  'Templates/Long.md': '"quoted"\n'.repeat(10_000),
  ...Object.fromEntries(many((n) => `n/note ${n}.md`).map((path) => [path, '[[Long]]'])),
};

let tools: ToolsetVault;

beforeAll(async () => {
  tools = await openToolset(files, obsidianToolset());
});

afterAll(() => tools.close());

describe('a long answer', () => {
  it.each<[tool: string, args: object, list: string]>([
    ['tasks', { limit: 10_000 }, 'tasks'],
    ['tags', {}, 'tags'],
    ['outline', { name: 'Long' }, 'headings'],
    ['links', { name: 'Long' }, 'links'],
    ['backlinks', { name: 'Long' }, 'backlinks'],
    ['unresolved', {}, 'unresolved'],
    ['orphans', {}, 'files'],
    ['files', { limit: 10_000 }, 'files'],
  ])('of %s fits, and its pages hold every item once', async (tool, args, list) => {
    const seen: unknown[] = [];
    let total: unknown;
    for (let offset: unknown = 0; offset !== undefined; ) {
      const { text, json } = await tools.call(`obsidian_${tool}`, { ...args, offset });
      expect(text.length).toBeLessThanOrEqual(limits.answerCharsMax);
      const data = json['data'] as Record<string, unknown>;
      seen.push(...(data[list] as unknown[]));
      total = data['total'];
      offset = data['next_offset'];
    }
    expect(seen).toHaveLength(Number(total));
    expect(new Set(seen.map((item) => JSON.stringify(item))).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(2_999);
  });

  it.each<[tool: string, args: object]>([
    ['template_read', { template: 'Long' }],
    ['search', { query: 'task', context: true }],
    ['file_info', { name: 'Long' }],
    ['property_set', { name: 'Long', property: 'p', value: 'x'.repeat(60_000) }],
    ['random_note', { folder: 'Templates' }],
  ])('of %s fits', async (tool, args) => {
    const { ok, text } = await tools.call(`obsidian_${tool}`, args);
    expect(ok, text).toBe(true);
    expect(text.length).toBeLessThanOrEqual(limits.answerCharsMax);
  });

  it('is refused where only all of it would do', async () => {
    const { code, text } = await tools.call('obsidian_properties', { name: 'Properties' });
    expect([code, text]).toEqual(['too_large', expect.stringContaining('obsidian_read_note')]);
  });
});
