import type { VaultPath } from '../../base/vault-path.ts';
import { joinPath } from '../../base/vault-path.ts';
import type { DatedNoteSettings } from '../settings/note-settings.ts';
import { formatDate } from '../text/format-date.ts';

/** Where the note of a day is, or would be. Fails when the format makes no path of a vault. */
export function dailyPath(settings: DatedNoteSettings, timeMs: number): VaultPath {
  return datedPath(settings, formatDate(timeMs, settings.format));
}

/** A path from a formatted date: slashes around it do not count, `.md` need not be in the format. */
export function datedPath({ folder }: DatedNoteSettings, formatted: string): VaultPath {
  const name = formatted.replace(/^\/+|\/+$/g, '');
  return joinPath(folder, /\.md$/i.test(name) ? name : `${name}.md`);
}
