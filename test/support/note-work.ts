import { vaultPath } from '../../src/base/vault-path.ts';
import { unlinkText } from '../../src/engine/moves/unlink-file.ts';
import { headingSubpath } from '../../src/engine/notes/heading-subpath.ts';
import { tasksIn } from '../../src/engine/notes/note-tasks.ts';
import { changeTask } from '../../src/engine/operations/write/task-change.ts';
import type { TaskSettings } from '../../src/engine/settings/task-settings.ts';
import { factsOf, scanFile } from '../../src/engine/text/scan-file.ts';
import { undoText } from '../../src/engine/text/undo-text.ts';
import { unifiedDiff } from '../../src/engine/text/unified-diff.ts';
import { appendText, prependText } from '../../src/markdown/edits/add-text.ts';
import { findText } from '../../src/markdown/edits/find-text.ts';
import { renameTag } from '../../src/markdown/edits/rename-tag.ts';
import { appendToSection, replaceSectionContent } from '../../src/markdown/edits/section-edits.ts';
import { findBlockId, findHeading, HeadingPaths } from '../../src/markdown/facts/heading-match.ts';
import { mergeProperties } from '../../src/markdown/properties/merge-properties.ts';
import { withPortableProperties } from '../../src/markdown/properties/portable-properties.ts';
import {
  removeProperty,
  setProperties,
  setProperty,
} from '../../src/markdown/properties/set-property.ts';
import { escapeForBaseLink } from '../../src/markdown/scan/base-file.ts';
import { toCachedMetadata } from '../../src/markdown/scan/cached-metadata.ts';
import { countWords } from '../../src/markdown/scan/count-words.ts';
import { scanNote } from '../../src/markdown/scan/scan-note.ts';
import { preambleOf, sectionsOf } from '../../src/markdown/scan/sections.ts';
import { subpathRange } from '../../src/markdown/scan/subpath-range.ts';
import { applyEdits, type TextEdit } from '../../src/markdown/text/text-edit.ts';
import { type HostileFamily, hostileFileName } from './hostile-notes.ts';

/**
 * One thing that is done with the text of a file. It prepares what it needs and returns the work
 * itself, or nothing where it does not apply to such a file.
 */
export type NoteWork = (kind: HostileFamily['kind'], text: string) => (() => unknown) | undefined;

const ofNotes =
  (prepare: (text: string) => (() => unknown) | undefined): NoteWork =>
  (kind, text) =>
    kind === 'note' ? prepare(text) : undefined;

/** An edit of the first and of the last property. */
const ofProperties = (edit: (text: string, key: string) => TextEdit[]): NoteWork =>
  ofNotes((text) => {
    const properties = scanNote(text).frontmatter?.properties;
    const keys = [properties?.[0]?.key, properties?.at(-1)?.key].filter((key) => key !== undefined);
    if (keys.length === 0) return undefined;
    return () => keys.map((key) => applyEdits(text, edit(text, key)));
  });

/** An edit of the first and of the last section. */
const ofSections = (
  edit: (text: string, section: ReturnType<typeof sectionsOf>[number]) => TextEdit[],
): NoteWork =>
  ofNotes((text) => {
    const sections = sectionsOf(text, scanNote(text));
    const [first, last] = [sections[0], sections.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    return () => [first, last].map((section) => applyEdits(text, edit(text, section)));
  });

/** Everything that is done with the text of a note, a canvas or a base, by name. */
export const noteWork: Readonly<Record<string, NoteWork>> = {
  'find the facts': (kind, text) => () => factsOf(kind, text),
  'make the records of the index': (kind, text) => () => {
    const path = vaultPath(hostileFileName({ name: 'a', kind, make: String }));
    const stat = { size: text.length, mtimeMs: 0, birthMs: 0, stamp: 'a', present: true };
    return scanFile({ path, stat, text }, ['facts', 'text'], 0);
  },
  'find sections, headings and blocks': ofNotes((text) => {
    const facts = scanNote(text);
    return () => [
      sectionsOf(text, facts),
      preambleOf(text, facts),
      findHeading(facts, '#A#A#A#A#A#none'),
      findBlockId(facts, 'none'),
    ];
  }),
  'make the cache of the app': ofNotes((text) => {
    const facts = scanNote(text);
    return () => toCachedMetadata(text, facts);
  }),
  'find and escape the subpaths of all links': (kind, text) => {
    const { links } = factsOf(kind, text);
    if (links.length === 0) return undefined;
    return () => links.map((link) => [subpathRange(text, link), escapeForBaseLink(link, "a'b")]);
  },
  'keep the links to a renamed heading': ofNotes((text) => {
    const { headings, links } = scanNote(text);
    if (headings.length === 0 || links.length === 0) return undefined;
    const after = headings.map((heading) => ({ ...heading, text: `${heading.text} x` }));
    return () => {
      const paths = { before: new HeadingPaths(headings), after: new HeadingPaths(after) };
      const change = { ...paths, headings: after, index: headings.length - 1 };
      return links.map(({ subpath }) => headingSubpath(subpath, change));
    };
  }),
  'turn links into text': (kind, text) => {
    const [link] = factsOf(kind, text).links;
    if (link === undefined) return undefined;
    const target = vaultPath('a.md');
    const names = ['a', 'a.md', 'a.md.md'].map((name) => [name, [{ path: target }]] as const);
    const path = hostileFileName({ name: 'n', kind, make: String });
    return () => unlinkText(text, { path, target, files: new Map(names) });
  },
  'count words': ofNotes((text) => () => countWords(text)),
  append: ofNotes((text) => () => applyEdits(text, appendText(text, 'a'))),
  'append before a comment': ofNotes((text) => {
    const note = `${text}\n\n%% a %%\n`;
    return () => applyEdits(note, appendText(note, 'a'));
  }),
  prepend: ofNotes((text) => () => applyEdits(text, prependText(text, 'a'))),
  'append to a section': ofSections((text, section) => appendToSection(text, section, 'a')),
  'replace a section': ofSections((text, section) => replaceSectionContent(text, section, 'a')),
  'find a text': ofNotes((text) => () => findText(text, 'a', 0)),
  'rename a tag': ofNotes((text) => () => {
    applyEdits(text, renameTag(text, { from: 'a', to: 'b' }).edits);
  }),
  'add a property': ofNotes((text) => () => applyEdits(text, setProperty(text, 'new', ['a']))),
  'set a property': ofProperties((text, key) => setProperty(text, key, 'x')),
  'remove a property': ofProperties(removeProperty),
  'set many properties': ofNotes((text) => {
    const values = Array.from({ length: text.length / 50 }, (_, i) => [`n${i}`, i] as const);
    return () => setProperties(text, values);
  }),
  'merge properties': ofNotes((text) => {
    const tags = Array.from({ length: text.length / 50 }, (_, i) => `t${i}`);
    const property = { key: 'tags', value: tags, range: none, keyRange: none, valueRange: none };
    return () => mergeProperties(text, [property]);
  }),
  'write portable properties': ofNotes((text) => () => withPortableProperties(text, { n: ['a'] })),
  'show a difference': ofNotes((text) => {
    const half = text.length / 2;
    const after = `x${text.slice(0, half)}y\n${text.slice(half)}z`;
    return () => unifiedDiff({ from: 'a', to: 'a', before: text, after });
  }),
  'check off tasks': ofNotes((text) => {
    const tasks = tasksIn(text);
    const [first, last] = [tasks[0], tasks.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    return () => [first, last].map((task) => changeTask(task, 'x', { settings, today: 0 }));
  }),
  'take a change back that others stand around': ofNotes((text) => () => {
    const [before, after] = [`${text}\n`, `${text}\n${text}\n`];
    undoText({ before, after, now: `x\n${after}y` });
    undoText({ before, after, now: `${before}x\n${before}` });
  }),
};

const settings: TaskSettings = {
  enabled: true,
  form: 'emoji',
  globalFilter: '',
  setsDone: true,
  setsCancelled: true,
  setsCreated: true,
  nextBelow: false,
  dropsScheduled: false,
  statuses: new Map([['x', { name: 'Done', type: 'DONE', next: ' ' }]]),
  problems: [],
};

const none = { start: 0, end: 0 };
