import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { shortVersion } from '../../base/version.ts';
import {
  BrokenProperties,
  readNoteProperties,
} from '../../engine/operations/list/list-properties.ts';
import { type Advice, withAdvice } from '../define/advice.ts';
import { defineTool } from '../define/define-tool.ts';
import { noteInput, noteOf } from '../define/note-input.ts';
import { noteMeta } from './notes-voice.ts';

export const getFrontmatterTool = defineTool({
  name: 'get_frontmatter',
  title: 'Get properties',
  description: "Get a note's properties (YAML frontmatter) as JSON. Its text: read_note.",
  effect: 'read',
  existing: 'name',
  ...noteInput({}),
  output: z.object({
    path: z.string(),
    version: z.string(),
    properties: z.record(z.string(), z.unknown()),
  }),
  record: ['name', 'path'],
  run: async (vault, which) => {
    const request = { name: noteOf(which) };
    const note = await withAdvice(advice, () => readNoteProperties(vault, request));
    const { path, version, properties } = note;
    const { length } = JSON.stringify(properties);
    if (length > limits.answerCharsMax) {
      throw new VaultError(
        'too_large',
        `The properties of "${path}" take ${length} characters, more than an answer holds: read them with read_note.`,
        { details: { path } },
      );
    }
    return { path, version: shortVersion(version), properties: { ...properties } };
  },
  text: ({ properties }) => JSON.stringify(properties),
  meta: noteMeta,
});

const advice: Advice = {
  invalid_input: (failure) =>
    failure instanceof BrokenProperties
      ? 'No tool does that: read_note shows them, and the user can correct them.'
      : undefined,
};
