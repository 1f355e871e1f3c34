import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { readProperty } from '../../engine/operations/list/list-properties.ts';
import { createNote } from '../../engine/operations/write/create-note.ts';
import { setNoteProperty } from '../../engine/operations/write/set-note-property.ts';
import type { Draft } from '../../engine/vault/draft.ts';
import { defineTool } from '../define/define-tool.ts';
import { choice, filled, given, optionalText } from '../define/note-input.ts';
import { withReport } from '../wording/writing-answer.ts';
import { type IndexedDecision, withDecision } from './adr-index.ts';
import {
  dayOf,
  decisionIndex,
  decisionName,
  decisions,
  devlogNote,
  devlogProperties,
  titleOf,
} from './conventions.ts';
import { exactly, warningsShape } from './schemas.ts';
import { slugOf } from './slug.ts';

const Project = optionalText('Name of the project');

export const adrCreateTool = defineTool({
  name: 'adr_create',
  title: 'Record a decision',
  description:
    'Record a decision as a new note adr/ADR-<NNN>-<title>.md and a row of _index.md, in one change. The server gives the number: two agents never get the same one. Records are not rewritten; a decision that replaces another names it in related.',
  effect: 'write',
  input: z.object({
    title: filled('The decision in a few words'),
    content: filled('Markdown: ## Context, ## Decision, ## Consequences; no title'),
    project: Project,
    status: choice(['accepted', 'proposed'], 'State of the decision'),
    related: z
      .preprocess((value) => value ?? undefined, z.array(z.string()).optional())
      .describe('Records it builds on or replaces, e.g. "ADR-001-some-slug"'),
  }),
  output: z.object({ path: z.string(), adr: z.int().describe('Its number'), ...warningsShape }),
  record: ['title', 'project', 'status'],
  run: async (vault, { project, related = [], ...request }) => {
    const report = await vault.change(createDecision, {
      ...request,
      related,
      ...given({ project }),
    });
    return withReport(report, { path: report.path, adr: report.adr });
  },
});

interface DecisionRequest {
  readonly title: string;
  readonly content: string;
  readonly project?: string;
  readonly status: 'accepted' | 'proposed';
  readonly related: readonly string[];
}

/**
 * Creates the record of a decision under the number after the highest one, and adds its row to the
 * index. Planned again when any process has committed a change since the numbers were listed: two
 * records never get the same number.
 */
async function createDecision(
  draft: Draft,
  { content, status, ...request }: DecisionRequest,
): Promise<{ readonly path: VaultPath; readonly adr: number }> {
  const title = titleOf(request.title);
  const project = titleOf(request.project);
  await draft.replanAfterOthers();
  const { folder, next } = await decisions(draft.vault);
  const { number, note } = decisionName(next, title);
  const date = dayOf(draft.nowMs);
  const { path } = await createNote(draft, {
    path: `${folder}/${note}.md`,
    content: `# ${number}: ${title}\n\n${content.trim()}\n`,
    properties: {
      tags: ['adr', status],
      adr: next,
      date,
      status,
      ...(project === '' ? {} : { project }),
      related: request.related.map(linkTo),
    },
  });
  await addToIndex(draft, { note, title, status, date, project });
  return { path, adr: next };
}

/** A link to another record, whether it was named with brackets, as a path, or by its name. */
function linkTo(record: string): string {
  const name = titleOf(record).replace(/^\[\[/, '').replace(/\]\]$/, '').replace(/\.md$/i, '');
  return `[[${name.slice(name.lastIndexOf('/') + 1)}]]`;
}

/** Adds the row of a decision to the index, which is made if there is none. */
async function addToIndex(draft: Draft, row: IndexedDecision): Promise<void> {
  const path = await decisionIndex(draft.vault);
  if (!draft.vault.sees(path)) {
    draft.warn(`The decision has no row in "${path}", which this connection may not see.`);
  } else if ((await draft.kind(path)) === undefined) {
    await createNote(draft, { path, content: withDecision('', row) });
  } else {
    await draft.write(path, withDecision((await draft.read(path)).text, row));
  }
}

export const devlogAppendTool = defineTool({
  name: 'devlog_append',
  title: 'Add to a devlog',
  description:
    'Add an entry under the heading of today to devlog/<topic>.md, which is made when it does not exist. Read it first with note_read, so that nothing is said twice.',
  effect: 'write',
  input: z.object({
    topic: filled('What the devlog is about; its note has this name'),
    entry: filled('Markdown: what was done, why, what is open; no date'),
    project: Project,
  }),
  output: z.object({ path: z.string(), created: z.boolean(), ...warningsShape }),
  record: ['topic', 'project'],
  run: async (vault, { project, ...request }) => {
    const report = await vault.change(appendToDevlog, { ...request, ...given({ project }) });
    return withReport(report, { path: report.path, created: report.created });
  },
});

interface DevlogRequest {
  readonly topic: string;
  readonly entry: string;
  readonly project?: string;
}

/** Adds an entry to the devlog of a topic, or begins the devlog with it. */
async function appendToDevlog(
  draft: Draft,
  request: DevlogRequest,
): Promise<{ readonly path: VaultPath; readonly created: boolean }> {
  const topic = titleOf(request.topic);
  const slug = slugOf(topic);
  const date = dayOf(draft.nowMs);
  const entry = request.entry.trim();
  const { path, exists } = await devlogNote(draft.vault, slug);
  if (!exists) {
    const project = titleOf(request.project);
    const properties = devlogProperties({ slug, date, ...(project === '' ? {} : { project }) });
    const content = `# ${topic}\n\n## ${date}\n\n${entry}\n`;
    const made = await createNote(draft, { path, content, properties });
    return { path: made.path, created: true };
  }
  const { text } = await draft.read(path);
  const heading = (await lastDate(draft, text)) === date ? '' : `## ${date}\n\n`;
  await draft.write(path, withEntry(text, `${heading}${entry}\n`));
  await setUpdated(draft, path, date);
  return { path, created: false };
}

/** The last date that is a heading of a devlog; entries may have headings of their own. */
async function lastDate(draft: Draft, text: string): Promise<string | undefined> {
  const all = { limit: text.length, offset: 0 };
  const { items } = await draft.vault.work('headings', text, all);
  return items.findLast((each) => each.level === 2 && /^\d{4}-\d{2}-\d{2}$/.test(each.text))?.text;
}

/** The text of a devlog with an entry after an empty line. */
function withEntry(text: string, entry: string): string {
  const lines = text.split(/\r?\n/);
  const lineEnds = lines.at(-1) !== '' ? 0 : lines.at(-2) !== '' ? 1 : 2;
  const added = `${text === '' ? '' : '\n'.repeat(2 - lineEnds)}${entry}`;
  return text + (text.includes('\r\n') ? added.replace(/\r?\n/g, '\r\n') : added);
}

/** Sets the property `updated` of a devlog that has it. */
async function setUpdated(draft: Draft, path: VaultPath, date: string): Promise<void> {
  try {
    const name = exactly(path);
    const { found } = await readProperty(draft.vault, { name, property: 'updated' });
    if (found !== undefined) await setNoteProperty(draft, { name, key: found.key, value: date });
  } catch (error) {
    if (!(error instanceof VaultError) || error.code !== 'invalid_input') throw error;
    draft.warn(`The property "updated" was not set. ${error.message}`);
  }
}
