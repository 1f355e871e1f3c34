import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { shortVersion, type Version } from '../../base/version.ts';
import { noteFacts } from '../../engine/operations/read/note-facts.ts';
import { readNamedDocument } from '../../engine/operations/read/read-document.ts';
import { readNote } from '../../engine/operations/read/read-note.ts';
import { readSection } from '../../engine/operations/read/read-section.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { listOf, NoteName, Section } from './schemas.ts';

export const readTool = defineTool({
  name: 'read',
  title: 'Read a note',
  description:
    'Prints a note exactly as it is on disk, or the text of a PDF, one of its pages, or a drawing.',
  effect: 'read',
  input: z.object({ name: NoteName }),
  /** Documents have no version: what is printed is not what is on disk. */
  output: z.object({ path: z.string(), text: z.string(), version: z.string().optional() }),
  record: ['name'],
  positional: ['name'],
  examples: [
    'vaultdoor read Sourdough',
    'vaultdoor read Greenhouse/Log',
    'vaultdoor read Sourdough --json',
  ],
  run: async (vault, request) =>
    (await documentText(vault, request)) ?? shown(await readNote(vault, request)),
  text: ({ text }, paint) => paint.content(text),
});

export const sectionTool = defineTool({
  name: 'section',
  title: 'Read a section',
  description: 'Prints the text under a heading, with its subheadings.',
  effect: 'read',
  input: z.object({ name: NoteName, section: Section }),
  output: z.object({
    path: z.string(),
    heading: z.string(),
    level: z.number(),
    line: z.number(),
    text: z.string(),
    version: z.string(),
  }),
  record: ['name', 'section'],
  positional: ['name', 'section'],
  examples: [
    `vaultdoor section Sourdough 'Cold rise'`,
    `vaultdoor section Greenhouse/Log 'Log > 2026'`,
  ],
  run: async (vault, request) => shown(await readSection(vault, request)),
  text: ({ text }, paint) => paint.content(text),
});

export const factsTool = defineTool({
  name: 'facts',
  title: 'Everything known about a note',
  description:
    "Prints everything known about a note, with positions. The format is that of Obsidian's metadata cache; docs/facts.md describes it.",
  effect: 'read',
  input: z.object({ name: NoteName }),
  output: z.object({
    path: z.string(),
    kind: z.enum(['note', 'canvas', 'base', 'attachment']),
    version: z.string(),
    facts: z.looseObject({}),
    allTags: listOf(z.string()),
    propertyTags: listOf(z.string()).nullable(),
    targets: z.record(z.string(), z.string().nullable()),
    more: z.looseObject({}),
  }),
  record: ['name'],
  positional: ['name'],
  examples: ['vaultdoor facts Sourdough'],
  run: async (vault, request) => {
    const { facts, more, ...answer } = await noteFacts(vault, request);
    return { ...answer, facts: { ...facts }, more: { ...more } };
  },
  text: (answer) => `${JSON.stringify(answer, undefined, 2)}\n`,
});

/** The text of the PDF or the drawing that is named; undefined for another file. */
async function documentText(vault: BoundVault, { name }: { readonly name: string }) {
  const found = await readNamedDocument(vault, { name, charsMax: limits.pdfTextCharsMax });
  if (found === undefined) return undefined;
  const { path, count, pages } = found;
  const texts = pages.map(({ number, text }) =>
    pages.length === 1 ? text : `[Page ${number} of ${count}]\n${text}`,
  );
  return { path, text: `${texts.join('\n\n')}\n` };
}

/** An answer with its version as answers show it. */
function shown<Answer extends { readonly version: Version }>(answer: Answer) {
  return { ...answer, version: shortVersion(answer.version) };
}
