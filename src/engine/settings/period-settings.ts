import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Disk } from '../ports/ports.ts';
import type { DatedNoteSettings } from './note-settings.ts';
import { datedSettings, readDailySettings } from './note-settings.ts';
import { isPluginOn, readSettingsFile } from './read-settings-file.ts';

/** How long the time is that a dated note is about. */
export type Period = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** The word that the Periodic Notes plugin has for each, and its format where none is set. */
const periods: Readonly<Record<Period, { readonly word: string; readonly format: string }>> = {
  day: { word: 'daily', format: 'YYYY-MM-DD' },
  week: { word: 'weekly', format: 'gggg-[W]ww' },
  month: { word: 'monthly', format: 'YYYY-MM' },
  quarter: { word: 'quarterly', format: 'YYYY-[Q]Q' },
  year: { word: 'yearly', format: 'YYYY' },
};

const pluginFile = '.obsidian/plugins/periodic-notes/data.json';

/**
 * How the vault names its notes of a day, week, month, quarter or year: as the Periodic Notes
 * plugin says, or, for days, else the app's own settings. `isPeriodic` says that the plugin's
 * settings count. Fails with `invalid_input` when the vault has no such notes, and as
 * `readDailySettings` does.
 */
export async function readPeriodSettings(
  disk: Disk,
  period: Period,
): Promise<DatedNoteSettings & { readonly isPeriodic: boolean }> {
  const { word, format } = periods[period];
  const problems: string[] = [];
  const settings = (await isPluginOn(disk, 'periodic-notes', []))
    ? objectIn(
        activeSet(await readSettingsFile(disk, vaultPath(pluginFile), problems)),
        period,
        word,
      )
    : {};
  if (settings['enabled'] === true) {
    const dated = datedSettings(settings, { file: pluginFile, defaultFormat: format, problems });
    return { ...dated, isPeriodic: true };
  }
  if (period === 'day') return { ...(await readDailySettings(disk)), isPeriodic: false };
  throw new VaultError(
    'invalid_input',
    `This vault has no ${word} notes: turn them on in the settings of the Periodic Notes plugin in Obsidian, or name the note yourself.`,
    { details: { period } },
  );
}

type Settings = Readonly<Record<string, unknown>>;

/** Newer versions of the plugin have several sets of settings, of which one is in use. */
function activeSet(settings: Settings): Settings {
  const sets = settings['calendarSets'];
  if (!Array.isArray(sets)) return settings;
  const objects = sets.filter(isObject);
  return objects.find(({ id }) => id === settings['activeCalendarSet']) ?? objects[0] ?? {};
}

/** The object under the first of these keys that has one. */
function objectIn(settings: Settings, ...keys: readonly string[]): Settings {
  return keys.map((key) => settings[key]).find(isObject) ?? {};
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
