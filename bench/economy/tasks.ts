import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { nameOf } from './script.ts';
import {
  changedSince,
  filesIn,
  linksIn,
  notesWithWord,
  openTasksDueBefore,
  pathOf,
  sectionOf,
  sourcesOf,
  tagUses,
  textOf,
} from './vault-facts.ts';
import { planted, type VaultName, type World } from './world.ts';

/** What a script has found out, as a model would tell it to its user; empty where it only wrote. */
export type Told = readonly string[];

/** One of the tasks of `economy.md`. */
export interface Task {
  readonly id: string;
  readonly vault: VaultName;
  readonly title: string;
  /** Says what is wrong with the result; undefined when it is right. */
  readonly check: (world: World, told: Told) => string | undefined;
}

/** What the person asks for. Scripts know these words, and nothing else of the vaults. */
export const asked = {
  topic: 'spaced repetition',
  meeting: { day: '2026-11-12', title: 'Budget review', people: ['Priya', 'Aiko'] },
  decision: 'Sensors are paid from the second instalment.',
  jotted: 'Called the water board about the gauges.',
  project: { from: 'Flood map', to: 'River atlas' },
  heading: {
    note: 'Projects/Home server/Log',
    from: 'Names that do not resolve',
    to: 'DNS after a power cut',
  },
  tag: { from: 'context', to: 'where' },
  dueBefore: '2025-01-01',
  linked: 'Neutron Star',
  section: { note: 'docs/newsletter/2024.md', heading: 'Feminism' },
  chinese: '番茄工作法',
  fromTemplate: { path: 'Meetings/2026-11-20 Greenhouse walk', template: 'Meeting' },
  rated: {
    notes: ['Blade Runner', 'Catan', 'Futurama', 'Out of Control', 'The Machine Stops'].map(
      (name) => `References/${name}`,
    ),
    rating: 6,
  },
  folder: { from: 'K. Bonus Questions', to: 'x. Other/Bonus' },
  mistake: 'Notes/Swifts',
  map: { folder: 'B. Exoplanets', note: 'Exoplanets map' },
  days: 7,
  misspelled: 'meditaiton',
  spelled: 'meditation',
} as const;

const isLinkTo = (name: string) => new RegExp(`\\[\\[(?:[^\\]|#]*/)?${name}(?=[\\]|#\\\\])`);

export const tasks: readonly Task[] = [
  {
    id: '01',
    vault: 'blue-book',
    title: 'find the notes about a topic and read the best three',
    check: (_, told) => {
      const right = ['docs/spaced_repetition.md', 'docs/anki.md'];
      return told.some((path) => right.includes(path)) ? undefined : `read ${told.join(', ')}`;
    },
  },
  {
    id: '02',
    vault: 'example',
    title: 'file a meeting note with people linked',
    check: ({ folders }) => {
      const { day, title } = asked.meeting;
      const { text, properties } = noteAt(folders.example, `Meetings/${day} ${title}.md`);
      const people = ['Aiko Senda', 'Priya Raman'].every((name) =>
        JSON.stringify(properties['attendees'] ?? '').includes(`[[${name}]]`),
      );
      if (!people) return 'the people are not linked in "attendees"';
      if (!JSON.stringify(properties['tags'] ?? '').includes('meeting')) return 'no tag "meeting"';
      return text.includes(asked.decision) ? undefined : 'the decision is missing';
    },
  },
  {
    id: '03',
    vault: 'example',
    title: "append to today's daily note",
    check: ({ folders, today }) => {
      const { text, properties } = noteAt(folders.example, `Daily/${today}.md`);
      if (!JSON.stringify(properties['tags'] ?? '').includes('daily')) return 'no tag "daily"';
      if (String(properties['date']).slice(0, 10) !== today) return 'no date';
      if (!/^# [A-Z][a-z]+day, \d+ [A-Z][a-z]+ \d{4}$/m.test(text)) return 'no heading';
      return text.includes(asked.jotted) ? undefined : 'the text is missing';
    },
  },
  {
    id: '04',
    vault: 'example',
    title: 'rename a project, links follow',
    check: ({ folders, before }) => {
      const { from, to } = asked.project;
      const left = filesIn(folders.example).filter((path) =>
        isLinkTo(from).test(textOf(folders.example, path)),
      );
      if (left.length > 0) return `old links in ${left.join(', ')}`;
      const renamed = sourcesOf(folders.example, `Projects/${to}.md`);
      const linked = Array.from(before('example').links).filter(
        ([path, links]) =>
          path !== `Projects/${from}.md` &&
          links.some(({ target }) => target === `Projects/${from}.md`),
      );
      return renamed.length === linked.length ? undefined : `${renamed.length} notes link to it`;
    },
  },
  {
    id: '05',
    vault: 'example',
    title: 'correct a heading, links to it follow',
    check: ({ folders }) => {
      const { note, from, to } = asked.heading;
      const texts = filesIn(folders.example).map((path) => textOf(folders.example, path));
      if (texts.some((text) => text.includes(`#${from}`))) return 'an old subpath is left';
      if (texts.filter((text) => text.includes(`#${to}`)).length !== 2) return 'links are lost';
      const isDone = new RegExp(`^#+ ${to}$`, 'm').test(textOf(folders.example, `${note}.md`));
      return isDone ? undefined : 'the heading is not there';
    },
  },
  {
    id: '06',
    vault: 'tasks-demo',
    title: 'rename a tag everywhere',
    check: (world) => {
      const folder = world.folders['tasks-demo'];
      const left = tagUses(folder, asked.tag.from);
      if (left.length > 0) return `${left.length} uses are left: ${left[0]}`;
      return tagUses(folder, asked.tag.to).length > 0 ? undefined : 'the new tag is nowhere';
    },
  },
  {
    id: '07',
    vault: 'tasks-demo',
    title: 'open tasks due before 2025',
    check: (world, told) =>
      difference(told, openTasksDueBefore(world.folders['tasks-demo'], asked.dueBefore)),
  },
  {
    id: '08',
    vault: 'astrowiki',
    title: 'what links here',
    check: ({ folders }, told) => {
      const paths = told.map((name) => pathOf(folders.astrowiki, name));
      const target = pathOf(folders.astrowiki, asked.linked);
      // Whether a link of a note to itself counts is a matter of taste.
      const others = paths.filter((path) => path !== target);
      return difference(others, sourcesOf(folders.astrowiki, target));
    },
  },
  {
    id: '09',
    vault: 'blue-book',
    title: 'one section of a 504 KB note',
    check: ({ folders }, told) => {
      const { note, heading } = asked.section;
      const section = sectionOf(textOf(folders['blue-book'], note), heading);
      const text = told.join('\n').replace(/\r/g, '');
      if (!text.includes(section)) return 'it is not the section';
      return text.length < section.length * 1.1 + 300 ? undefined : 'it is more than the section';
    },
  },
  {
    id: '10',
    vault: 'knowledge-garden-zh',
    title: 'a note by a Chinese word',
    check: ({ folders }, told) => {
      const right = filesIn(folders['knowledge-garden-zh']).find((path) =>
        path.endsWith(`/${asked.chinese}.md`),
      );
      return told.some((path) => path === right) ? undefined : `found ${told.join(', ')}`;
    },
  },
  {
    id: '11',
    vault: 'example',
    title: 'a new note from a template',
    check: ({ folders, today }) => {
      const { path } = asked.fromTemplate;
      const { text, properties } = noteAt(folders.example, `${path}.md`);
      if (text === '') return 'there is no note';
      if (String(properties['date']).slice(0, 10) !== today) return 'no date';
      if (!String(properties['start']).startsWith(today)) return 'no start';
      if (text.includes('{{')) return 'the template is not filled in';
      return text.includes('# 2026-11-20 Greenhouse walk') ? undefined : 'no title';
    },
  },
  {
    id: '12',
    vault: 'kepano',
    title: 'set a property on five notes',
    check: ({ folders, before }) => {
      const wrong = asked.rated.notes.filter((name) => {
        const was = partsOf(before('kepano').texts.get(`${name}.md`) ?? '');
        const is = noteAt(folders.kepano, `${name}.md`);
        const wanted = { ...was.properties, rating: asked.rated.rating };
        return (
          !isDeepStrictEqual({ ...is.properties }, wanted) || is.body.trim() !== was.body.trim()
        );
      });
      return wrong.length === 0 ? undefined : `wrong in ${wrong.join(', ')}`;
    },
  },
  {
    id: '13',
    vault: 'astrowiki',
    title: 'move a folder, links follow',
    check: ({ folders, before }) => {
      const { from, to } = asked.folder;
      const moved = (path: string): string =>
        path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
      const after = linksIn(folders.astrowiki);
      const targets = (links: readonly { target: string | undefined }[] | undefined): string =>
        JSON.stringify(links?.map(({ target }) => target ?? null));
      const wrong = Array.from(before('astrowiki').links).filter(([path, links]) => {
        const wanted = links.map(({ target }) => ({ target: target && moved(target) }));
        return targets(after.get(moved(path))) !== targets(wanted);
      });
      return wrong.length === 0 ? undefined : `${wrong.length} notes, e.g. ${wrong[0]?.[0]}`;
    },
  },
  {
    id: '14',
    vault: 'example',
    title: 'take back the last mistake',
    check: ({ folders, before }) => {
      const path = `${asked.mistake}.md`;
      const { text } = noteAt(folders.example, path);
      return text === before('example').texts.get(path) ? undefined : 'not every byte is back';
    },
  },
  {
    id: '15',
    vault: 'tasks-demo',
    title: 'notes that nothing links to',
    check: ({ folders, graph }, told) => {
      const folder = folders['tasks-demo'];
      const links = Object.entries(graphIn(graph.resolvedLinks));
      const linked = new Set(
        links.flatMap(([path, targets]) =>
          Object.keys(targets).filter((target) => target !== path),
        ),
      );
      // The vault is a little newer than the graph: a few notes are not in it.
      const known = new Set(links.map(([path]) => path));
      const orphans = filesIn(folder).filter((path) => known.has(path) && !linked.has(path));
      const paths = told.map((name) => pathOf(folder, name)).filter((path) => known.has(path));
      return difference(paths, orphans);
    },
  },
  {
    id: '16',
    vault: 'garden',
    title: 'notes that are the same, or nearly',
    check: (_, told) => {
      const missed = planted.filter(
        (pair) => !told.some((group) => pair.every((path) => group.includes(nameOf(path)))),
      );
      return missed.length === 0 ? undefined : `${missed.length} of 3 pairs are missing`;
    },
  },
  {
    id: '17',
    vault: 'astrowiki',
    title: 'a map of content for a folder',
    check: ({ folders }) => {
      const { folder, note } = asked.map;
      const links = linksIn(folders.astrowiki).get(`${note}.md`) ?? [];
      const linked = new Set(links.map(({ target }) => target));
      const notes = filesIn(folders.astrowiki).filter((path) => path.startsWith(`${folder}/`));
      const missing = notes.filter((path) => !linked.has(path));
      return missing.length === 0 ? undefined : `${missing.length} of ${notes.length} are missing`;
    },
  },
  {
    id: '18',
    vault: 'example',
    title: 'what changed in the last seven days',
    check: ({ folders }, told) => {
      const folder = folders.example;
      const changed = changedSince(folder, Date.now() - asked.days * 24 * 60 * 60_000);
      const rows = told.map((row) => row.split('\t'));
      const wrong = difference(
        rows.map(([name = '']) => pathOf(folder, name)),
        [...changed.keys()],
      );
      if (wrong !== undefined) return wrong;
      const late = rows.filter(([name = '', time = '']) => {
        const told = new Date(time).getTime();
        return !(Math.abs(told - (changed.get(pathOf(folder, name)) ?? 0)) < 61_000);
      });
      return late.length === 0 ? undefined : `the time of ${late[0]?.join(' ')} is wrong`;
    },
  },
  {
    id: '19',
    vault: 'tasks-demo',
    title: 'broken links, each with its likely target',
    check: ({ folders, graph }, told) => {
      const broken = Object.entries(graphIn(graph.unresolvedLinks)).flatMap(([path, links]) =>
        Object.keys(links).map((link) => `${path}\t${link.replace(/\|.*$/, '')}`),
      );
      // The app found attachments that are not in the copy that is shared: these links are broken now.
      const folder = folders['tasks-demo'];
      const lost = Object.values(graphIn(graph.resolvedLinks))
        .flatMap((targets) => Object.keys(targets))
        .filter((path) => !existsSync(join(folder, path)))
        .map((path) => basename(path));
      const rows = told.flatMap((row) => {
        const [name = '', link = ''] = row.split('\t');
        if (lost.includes(basename(link))) return [];
        return [`${pathOf(folder, name)}\t${link.replace(/\|.*$/, '')}`];
      });
      return difference([...new Set(rows)], [...new Set(broken)]);
    },
  },
  {
    id: '20',
    vault: 'garden',
    title: 'a search with a typing error',
    check: ({ folders }, [total, without]) => {
      const least = notesWithWord(folders.garden, asked.spelled).length;
      if (Number(total) < least) return `${total} of at least ${least}`;
      return total === without ? undefined : `${total}, but ${without} without the error`;
    },
  },
];

function noteAt(folder: string, path: string) {
  return partsOf(existsSync(join(folder, path)) ? textOf(folder, path) : '');
}

/** The properties of a note as YAML reads them, and its text after them. */
function partsOf(text: string) {
  const [all = '', block = ''] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  const properties = (parse(block) ?? {}) as Record<string, unknown>;
  return { text, properties, body: text.slice(all.length) };
}

function graphIn(file: string): Record<string, Record<string, number>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, number>>;
}

/** What is missing from a list or too much in it; undefined when it is the expected one. */
export function difference(told: readonly string[], right: readonly string[]): string | undefined {
  const missing = right.filter((each) => !told.includes(each));
  const extra = told.filter((each) => !right.includes(each));
  if (missing.length + extra.length === 0) return undefined;
  const examples = [...missing.slice(0, 2), ...extra.slice(0, 2)].join(', ');
  return `${right.length} are right, ${missing.length} missing, ${extra.length} wrong: ${examples}`;
}
