import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { dailyPath } from '../../new-notes/dated-path.ts';
import { templateText } from '../../new-notes/find-template.ts';
import { noteAt } from '../../notes/find-note.ts';
import type { Period } from '../../settings/period-settings.ts';
import { readPeriodSettings } from '../../settings/period-settings.ts';
import { parseDate } from '../../text/parse-date.ts';
import type { Draft } from '../../vault/draft.ts';
import { appendNote, prependNote } from './append-note.ts';
import { createNote } from './create-note.ts';

interface DailyNoteRequest {
  /** `YYYY-MM-DD`, `today`, `yesterday` or `tomorrow`; today if absent. */
  readonly date?: string;
  /** The note of the week, month, quarter or year in which the date is; of the day if absent. */
  readonly period?: Period;
  /** The text to add; without it the note is only created. */
  readonly content?: string;
  /** Adds the text at the beginning instead of the end. */
  readonly prepend?: boolean;
  readonly inline?: boolean;
  /** The section to add the text to. */
  readonly section?: string;
  readonly version?: VersionStart;
}

/**
 * Creates the daily note of a day, or the note of a longer period, where the vault's settings want
 * it and from their template, unless it exists, and adds a text to it. A missing template is only a
 * warning, as in the app. Fails with `invalid_input` for an invalid date, when both `prepend` and
 * `section` are given, and when the vault has no notes of that period.
 */
export async function dailyNote(
  draft: Draft,
  request: DailyNoteRequest,
): Promise<{ path: VaultPath; created: boolean }> {
  const { content, prepend, section, inline = false } = request;
  if (prepend && section !== undefined) {
    throw new VaultError(
      'invalid_input',
      'Text goes to the beginning of the note or to a section, not both: leave one out.',
    );
  }
  const settings = await readPeriodSettings(draft.vault.vault.parts.disk, request.period ?? 'day');
  for (const problem of settings.problems) draft.warn(problem);
  const timeMs = parseDate(request.date ?? 'today', draft.nowMs);
  const wanted = dailyPath(settings, timeMs);
  const found = await noteAt(draft, wanted);
  if (found !== undefined) await draft.expect(found, request.version);
  const path = found ?? (await createDaily(draft, { wanted, settings, timeMs }));
  if (content !== undefined) {
    const place = { name: { path }, text: content, inline };
    if (prepend) await prependNote(draft, place);
    else await appendNote(draft, section === undefined ? place : { ...place, section });
  }
  return { path, created: found === undefined };
}

async function createDaily(
  draft: Draft,
  request: {
    readonly wanted: VaultPath;
    readonly settings: Awaited<ReturnType<typeof readPeriodSettings>>;
    readonly timeMs: number;
  },
): Promise<VaultPath> {
  const { wanted, settings, timeMs } = request;
  const name = settings.template?.replace(/^\/+/, '');
  const template = name === undefined ? undefined : await noteAt(draft, name);
  if (name !== undefined && template === undefined) {
    draft.warn(
      `The note was created without a template, because the template named in ${settings.file} does not exist.`,
    );
  }
  const periodic = settings.isPeriodic ? { periodFormat: settings.format } : {};
  const { path } = await createNote(draft, {
    path: wanted,
    content: async (path) =>
      template === undefined ? '' : templateText(draft, { template, path, timeMs, ...periodic }),
  });
  return path;
}
