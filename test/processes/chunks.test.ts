import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { asBody, chunksOf, inAscii } from '../../scripts/chunks.mjs';
import { runCli } from '../support/run-cli.ts';
import { stdioEnv } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const shared = { 'b.js': 'import { value } from "./shared.js"; console.log(value);' };

/** Two pieces of a program that share a third. */
function build(files: Readonly<Record<string, string>>) {
  const absWorkingDir = tempFolder({ ...shared, ...files });
  return chunksOf('a.js', { absWorkingDir, logLevel: 'silent' });
}

const main = 'import { value } from "./shared.js"; console.log(value); import("./b.js");';

describe('a program in pieces', () => {
  it('is one function for each', async () => {
    const { chunks, main: name } = await build({
      'a.js': main,
      'shared.js': 'export const value = 1;',
    });
    expect(chunks).toHaveLength(3);
    expect(chunks.map((chunk) => chunk.name)).toContain(name);
    for (const { code } of chunks) new Script(`(function(require){${code}})`);
  });

  it.each([
    ['a text that looks like an import', 'export const value = `;import"./y";`;'],
    ['another that does', 'export const value = `}import{x}from"./y"`;'],
    [
      'what is exported and changes later',
      'export let value = 1; setTimeout(() => { value = 2; });',
    ],
    ['a counter', 'export let value = 1; setInterval(() => value++);'],
    ['what is set once it is known', 'export let value; setTimeout(() => { value ??= 2; });'],
  ])('is refused with %s', async (_, text) => {
    await expect(build({ 'a.js': main, 'shared.js': text })).rejects.toThrow();
  });

  it.each(['this is no program', 'import "./missing.js"', 'const a = 1; a = 2;'])(
    'is refused where it is none: %s',
    async (text) => {
      await expect(build({ 'a.js': text })).rejects.toThrow();
    },
  );

  it('is what esbuild says it is', () => {
    const text = 'import{a as b}from"./c.js";var d=b;export{d as e};';
    expect(asBody(text, { imports: ['./c.js'], exports: ['e'] })).toBe(
      '"use strict";var {a:b}=require("./c.js");var d=b;;return {e:d}',
    );
    for (const told of [
      { imports: [], exports: ['e'] },
      { imports: ['./c.js', './c.js'], exports: ['e'] },
      { imports: ['./c.js'], exports: ['d'] },
    ]) {
      expect(() => asBody(text, told)).toThrow('does not understand');
    }
  });
});

describe('text beyond ASCII', () => {
  it('is escaped in regular expressions, where that means the same', () => {
    expect(inAscii('/[é-ü]|😀/u')).toBe('/[\\u00e9-\\u00fc]|\\ud83d\\ude00/u');
    expect(inAscii('/\\\\é/')).toBe('/\\\\\\u00e9/');
  });

  it.each(['/\\é/', '/a\\\\\\é/', 'String.raw`é`'])('is refused where it does not: %s', (text) => {
    expect(() => inAscii(text)).toThrow('beyond ASCII');
  });

  it('works in the program that was built', async () => {
    const folder = tempFolder({
      'Книги.md': 'Вчера я читал эту книгу и ёлку видел.\n',
      '日本.md': '東京タワーへ行きました。\n',
      'Cafe.md': 'Un café crème.\n',
    });
    const env = stdioEnv({ folder });
    const found = async (query: string) => (await runCli(['search', query], env)).stdout;
    expect(await found('книга')).toContain('Книги.md');
    expect(await found('елка')).toContain('Книги.md');
    expect(await found('東京')).toContain('日本.md');
    expect(await found('creme')).toContain('Cafe.md');
    const { stderr, code } = await runCli(['create', 'com¹', '--content', 'x'], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('com¹')]);
  });
});
