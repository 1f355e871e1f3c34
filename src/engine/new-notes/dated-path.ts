import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { joinPath } from '../../base/vault-path.ts';
import type { DatedNoteSettings } from '../settings/note-settings.ts';
import { formatDate } from '../text/format-date.ts';

/**
 * Returns the path of the daily note of a day. Fails when the settings' format does not give a
 * vault path.
 */
export function dailyPath(settings: DatedNoteSettings, timeMs: number): VaultPath {
  return datedPath(settings, formatDate(timeMs, settings.format));
}

/**
 * Makes a path from a formatted date. Slashes around it are dropped, and `.md` is added if it is
 * missing.
 */
function datedPath({ folder }: DatedNoteSettings, formatted: string): VaultPath {
  const name = formatted.replace(/^\/+|\/+$/g, '');
  return joinPath(folder, /\.md$/i.test(name) ? name : `${name}.md`);
}

const triesMax = 10_000;
const secondMs = 1_000;
const dayMs = 86_400_000;
/** The smallest of these that changes the name is the step to the next one. */
const stepsMs = [1, secondMs, 60 * secondMs, 3_600 * secondMs, dayMs, 31 * dayMs, 366 * dayMs];

/**
 * Returns a free path that is named by the time. Where a path is taken, goes on to the next time
 * that gives another name. Fails with `already_exists` when the format gives no free name.
 */
export async function uniqueNotePath(
  settings: DatedNoteSettings,
  request: {
    readonly nowMs: number;
    readonly isTaken: (path: VaultPath) => Promise<boolean>;
  },
): Promise<VaultPath> {
  let timeMs = request.nowMs;
  for (let tries = 0; tries < triesMax; tries++) {
    const name = formatDate(timeMs, settings.format);
    const path = datedPath(settings, name);
    if (!(await request.isTaken(path))) return path;
    const step = stepsMs.find((ms) => formatDate(timeMs + ms, settings.format) !== name);
    if (step === undefined) break;
    timeMs += step;
  }
  throw new VaultError(
    'already_exists',
    'Every name that .obsidian/zk-prefixer.json allows is taken; choose a longer format there.',
  );
}
