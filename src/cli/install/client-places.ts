import { posix, win32 } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { appDataFolder, type UserPlace } from '../../node/place/app-folders.ts';
import { nearestName } from '../../tools/define/nearest-name.ts';

/** What has to be known of a machine to find the files of its MCP clients. */
export interface Machine extends UserPlace {
  readonly currentFolder: string;
  /** The names in `%LOCALAPPDATA%\Packages`; empty elsewhere. */
  readonly packageNames: readonly string[];
}

/** A file in which a client keeps its MCP servers. */
export interface Place {
  readonly file: string;
  /** Files and folders that show that the client is installed: one of them exists. */
  readonly signs: readonly string[];
}

export const clientIds = ['claude-desktop', 'claude-code', 'cursor', 'vscode'] as const;
export type ClientId = (typeof clientIds)[number];

/** The failure for a word that names no client, with those that may be meant. */
export function noSuchApp(word: string): VaultError {
  const parts = clientIds.filter((id) => id.includes(word.toLowerCase()));
  const meant = parts.length > 0 ? parts : [nearestName(word, clientIds) ?? []].flat();
  const hint = meant.length > 0 ? `${meant.join(' or ')} may be meant` : 'none has a similar name';
  return new VaultError(
    'invalid_input',
    `There is no app "${word}"; ${hint}. There are ${clientIds.join(', ')}.`,
  );
}

/** How a client writes its servers into its files. */
export interface Client {
  readonly title: string;
  /** The key of the JSON object that holds the servers. */
  readonly section: 'mcpServers' | 'servers';
  /** Whether a server needs `"type": "stdio"`. */
  readonly saysType: boolean;
  /** What the user has to do after the installation. */
  readonly next: string;
  /** The file of a project, from its folder on; absent for a client that has none. */
  readonly projectFile?: readonly string[];
}

export const clients: Readonly<Record<ClientId, Client>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    section: 'mcpServers',
    saysType: false,
    // Claude Desktop also writes this file itself, and may overwrite the entry while it runs.
    next: 'Start Claude Desktop. If it ran meanwhile, quit it completely first (on Windows and Linux from its tray icon; closing the window is not enough). If it then knows nothing of your notes, quit it, run this command again, and start it.',
  },
  'claude-code': {
    title: 'Claude Code',
    section: 'mcpServers',
    saysType: false,
    next: 'Start a new session of Claude Code; /mcp shows the server.',
    projectFile: ['.mcp.json'],
  },
  cursor: {
    title: 'Cursor',
    section: 'mcpServers',
    saysType: false,
    next: 'Look for the server in the MCP settings of Cursor; restart Cursor if it is not there.',
    projectFile: ['.cursor', 'mcp.json'],
  },
  vscode: {
    title: 'VS Code',
    section: 'servers',
    saysType: true,
    next: 'Run "MCP: List Servers" in VS Code and start the server there.',
    projectFile: ['.vscode', 'mcp.json'],
  },
};

/**
 * The files in which a client may keep its servers, the usual one first. On Windows, Claude Desktop
 * may have two: installed as a package it has a private AppData folder, and reads the file there
 * before the documented one.
 */
export function clientPlaces(client: ClientId, machine: Machine): readonly Place[] {
  const { join } = pathsOf(machine);
  const { env, home } = machine;
  switch (client) {
    case 'claude-desktop': {
      const folders = [join(appDataFolder(machine), 'Claude'), ...packagedFolders(machine)];
      return folders.map((folder) => ({
        file: join(folder, 'claude_desktop_config.json'),
        signs: [folder],
      }));
    }
    case 'claude-code': {
      const own = env['CLAUDE_CONFIG_DIR'];
      const file = join(own || home, '.claude.json');
      return [{ file, signs: [file, own || join(home, '.claude')] }];
    }
    case 'cursor': {
      const folder = join(home, '.cursor');
      return [{ file: join(folder, 'mcp.json'), signs: [folder] }];
    }
    case 'vscode': {
      const folder = join(appDataFolder(machine), 'Code');
      return [{ file: join(folder, 'User', 'mcp.json'), signs: [folder] }];
    }
  }
}

/** The file of the project in the current folder; undefined for a client without such files. */
export function projectPlace(client: ClientId, machine: Machine): Place | undefined {
  const { projectFile } = clients[client];
  if (projectFile === undefined) return undefined;
  const { join } = pathsOf(machine);
  const file = join(machine.currentFolder, ...projectFile);
  return { file, signs: [machine.currentFolder] };
}

/** The folder with the data of Windows packages, whose names go into `Machine.packageNames`. */
export function packagesFolder({ env, home }: Pick<Machine, 'env' | 'home'>): string {
  return win32.join(env['LOCALAPPDATA'] || win32.join(home, 'AppData', 'Local'), 'Packages');
}

function packagedFolders(machine: Machine): string[] {
  if (machine.platform !== 'win32') return [];
  return machine.packageNames
    .filter((name) => name.startsWith('Claude_'))
    .map((name) => win32.join(packagesFolder(machine), name, 'LocalCache', 'Roaming', 'Claude'));
}

function pathsOf({ platform }: Machine): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
