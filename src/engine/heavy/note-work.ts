import { toJson } from '../../base/json.ts';
import { LineIndex } from '../../base/text-range.ts';
import { renameTag } from '../../markdown/edits/rename-tag.ts';
import { findHeading, headingKey } from '../../markdown/facts/heading-match.ts';
import { parseFrontmatter } from '../../markdown/properties/frontmatter.ts';
import { findProperty, openProperties } from '../../markdown/properties/property-document.ts';
import { renameProperty } from '../../markdown/properties/rename-property.ts';
import {
  removeProperties,
  removeProperty,
  setProperties,
  setProperty,
} from '../../markdown/properties/set-property.ts';
import { countWords } from '../../markdown/scan/count-words.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import { sectionsOf } from '../../markdown/scan/sections.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { baseLinkPaths, renameInBases } from '../bases/edits/rename-in-base.ts';
import { linksOf } from '../links/link-style.ts';
import { linkSegment } from '../links/resolve-link.ts';
import { renameInLinks, renamePart, subpathsTo } from '../moves/rename-part.ts';
import { isNamed, rewriteLinks } from '../moves/rewrite-links.ts';
import { unlinkText } from '../moves/unlink-file.ts';
import { findSection } from '../notes/find-section.ts';
import { nearestLines } from '../notes/nearest-lines.ts';
import { tasksCalled, tasksIn } from '../notes/note-tasks.ts';
import { TaskPicker } from '../notes/task-filter.ts';
import type { Page, PageRequest } from '../ports/index-store.ts';
import type { NoteTask, NoteWork } from '../ports/note-work.ts';
import { tagLines, writtenTags } from '../tags/note-tags.ts';
import { beginningFirst } from '../text/beginning-first.ts';
import { listItems } from '../text/list-items.ts';
import { changedMarks, marksIn } from '../text/marks.ts';
import { factsOf } from '../text/scan-file.ts';
import { diffExcerpt, unifiedDiff } from '../text/unified-diff.ts';
import { linkingLines, linkTexts } from './linking-lines.ts';
import { mergeContents } from './merge-contents.ts';
import { lineHashes, mergeCopy } from './merge-copy.ts';
import { mergeTemplate } from './merge-template.ts';
import { placeText } from './place-text.ts';
import { textFacts } from './text-facts.ts';

const othersMax = 20;

/** Does a task on the thread that calls this. */
export function doNoteWork<Task extends keyof NoteWork>(
  task: Task,
  args: Parameters<NoteWork[Task]>,
): ReturnType<NoteWork[Task]> {
  // The compiler cannot see that the arguments and the answer are those of this one task.
  const work = noteWork[task] as (...args: unknown[]) => unknown;
  return work(...args) as ReturnType<NoteWork[Task]>;
}

const noteWork: NoteWork = {
  headings: (text, page) => {
    const lines = new LineIndex(text);
    const { total, items } = pageOf(scanNote(text).headings, page);
    return {
      total,
      items: items.map(({ level, text: title, range }) => ({
        level,
        text: title,
        line: lines.lineAt(range.start) + 1,
      })),
    };
  },
  section: (text, asked) => {
    const section = findSection(text, scanNote(text), asked);
    return { ...section, line: new LineIndex(text).lineAt(section.heading.range.start) + 1 };
  },
  heading: (text, subpath) => {
    const facts = scanNote(text);
    const found = findHeading(facts, subpath)?.text;
    if (found !== undefined) return { found };
    return { others: facts.headings.slice(0, othersMax).map((heading) => heading.text) };
  },
  linkingLines,
  linkTexts,
  links: (text, { name, section }) => {
    const facts = scanNote(text);
    const names = new Set([name]);
    const within = section === undefined ? undefined : findSection(text, facts, section).content;
    const lines = new LineIndex(text);
    const known = new Set<string>();
    return linksOf(facts).flatMap((link) => {
      const { path, subpath, range } = link;
      if (path !== '' && !isNamed(link, names)) return [];
      if (within !== undefined && (range.start < within.start || range.end > within.end)) return [];
      const key = `${path}\n${subpath}`;
      if (known.has(key)) return [];
      known.add(key);
      return [{ path, subpath, line: lines.lineAt(range.start) + 1 }];
    });
  },
  tags: (text, kind) => {
    const { inProperties, inText, isDescribed } = writtenTags(factsOf(kind, text));
    return { inProperties: eachOnce(inProperties), inText: eachOnce(inText), isDescribed };
  },
  marks: marksIn,
  changedMarks,
  labels: (text, kind) => {
    const { propertyTags, tags, aliases } = factsOf(kind, text);
    return {
      tags: eachOnce([...propertyTags, ...tags].map(({ tag }) => tag)),
      aliases: aliases.map((alias) => alias.text),
    };
  },
  words: countWords,
  tasks: (text, { lines, called, ...request }) => {
    const picker = new TaskPicker<NoteTask>(request);
    const tasks = tasksIn(text).filter(({ line }) => lines?.has(line) !== false);
    for (const task of called === undefined ? tasks : tasksCalled(tasks, called)) picker.add(task);
    return picker.page();
  },
  items: (text) => toJson(listItems(text)),
  place: placeText,
  properties: (text) => {
    const parsed = parseFrontmatter(text);
    const [problem] = parsed?.problems ?? [];
    if (problem !== undefined) return { problem: problem.message, entries: [] };
    const properties = parsed?.frontmatter.properties ?? [];
    return { entries: properties.map(({ key, value }) => [key, value] as const) };
  },
  setProperty: (text, asked, value) => {
    const document = openProperties(text);
    const key = (document && findProperty(document, asked)?.key) ?? asked;
    return { key, edits: setProperty(text, key, value) };
  },
  removeProperty,
  setProperties: (text, entries) => {
    const removed = entries.filter(([, value]) => value === null).map(([key]) => key);
    const kept = entries.filter(([, value]) => value !== null);
    return differenceOf(text, setProperties(removeProperties(text, removed), kept));
  },
  mergeProperties: mergeTemplate,
  rewriteLinks,
  unlink: unlinkText,
  linkedNames: (text, kind) =>
    eachOnce(linksOf(factsOf(kind, text)).map(({ path }) => linkSegment(path))),
  diff: unifiedDiff,
  diffExcerpt,
  merge: mergeContents,
  mergeCopy,
  lineHashes,
  nearestLines,
  renameTag: (text, rename) => {
    const { edits, count } = renameTag(text, rename);
    return { text: applyEdits(text, edits), count };
  },
  renameProperty: (text, rename) => {
    const edits = renameProperty(text, rename);
    if (edits === 'both') return { did: 'both' };
    if (edits.length === 0) return { did: 'nothing' };
    return { did: 'renamed', text: applyEdits(text, edits) };
  },
  baseLinkPaths,
  renameInBases,
  tagLines,
  renamePart,
  subpathsTo,
  renameInLinks,
  headingNames: (text, typed, limit) => {
    const sections = sectionsOf(text, scanNote(text));
    const sectionsNamed = new Map<string, number>();
    for (const { heading } of sections) {
      const key = headingKey(heading.text);
      sectionsNamed.set(key, (sectionsNamed.get(key) ?? 0) + 1);
    }
    const names = sections.map(({ heading, path }) =>
      sectionsNamed.get(headingKey(heading.text)) === 1 ? heading.text : path.join(' > '),
    );
    const values = beginningFirst(eachOnce(names), headingKey(typed), headingKey);
    return { total: values.length, values: values.slice(0, limit) };
  },
  facts: textFacts,
};

/** The one edit that makes the second text of the first; none when they are equal. */
function differenceOf(before: string, after: string): readonly TextEdit[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let tail = 0;
  const isSame = (from: number): boolean =>
    before.charCodeAt(before.length - 1 - from) === after.charCodeAt(after.length - 1 - from);
  while (tail < shorter - start && isSame(tail)) tail += 1;
  const range = { start, end: before.length - tail };
  return [{ range, text: after.slice(start, after.length - tail) }];
}

function pageOf<T>(all: readonly T[], { limit, offset }: PageRequest): Page<T> {
  return { total: all.length, items: all.slice(offset, offset + limit) };
}

function eachOnce(texts: readonly string[]): readonly string[] {
  return Array.from(new Set(texts));
}
