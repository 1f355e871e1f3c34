import { rethrowIfAway } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Disk } from '../ports/ports.ts';
import { readSettingsFile } from './read-settings-file.ts';

/** What the vault's own settings say, with Obsidian's defaults where they say nothing. */
export interface VaultSettings {
  readonly newLinkFormat: 'shortest' | 'relative' | 'absolute';
  readonly useMarkdownLinks: boolean;
  readonly alwaysUpdateLinks: boolean;
  readonly trashOption: 'system' | 'local' | 'none';
  /** Whether the vault sets a trash; otherwise `trashOption` is the app's default. */
  readonly trashOptionSet: boolean;
  readonly newFileLocation: 'root' | 'current' | 'folder';
  readonly newFileFolderPath: string;
  readonly attachmentFolderPath: string;
  /** Path prefixes, or `/regular expressions/`, of files that lists and searches leave out. */
  readonly exclude: readonly string[];
  /** Whether the folder has been opened in Obsidian: `.obsidian` exists. */
  readonly opened: boolean;
  /** Settings files that could not be understood; their defaults are used. */
  readonly problems: readonly string[];
}

/** Reads `.obsidian/app.json`. What is wrong with it is listed in `problems`; defaults are used. */
export async function readSettings(disk: Disk, folder = '.obsidian'): Promise<VaultSettings> {
  const problems: string[] = [];
  const app = await readSettingsFile(disk, vaultPath(`${folder}/app.json`), problems);
  const text = (key: string): string | undefined => {
    const value = app[key];
    return typeof value === 'string' ? value : undefined;
  };
  const newLinkFormat = oneOf(text('newLinkFormat'), ['shortest', 'relative', 'absolute']);
  const trashOption = oneOf(text('trashOption'), ['system', 'local', 'none']);
  const filters = app['userIgnoreFilters'];
  return {
    newLinkFormat: newLinkFormat ?? 'shortest',
    useMarkdownLinks: app['useMarkdownLinks'] === true,
    alwaysUpdateLinks: app['alwaysUpdateLinks'] === true,
    trashOption: trashOption ?? 'system',
    trashOptionSet: trashOption !== undefined,
    newFileLocation: oneOf(text('newFileLocation'), ['root', 'current', 'folder']) ?? 'root',
    newFileFolderPath: text('newFileFolderPath') ?? '',
    attachmentFolderPath: text('attachmentFolderPath') ?? '/',
    exclude: Array.isArray(filters) ? filters.filter((filter) => typeof filter === 'string') : [],
    opened: await isFolder(disk, vaultPath(folder), problems),
    problems,
  };
}

async function isFolder(disk: Disk, path: VaultPath, problems: string[]): Promise<boolean> {
  try {
    return (await disk.list(path)) !== undefined;
  } catch (error) {
    rethrowIfAway(error);
    problems.push(`${path} cannot be read; Obsidian's defaults are used.`);
    return true; // It exists, although it cannot be listed.
  }
}

function oneOf<T extends string>(value: string | undefined, allowed: readonly T[]): T | undefined {
  return allowed.find((option) => option === value);
}
