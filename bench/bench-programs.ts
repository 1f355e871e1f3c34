import { join } from 'node:path';
import type { World } from './bench-world.ts';
import { appendedLine, hubNames, type Question } from './right-answers.ts';
import type { Command } from './server-client.ts';
import { vaultdoorCommand } from './stdio-client.ts';

/** How a program is asked a question: the name of its tool, and the arguments of the n-th call. */
export interface Ask {
  readonly tool: string;
  readonly args: (world: World, turn: number) => object;
  /** True if the program has no tool for the question, and this tool is the best substitute. */
  readonly instead?: true;
}

/** A program in the table: Vaultdoor or a peer. */
export interface BenchProgram {
  readonly name: string;
  readonly command: (folder: string) => Command;
  /** Whether an answer says that the program is not ready yet and should be asked again. */
  readonly isNotYet?: (said: string) => boolean;
  /** Questions for which the program has no tool are missing. */
  readonly asks: Readonly<Partial<Record<Question, Ask>>>;
}

const query = ({ queries }: World, turn: number): string =>
  queries[turn % queries.length]?.text ?? '';
const linkTo = ({ hub }: World): string => `[[${hub[0].name}`;

const isNotYet = (said: string): boolean => said.includes('still being indexed');

/** Vaultdoor with its default toolset. `cache` is the folder with the index of an earlier start. */
export function vaultdoor(cache: string): BenchProgram {
  return {
    name: 'vaultdoor',
    command: (folder) => vaultdoorCommand(folder, cache, 'notes'),
    isNotYet,
    asks: {
      read: { tool: 'read_note', args: ({ read }) => ({ name: read.path }) },
      search: { tool: 'search_notes', args: (world, turn) => ({ query: query(world, turn) }) },
      name: {
        tool: 'search_notes',
        args: ({ name }) => ({ query: name.name, mode: 'name_partial' }),
      },
      tagged: {
        tool: 'search_notes',
        args: ({ tag }) => ({ query: tag, mode: 'tag', limit: 100 }),
      },
      backlinks: {
        tool: 'get_links',
        args: ({ hub }) => ({ name: hub[0].path, direction: 'in' }),
      },
      rename: {
        tool: 'rename_note',
        args: (world, turn) => {
          const [before, after] = hubNames(world, turn);
          return { old_name: before.path, new_name: after.name };
        },
      },
      append: {
        tool: 'append_note',
        args: ({ append }, turn) => ({ name: append, text: appendedLine(turn) }),
      },
    },
  };
}

/** Vaultdoor with the toolset that can list tags, because the default toolset cannot. */
export function vaultdoorTags(cache: string): BenchProgram {
  return {
    name: 'vaultdoor --tools obsidian',
    command: (folder) => vaultdoorCommand(folder, cache, 'obsidian'),
    isNotYet,
    asks: { tags: { tool: 'obsidian_tags', args: () => ({}) } },
  };
}

/** The npm packages of the peers, in the versions that the table is about. */
export const peerPackages = {
  mcpvault: '@bitbonsai/mcpvault@0.16.0',
  'obsidian-mcp': 'obsidian-mcp@2.0.1',
  'mcp-obsidian': 'mcp-obsidian@1.0.0',
  filesystem: '@modelcontextprotocol/server-filesystem@2026.8.31',
} as const;

export type PeerName = keyof typeof peerPackages;

const entries: Record<PeerName, string> = {
  mcpvault: '@bitbonsai/mcpvault/dist/server.js',
  'obsidian-mcp': 'obsidian-mcp/dist/main.js',
  'mcp-obsidian': 'mcp-obsidian/dist/index.js',
  filesystem: '@modelcontextprotocol/server-filesystem/dist/index.js',
};

/** The folder `node_modules` in which a peer is installed, and the Node that runs it. */
export interface Installed {
  readonly modules: string;
  readonly node: string;
}

/** Describes an installed peer. `home` is the folder for everything that the peer stores. */
export function peer(name: PeerName, { modules, node }: Installed, home: string): BenchProgram {
  const env = { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
  const wordsOf = (folder: string): readonly string[] =>
    name === 'obsidian-mcp' ? ['serve', '--vault', `bench=${folder}`] : [folder];
  return {
    name,
    command: (folder) => ({
      file: node,
      args: [join(modules, entries[name]), ...wordsOf(folder)],
      env,
    }),
    asks: peerAsks[name],
  };
}

export const peerAsks: Readonly<Record<PeerName, BenchProgram['asks']>> = {
  mcpvault: {
    read: { tool: 'read_note', args: ({ read }) => ({ path: read.path }) },
    search: {
      tool: 'search_notes',
      args: (world, turn) => ({ query: query(world, turn), limit: 20 }),
    },
    name: { tool: 'search_notes', args: ({ name }) => ({ query: name.name, limit: 20 }) },
    tags: { tool: 'list_all_tags', args: () => ({}) },
    backlinks: {
      tool: 'search_notes',
      args: (world) => ({ query: linkTo(world), limit: 20 }),
      instead: true,
    },
    rename: {
      tool: 'move_note',
      args: (world, turn) => {
        const [before, after] = hubNames(world, turn);
        return { oldPath: before.path, newPath: after.path };
      },
    },
    append: {
      tool: 'write_note',
      args: ({ append }, turn) => ({
        path: append,
        content: `\n${appendedLine(turn)}\n`,
        mode: 'append',
      }),
    },
  },
  'obsidian-mcp': {
    read: { tool: 'obsidian_read_note', args: ({ read }) => inVault({ path: read.path }) },
    search: {
      tool: 'obsidian_search_vault',
      args: (world, turn) => inVault({ query: query(world, turn), limit: 20 }),
    },
    name: {
      tool: 'obsidian_search_vault',
      args: ({ name }) => inVault({ query: name.name, mode: 'filename', limit: 20 }),
    },
    tagged: {
      tool: 'obsidian_search_vault',
      args: ({ tag }) => inVault({ query: tag, mode: 'tag', limit: 100 }),
    },
    backlinks: {
      tool: 'obsidian_search_vault',
      args: (world) => inVault({ query: linkTo(world), limit: 100 }),
      instead: true,
    },
    rename: {
      tool: 'obsidian_move_note',
      args: (world, turn) => {
        const [before, after] = hubNames(world, turn);
        return inVault({ source: before.path, destination: after.path });
      },
    },
    append: {
      tool: 'obsidian_edit_note',
      args: ({ append }, turn) =>
        inVault({ path: append, operation: 'append', content: `\n${appendedLine(turn)}\n` }),
    },
  },
  'mcp-obsidian': {
    read: { tool: 'read_notes', args: ({ read }) => ({ paths: [read.path] }) },
    name: { tool: 'search_notes', args: ({ name }) => ({ query: name.name }) },
  },
  filesystem: {
    read: {
      tool: 'read_text_file',
      args: ({ folder, read }) => ({ path: join(folder, read.path) }),
    },
    name: {
      tool: 'search_files',
      args: ({ folder, name }) => ({ path: folder, pattern: `**/*${name.name}*` }),
    },
    rename: {
      tool: 'move_file',
      args: (world, turn) => {
        const [before, after] = hubNames(world, turn);
        return {
          source: join(world.folder, before.path),
          destination: join(world.folder, after.path),
        };
      },
    },
  },
};

function inVault(args: object): object {
  return { vault: 'bench', ...args };
}
