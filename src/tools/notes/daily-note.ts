import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import { readDaily } from '../../engine/operations/read/read-daily.ts';
import { dailyNote } from '../../engine/operations/write/daily-note.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { type Advice, severalHeadings, withAdvice } from '../define/advice.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import {
  given,
  IfVersion,
  NewTags,
  optionalChoice,
  optionalSection,
  optionalText,
} from '../define/note-input.ts';
import { cutLineClosing, limited, showLines } from '../wording/shown-text.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { noteMeta } from './notes-voice.ts';

const shape = {
  text: optionalText('Markdown to append'),
  section: optionalSection('Heading to append under'),
  date: optionalText('YYYY-MM-DD, yesterday, tomorrow'),
  period: optionalChoice(['day', 'week', 'month', 'quarter', 'year'], 'Default day'),
};

const Read = z.object({
  path: z.string(),
  version: z.string(),
  text: z.string(),
  /** A last line: where the note is, and how to go on when there is more. */
  closing: z.string(),
});

const Written = writingSchema({ created: z.literal(true).optional() });

export function dailyNoteTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'daily_note',
    title: 'Daily note',
    description:
      'Read the daily note, or append text to it (made from its template if missing). Other edits: by its path.',
    effect: 'write',
    published: z.object(shape),
    input: z
      .object({ ...shape, version: IfVersion, new_tags: NewTags })
      .refine(({ text, section }) => section === undefined || text !== undefined, {
        path: ['section'],
        error: 'it is for appending: give "text" too, or read the section with read_section',
      }),
    output: z.union([Read, Written]),
    record: ['date', 'period', 'section', 'new_tags'],
    run: async (vault, { text, section, version, new_tags: newTags = [], ...which }) => {
      if (text === undefined) return read(vault, given(which));
      const request = { content: text, ...given({ section, version, ...which }) };
      const report = await changeNote(vault, dailyNote, request, {
        tags: { policy, newTags },
        advice: { ...noSettings, ambiguous: severalHeadings('Name it as "A > B" or "B (2)".') },
      });
      return writingAnswer(report, report.created ? { created: true as const } : {});
    },
    text: (value) => ('closing' in value ? value.text + value.closing : JSON.stringify(value)),
    meta: (value) => ('closing' in value ? noteMeta(value) : {}),
  });
}

async function read(
  vault: BoundVault,
  which: Parameters<typeof readDaily>[1],
): Promise<z.output<typeof Read>> {
  const { path, text, version } = await withAdvice(noSettings, () => readDaily(vault, which));
  if (text === undefined || version === undefined) {
    throw new VaultError(
      'not_found',
      `"${path}" does not exist yet: daily_note with text creates it.`,
      { details: { path } },
    );
  }
  const shown = showLines(vault, { path, text, version }, { offset: 0, limit: undefined });
  return { path, version, text: shown.text, closing: closingOf(shown, path) };
}

/** The last line of the answer, which tells the path: other tools need it. */
function closingOf(shown: ReturnType<typeof showLines>, path: string): string {
  const { last, lines, cut } = shown;
  const next = `read_note ${JSON.stringify(path)} with `;
  if (cut !== undefined) return cutLineClosing(shown, next);
  const lineEnd = shown.text === '' || shown.text.endsWith('\n') ? '' : '\n';
  if (last >= lines) return `${lineEnd}[${path}]`;
  return `${lineEnd}[Lines 1-${last} of ${lines} of ${path}. ${limited}: go on with ${next}offset=${last}.]`;
}

const noSettings: Advice = {
  invalid_input: ({ details }) => {
    if ('period' in details) return 'create_note and append_note do that.';
    if (!('command' in details)) return undefined;
    return 'For a daily note: make it with create_note at the path that daily_note without text names, then append to it.';
  },
};
