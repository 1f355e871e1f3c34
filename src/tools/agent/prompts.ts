import { VaultError } from '../../base/vault-error.ts';
import { readNoteAt } from '../../engine/operations/read/read-note.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { Prompt, WhichVault } from '../define/toolset.ts';
import { indexAddition, indexTitle } from './adr-index.ts';
import {
  dayOf,
  decisionIndex,
  decisionName,
  decisions,
  devlogNote,
  devlogProperties,
  titleOf,
} from './conventions.ts';
import { slugOf } from './slug.ts';

/** How many of the latest decisions the prompt names, for `related`. */
const relatedMax = 20;

type Args = Readonly<Record<string, string>>;

const project = {
  name: 'project',
  description: 'Name of the project',
  required: false,
  kind: 'text',
} as const;

/** Prompts that tell a model which calls to make to follow the folder conventions. */
export const agentPrompts: readonly Prompt[] = [
  {
    name: 'devlog',
    title: 'Devlog entry',
    description: 'How to add an entry to the devlog of a topic',
    arguments: [
      { name: 'topic', description: 'What it is about', required: true, kind: 'text' },
      project,
      { name: 'entry', description: 'Text of the entry', required: false, kind: 'text' },
    ],
    effect: 'write',
    run: devlogText,
  },
  {
    name: 'adr',
    title: 'Architecture decision record',
    description: 'How to record a decision under the next number, and in the index',
    arguments: [
      { name: 'title', description: 'The decision in a few words', required: true, kind: 'text' },
      project,
      { name: 'status', description: 'accepted or proposed', required: false, kind: 'text' },
    ],
    effect: 'write',
    run: adrText,
  },
];

async function devlogText(vault: BoundVault, args: Args, which: WhichVault): Promise<string> {
  const topic = titleOf(args['topic']);
  const slug = slugOf(topic);
  const date = dayOf(vault.vault.parts.clock.nowMs());
  const { path, exists } = await devlogNote(vault, slug);
  const entry = args['entry']?.trim() || '<the entry>';
  const content = `## ${date}\n\n${entry}\n`;
  const opening = `Add an entry to the devlog of "${topic}". Today is ${date}. The tool devlog_append does this in one call, and sets "updated"; what follows does the same without it.`;
  if (exists) {
    return paragraphs(
      opening,
      `"${path}" exists. Read it with note_read, so that you do not repeat what it says, then append the entry with one call of note_upsert:`,
      call({ ...which, path, content }),
      fillIn,
      `Entries are only ever appended: never delete or rewrite what is there. The properties cannot be changed this way. Where you have a tool that sets a property, set "updated" to "${date}"; otherwise leave it, the entry has its date.`,
    );
  }
  const frontmatter = devlogProperties({ slug, date, project: projectOf(args) });
  return paragraphs(
    opening,
    `"${path}" does not exist yet. Create it with one call of note_upsert:`,
    call({ ...which, path, content: `# ${topic}\n\n${content}`, frontmatter }),
    fillIn,
  );
}

async function adrText(vault: BoundVault, args: Args, which: WhichVault): Promise<string> {
  const title = titleOf(args['title']);
  const status = statusOf(args['status']);
  const date = dayOf(vault.vault.parts.clock.nowMs());
  const { folder, names, next } = await decisions(vault);
  const { number, note } = decisionName(next, title);
  const path = await decisionIndex(vault);
  const index = (await readNoteAt(vault, { path })).note?.text;
  const addition = indexAddition(index ?? indexStart, {
    note,
    title,
    status,
    date,
    project: projectOf(args),
  });
  const record = {
    path: `${folder}/${note}.md`,
    content: `# ${number}: ${title}\n\n## Context\n\n<why a decision was needed>\n\n## Decision\n\n<what was decided>\n\n## Consequences\n\n<what follows from it, good and bad>\n`,
    frontmatter: {
      tags: ['adr', status],
      adr: next,
      date,
      status,
      project: projectOf(args),
      related: [],
    },
  };
  return paragraphs(
    `Record the decision "${title}" as ${number}, the next free number. Today is ${date}.`,
    'The tool adr_create does all of this in one call. Use it where other agents may be recording decisions too: it never gives a number twice. What follows does the same without it.',
    'First create the record with note_upsert:',
    call({ ...which, ...record }),
    fillIn,
    `It must answer "created": true. If it does not, this very decision was recorded in the meantime and your text was appended to it: tell the user, and stop.`,
    names.length === 0
      ? 'There are no other decisions yet, so "related" stays empty.'
      : `"related" lists decisions that this one builds on or replaces, as links such as "[[${names.at(-1)}]]". The latest are: ${names.slice(-relatedMax).join(', ')}.`,
    ...(index === undefined
      ? [
          `Then start the index, which does not exist yet, with note_upsert:`,
          call({ ...which, path, content: indexStart }),
        ]
      : []),
    'Then append its row to the index with note_upsert, without a line break at the end:',
    call({ ...which, path, content: addition }),
    fillIn,
  );
}

const indexStart = `${indexTitle}\n`;

const fillIn =
  'Replace what stands in angle brackets, if anything does, and send everything else exactly as it is.';

function projectOf(args: Args): string {
  return titleOf(args['project']) || '<name of the project>';
}

function statusOf(text = ''): 'accepted' | 'proposed' {
  const status = text.trim().toLowerCase() || 'accepted';
  if (status === 'accepted' || status === 'proposed') return status;
  throw new VaultError('invalid_input', 'The status is "accepted" or "proposed".');
}

function call(args: object): string {
  return `\`\`\`json\n${JSON.stringify(args, undefined, 2)}\n\`\`\``;
}

function paragraphs(...texts: readonly string[]): string {
  return texts.join('\n\n');
}
