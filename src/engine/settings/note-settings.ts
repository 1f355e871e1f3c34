import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { isVaultPath, vaultPath } from '../../base/vault-path.ts';
import type { Disk } from '../ports/ports.ts';
import { readSettingsFile } from './read-settings-file.ts';

/**
 * Where notes named by a date are made, and from which template (settings of the app's plugins).
 */
export interface DatedNoteSettings {
  /** The settings file. */
  readonly file: string;
  readonly folder: VaultFolder;
  /** The name as a `moment` format; it may contain `/`. */
  readonly format: string;
  /** The template's path, usually without `.md`; undefined for none. */
  readonly template: string | undefined;
  /** Settings files that could not be understood; their defaults are used. */
  readonly problems: readonly string[];
}

interface TemplateSettings {
  /** Where templates are; undefined when the vault sets no such folder. */
  readonly folder: VaultFolder | undefined;
  readonly dateFormat: string;
  readonly timeFormat: string;
  readonly problems: readonly string[];
}

/**
 * How the vault names its daily notes by the app's own settings: `.obsidian/daily-notes.json`.
 * Fails with `invalid_input` when the folder in it is not a valid path: using a default would put
 * notes into the wrong place.
 */
export function readDailySettings(disk: Disk): Promise<DatedNoteSettings> {
  return readDated(disk, '.obsidian/daily-notes.json', 'YYYY-MM-DD');
}

/**
 * How the vault names its unique notes (notes named by the time they are made):
 * `.obsidian/zk-prefixer.json`. Fails as `readDailySettings` does.
 */
export function readUniqueSettings(disk: Disk): Promise<DatedNoteSettings> {
  return readDated(disk, '.obsidian/zk-prefixer.json', 'YYYYMMDDHHmm');
}

const templaterFile = '.obsidian/plugins/templater-obsidian/data.json';

/**
 * Where the vault has its templates, and how they write dates: `.obsidian/templates.json`. The
 * folder of the Templater plugin counts where that file names none. Fails as `readDailySettings`
 * does.
 */
export async function readTemplateSettings(disk: Disk): Promise<TemplateSettings> {
  const problems: string[] = [];
  const file = '.obsidian/templates.json';
  const settings = await readSettingsFile(disk, vaultPath(file), problems);
  const folder = textOf(settings['folder']);
  return {
    folder: folder === undefined ? await templaterFolder(disk) : folderIn(file, folder),
    dateFormat: textOf(settings['dateFormat']) ?? 'YYYY-MM-DD',
    timeFormat: textOf(settings['timeFormat']) ?? 'HH:mm',
    problems,
  };
}

async function templaterFolder(disk: Disk): Promise<VaultFolder | undefined> {
  const settings = await readSettingsFile(disk, vaultPath(templaterFile), []);
  const folder = textOf(settings['templates_folder']);
  return folder === undefined ? undefined : folderIn(templaterFile, folder);
}

async function readDated(
  disk: Disk,
  file: string,
  defaultFormat: string,
): Promise<DatedNoteSettings> {
  const problems: string[] = [];
  const settings = await readSettingsFile(disk, vaultPath(file), problems);
  return datedSettings(settings, { file, defaultFormat, problems });
}

/**
 * Reads the settings of dated notes from an object of a settings file. Fails as `readDailySettings`
 * does.
 */
export function datedSettings(
  settings: Readonly<Record<string, unknown>>,
  {
    file,
    defaultFormat,
    problems,
  }: {
    readonly file: string;
    readonly defaultFormat: string;
    readonly problems: readonly string[];
  },
): DatedNoteSettings {
  return {
    file,
    folder: folderIn(file, textOf(settings['folder']) ?? ''),
    format: textOf(settings['format']) ?? defaultFormat,
    // The second name is that of newer versions of the Periodic Notes plugin.
    template: textOf(settings['template']) ?? textOf(settings['templatePath']),
    problems,
  };
}

/** A setting as text; undefined when it is empty, because the app writes `""` for a cleared one. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/**
 * A folder as the app reads it: without slashes at its ends. `file` is the settings file that names
 * it, for the failure.
 */
function folderIn(file: string, text: string): VaultFolder {
  const folder = text.replace(/^\/+|\/+$/g, '');
  if (folder === '') return '';
  if (isVaultPath(folder)) return vaultPath(folder);
  throw new VaultError(
    'invalid_input',
    `The folder in ${file} is not a valid path in a vault; correct it in Obsidian's settings.`,
    { details: { path: file } },
  );
}
