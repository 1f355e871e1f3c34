import { limits } from '../../src/base/limits.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';

/** What the bundle needs of the package's own manifest. */
export interface PackageFacts {
  readonly version: string;
  readonly license: string;
}

/** `manifest.json` of the MCPB bundle: what it is, how it is started, and what the user is asked. */
export function mcpbManifest({ version, license }: PackageFacts) {
  return {
    manifest_version: '0.3',
    name: 'vaultdoor',
    display_name: 'Vaultdoor',
    version,
    description: 'Reads, searches and edits the notes of your Obsidian vaults.',
    long_description: longDescription,
    author: { name: 'The Vaultdoor authors' },
    license,
    keywords: ['obsidian', 'notes', 'markdown', 'vault'],
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: 'server/start.mjs',
      mcp_config: {
        command: 'node',
        // Several folders become several words, so they come last.
        args: [
          `\${__dirname}/server/start.mjs`,
          'stdio',
          '--wait-for-vault',
          '--',
          answer('vaults'),
        ],
        // Not arguments: a switch that is off, or a field left empty, could not be left out.
        env: {
          VAULTDOOR_CLI_TOOLS: answer('cli_tools'),
          VAULTDOOR_READ_ONLY: answer('read_only'),
          VAULTDOOR_ASK_NEW_TAGS: answer('ask_new_tags'),
          VAULTDOOR_HIDE: answer('private_folders'),
        },
      },
    },
    tools: bundledToolsets().flatMap(({ tools }) =>
      tools.map((tool) => ({ name: tool.name, description: tool.description })),
    ),
    tools_generated: true, // The settings choose which of them are offered.
    prompts_generated: true,
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: '>=22.16.0' },
    },
    user_config: questions,
  };
}

/** The toolsets that the bundle can serve. */
function bundledToolsets(): readonly Toolset[] {
  const { contextEveryMs } = limits;
  return [notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs }), obsidianToolset()];
}

const questions = {
  vaults: {
    type: 'directory',
    title: 'Vaults',
    description: 'The folders of your Obsidian vaults: those that hold a folder ".obsidian".',
    multiple: true,
    required: true,
  },
  read_only: {
    type: 'boolean',
    title: 'Read-only',
    description: 'Change nothing in the vaults.',
    default: false,
    required: false,
  },
  ask_new_tags: {
    type: 'boolean',
    title: 'Ask before new tags',
    description: 'Tags that the vault does not have yet are only used when you have agreed.',
    default: true,
    required: false,
  },
  private_folders: {
    type: 'string',
    title: 'Private folders',
    description:
      'Folders and files that do not exist for Claude, with commas between: Private, Journal/2020, *.secret.md',
    default: '',
    required: false,
  },
  cli_tools: {
    type: 'boolean',
    title: 'CLI-style tools',
    description:
      'Offer tools that work like the commands of Obsidian itself (obsidian_…) in place of the usual ones.',
    default: false,
    required: false,
  },
} as const;

const longDescription = `Works on the notes of your Obsidian vaults, with or without the app.

- Links, tags and properties are understood the way Obsidian does; a renamed note takes its links along.
- Every change is made as a whole and can be undone.
- Nothing leaves your computer but what Claude asks for, and nothing is left in the vault but your notes.`;

/** What the user has answered, as clients fill it in. */
function answer(question: keyof typeof questions): string {
  return `\${user_config.${question}}`;
}
