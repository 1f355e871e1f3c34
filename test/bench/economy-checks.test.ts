import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { economyTable, type Result } from '../../bench/economy/economy-table.ts';
import { filledTemplate, mapOf } from '../../bench/economy/script.ts';
import { difference, tasks } from '../../bench/economy/tasks.ts';
import {
  changedSince,
  linksIn,
  notesWithWord,
  openTasksDueBefore,
  pathOf,
  sectionOf,
  sourcesOf,
  tagUses,
} from '../../bench/economy/vault-facts.ts';
import type { World } from '../../bench/economy/world.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('the counts that judge answers', () => {
  it('find open tasks by their dates', () => {
    const folder = tempFolder({
      'a.md':
        '- [ ] one 📅 2024-12-31\n- [x] done 📅 2024-01-01\n> 1. [ ] quoted [due:: 2023-05-05]\n',
      'b.md':
        '```\n- [ ] code 📅 2020-01-01\n```\n- [ ] late 📅 2025-01-01\n- [ ] no such day 📅 2023-02-30\n- [ ] (  due::2024-02-29)\n',
    });
    expect(openTasksDueBefore(folder, '2025-01-01')).toEqual([
      'a.md:1',
      'a.md:3',
      'b.md:5',
      'b.md:6',
    ]);
  });

  it('find a tag with those nested under it, and nothing in code', () => {
    const folder = tempFolder({
      'a.md': '---\ntags: [where, other]\n---\n#where/home and `#where` and #whereabouts\n',
      'b.md': '---\ntags:\n  - where/work\n---\n```\n#where\n```\nno #tag\n',
      'c.md': '#nowhere a#where\n',
    });
    expect(tagUses(folder, 'where').map((use) => use.slice(0, 4))).toEqual([
      'a.md',
      'a.md',
      'b.md',
    ]);
  });

  it('follow links by name, by path and relative ones', () => {
    const folder = tempFolder({
      'Home.md': '[[Log]] [[b/Log|other]] [[none]] `[[a/Log]]` [x](a/Log.md#top) ![[pic.png]]\n',
      'a/Log.md': '[[#Top]]\n',
      'b/Log.md': '| [[Home\\|start]] |\n',
      'pic.png': '',
      'c.canvas': '{"nodes":[{"type":"file","file":"b/Log.md"}]}',
    });
    expect(
      linksIn(folder)
        .get('Home.md')
        ?.map(({ target }) => target),
    ).toEqual(['a/Log.md', 'b/Log.md', undefined, 'a/Log.md', 'pic.png']);
    expect(sourcesOf(folder, 'b/Log.md')).toEqual(['Home.md', 'c.canvas']);
    expect(sourcesOf(folder, 'Home.md')).toEqual(['b/Log.md']);
    expect([pathOf(folder, 'Home'), pathOf(folder, 'Log')]).toEqual(['Home.md', 'Log']);
  });

  it('cut a section, count words, and look at times', () => {
    expect(sectionOf('# A\n## B\n\nb\n### C\nc\n```\n## no\n```\n## D\n', 'B')).toBe(
      'b\n### C\nc\n```\n## no\n```',
    );
    const folder = tempFolder({ 'a.md': 'Word, words', 'b.md': 'words' });
    expect(notesWithWord(folder, 'word')).toEqual(['a.md']);
    const old = new Date('2020-01-01');
    utimesSync(join(folder, 'a.md'), old, old);
    expect([...changedSince(folder, Date.now() - 60_000).keys()]).toEqual(['b.md']);
    expect(difference(['a', 'b'], ['b', 'a'])).toBeUndefined();
    expect(difference(['a'], ['b'])).toContain('1 missing, 1 wrong');
  });
});

describe('the checks of single tasks', () => {
  const today = '2026-11-17';
  const check = (id: string, folder: string): string | undefined => {
    const world = { folders: { example: folder }, today } as unknown as World;
    return tasks.find((task) => task.id === id)?.check(world, []);
  };

  it('see a template that was filled in, and one that was not', () => {
    const template =
      '---\ndate: "{{date}}"\nstart: "{{date:YYYY-MM-DD}}T{{time:HH:mm:ss}}"\n---\n# {{title}}\n';
    const path = 'Meetings/2026-11-20 Greenhouse walk.md';
    const folder = tempFolder({ [path]: template });
    expect(check('11', folder)).toBe('no date');
    const values = { title: '2026-11-20 Greenhouse walk', today };
    writeFileSync(join(folder, path), filledTemplate(template, values));
    expect(check('11', folder)).toBeUndefined();
    rmSync(join(folder, path));
    expect(check('11', folder)).toBe('there is no note');
  });

  it('see a daily note in its folder with heading, tag and text', () => {
    const head = '---\ndate: "{{date:YYYY-MM-DD}}"\ntags:\n  - daily\n---\n';
    const template = `${head}# {{date:dddd, D MMMM YYYY}}\n`;
    const text = filledTemplate(template, { title: today, today });
    expect(text).toContain('# Tuesday, 17 November 2026');
    const folder = tempFolder({ [`Daily/${today}.md`]: text });
    expect(check('03', folder)).toBe('the text is missing');
    const whole = `${text}\nCalled the water board about the gauges.\n`;
    writeFileSync(join(folder, `Daily/${today}.md`), whole);
    expect(check('03', folder)).toBeUndefined();
  });

  it('link by the path where the name may not be enough', () => {
    expect(mapOf(['A', 'x/B.md'])).toBe('- [[A]]\n- [[x/B|B]]');
  });
});

describe('the table', () => {
  const result = (calls: number, bytes: number, wrong?: string): Result => ({
    cost: { calls, bytes, tokens: 1, failed: 0, context: 0 },
    wrong,
  });
  const fixed = { tools: 2, listBytes: 100, instructionBytes: 10, tokens: 5 };

  it('says where a right peer is cheaper or needs fewer calls; a wrong one does not count', () => {
    const three = tasks.slice(0, 3);
    const said = economyTable(three, [
      { name: 'ours', fixed, results: resultsOf([result(2, 50), result(1, 70), result(1, 9)]) },
      { name: 'peer', fixed, results: resultsOf([result(1, 60), result(1, 30), undefined]) },
      {
        name: 'other',
        fixed,
        results: resultsOf([result(1, 1, 'x'), result(1, 1, 'x'), undefined]),
      },
    ]);
    expect(said).toContain('Right: 3 of 3.');
    expect(said).toContain('Fewest bytes in 2 of 3');
    expect(said).toContain('02 by 40 (peer).');
    expect(said).toContain('More calls than a right peer: 01 (peer).');
    expect(said).toContain('| 4/239/8 |'); // All, with the list and the instructions.
  });

  function resultsOf(results: readonly (Result | undefined)[]) {
    return new Map(results.map((each, index) => [`0${index + 1}`, each]));
  }
});
