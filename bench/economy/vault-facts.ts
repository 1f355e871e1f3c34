import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize, relative, sep } from 'node:path';

// Facts about a vault, counted with plain regular expressions. None of Vaultdoor's own code is used
// here: these counts judge its answers.

/** Files of a vault with one of these extensions, without those in dot folders, sorted. */
export function filesIn(folder: string, extensions = ['.md']): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && extensions.some((each) => entry.name.endsWith(each)))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((name) => name.startsWith('.')))
    .sort();
}

export function textOf(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

/** The lines of a text, with those of fenced code blocks and of comments emptied. */
export function plainLines(text: string): string[] {
  let fence: string | undefined;
  return text.split(/\r?\n/).map((line) => {
    const mark = /^[\s>]*(`{3,}|~{3,})(.*)$/.exec(line);
    const [, ticks = '', info = ''] = mark ?? [];
    if (fence === undefined) {
      if (mark === null || (ticks.startsWith('`') && info.includes('`'))) return line;
      fence = ticks;
    } else if (ticks.startsWith(fence) && info.trim() === '') fence = undefined;
    return '';
  });
}

const task = /^[\s>]*(?:[-*+]|\d+[.)])\s+\[(.)\]\s/u;
const due = /(?:📅|📆|🗓)\uFE0F?\s*(\d{4}-\d\d-\d\d)|[[(] *due:: *(\d{4}-\d\d-\d\d)/u;

/**
 * Tasks with an empty box that are due before a date, as `path:line`, from 1. Dates are compared as
 * they are written, also those that no calendar has.
 */
export function openTasksDueBefore(folder: string, date: string): string[] {
  return filesIn(folder).flatMap((path) =>
    plainLines(textOf(folder, path)).flatMap((line, index) => {
      const [, status] = task.exec(line) ?? [];
      const [, emoji, field] = due.exec(line) ?? [];
      const day = emoji ?? field;
      if (day === undefined || day >= date) return [];
      return status === ' ' ? [`${path}:${index + 1}`] : [];
    }),
  );
}

/** Where a tag or one nested under it is written, outside of code: `path: text`. */
export function tagUses(folder: string, tag: string): string[] {
  const inText = new RegExp(`(?:^|[\\s(\\[,])#${tag}(?![\\w-])`, 'iu');
  const inList = new RegExp(
    `^\\s*-?\\s*["']?#?${tag}(?:/|["']?\\s*$)|[[,]\\s*["']?${tag}(?![\\w-])`,
    'iu',
  );
  return filesIn(folder).flatMap((path) => {
    const text = textOf(folder, path);
    const [block = ''] = /^---\r?\n[\s\S]*?\r?\n---/.exec(text) ?? [];
    const tags = /^tags?:[^\n]*(?:\n\s*- [^\n]*)*/im.exec(block)?.[0] ?? '';
    const listed = tags
      .replace(/^tags?:\s*/i, '')
      .split('\n')
      .filter((line) => inList.test(line));
    const lines = plainLines(text.slice(block.length)).map((line) => line.replace(/`[^`]*`/g, ''));
    const written = lines.filter((line) => inText.test(line));
    return [...listed, ...written].map((line) => `${path}: ${line.trim()}`);
  });
}

/** A link in a file, and the path that it leads to; undefined when it leads nowhere. */
export interface FoundLink {
  readonly link: string;
  readonly target: string | undefined;
}

/** The links of all notes and canvases of a vault, in their order. */
export function linksIn(folder: string): Map<string, FoundLink[]> {
  const all = filesIn(folder, ['']);
  const exact = new Map(all.map((path) => [path.toLowerCase(), path]));
  const named = new Map<string, string[]>();
  for (const path of all) {
    const name = basename(path).toLowerCase();
    named.set(name, [...(named.get(name) ?? []), path]);
  }
  const resolve = (source: string, written: string): string | undefined => {
    if (written === '') return source;
    const asked = written.toLowerCase();
    for (const name of [asked, `${asked}.md`]) {
      const beside = normalize(join(dirname(source), name))
        .split(sep)
        .join('/')
        .toLowerCase();
      const direct = exact.get(name.replace(/^\//, '')) ?? exact.get(beside);
      if (direct !== undefined) return direct;
      const found = named
        .get(basename(name))
        ?.filter((path) => `/${path.toLowerCase()}`.endsWith(`/${name}`));
      const nearest = found?.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
      if (nearest !== undefined) return nearest;
    }
    return undefined;
  };
  return new Map(
    filesIn(folder, ['.md', '.canvas']).map((path) => [
      path,
      linkTexts(folder, path).map((link) => ({
        link,
        target: resolve(path, link.replace(/[#^].*$/s, '').trim()),
      })),
    ]),
  );
}

/** The targets of a file's links as they are written, with their headings. */
function linkTexts(folder: string, path: string): string[] {
  const text = textOf(folder, path);
  if (path.endsWith('.canvas')) {
    return [...text.matchAll(/"file"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, file = '']) =>
      JSON.parse(`"${file}"`),
    );
  }
  const plain = plainLines(text)
    .join('\n')
    .replace(/`[^`\n]*`/g, '');
  return [...plain.matchAll(/\[\[([^\]\n]+)\]\]|\]\(<?([^)>\s]+\.md(?:#[^)>\s]*)?)>?\)/g)].map(
    ([, wiki, markdown = '']) =>
      wiki === undefined ? decodeURI(markdown) : (wiki.split(/\\?\|/)[0] ?? '').trim(),
  );
}

/** The files with a link to a path. */
export function sourcesOf(folder: string, target: string): string[] {
  return Array.from(linksIn(folder)).flatMap(([path, links]) =>
    path !== target && links.some((link) => link.target === target) ? [path] : [],
  );
}

/** The text of the section under a heading, up to the next heading of its level or above. */
export function sectionOf(text: string, heading: string): string {
  const lines = plainLines(text);
  const start = lines.findIndex((line) => line.replace(/^#+\s+/, '').trim() === heading);
  const level = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 0;
  const after = lines.slice(start + 1);
  const length = after.findIndex((line) => {
    const marks = /^(#+)\s/.exec(line)?.[1];
    return marks !== undefined && marks.length <= level;
  });
  const end = length === -1 ? undefined : start + 1 + length;
  return text
    .split(/\r?\n/)
    .slice(start + 1, end)
    .join('\n')
    .trim();
}

/** Notes with this word, in any case. */
export function notesWithWord(folder: string, word: string): string[] {
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu');
  return filesIn(folder).filter((path) => whole.test(`${path}\n${textOf(folder, path)}`));
}

/** Notes that have changed since a time, with the time of each. */
export function changedSince(folder: string, timeMs: number): Map<string, number> {
  const times = filesIn(folder).map(
    (path) => [path, statSync(join(folder, path)).mtimeMs] as const,
  );
  return new Map(times.filter(([, mtimeMs]) => mtimeMs >= timeMs));
}

/** The path of a note that an answer names: its path, or its name where no other note has it. */
export function pathOf(folder: string, name: string): string {
  const files = filesIn(folder);
  const wanted = name.endsWith('.md') ? name : `${name}.md`;
  if (files.includes(wanted)) return wanted;
  const found = files.filter((path) => `/${path}`.endsWith(`/${wanted}`));
  return found.length === 1 ? (found[0] ?? name) : name;
}
