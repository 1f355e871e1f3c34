import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const folder = fileURLToPath(new URL('../.claude/skills', import.meta.url));
const entries = readdirSync(folder, { withFileTypes: true });
const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
const textIn = (path: string): string => readFileSync(join(folder, path), 'utf8');

test('the skills are those of the seed', () => {
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  expect(names.sort()).toEqual(['adr', 'devlog']);
  expect(files.sort()).toEqual(['adr.md', 'devlog.md']);
});

test.each(names)('%s is one that Claude Code finds, and the same in both places', (name) => {
  const text = textIn(`${name}/SKILL.md`);
  const [, properties = ''] = /^---\n(.*?)\n---\n\n# /s.exec(text) ?? [];
  expect(parse(properties)).toEqual({ name, description: expect.stringMatching(/^.{20,1024}$/) });
  expect(name).toMatch(/^[a-z0-9-]{1,64}$/);
  expect(textIn(`${name}.md`)).toBe(text);
});
